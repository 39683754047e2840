from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import oracles
from alp.geo import GEOMETRIES, SPHERE
from alp.kernels.smoothing import smooth, spread_evenly, spread_evenly_ms
from strategies import KINDS, random_traces, traces

both = pytest.mark.parametrize("geometry", list(GEOMETRIES))
FILLED = tuple(kind for kind in KINDS if kind != "empty")


def smoothed(trace, alpha_m):
    """Return times and rows of places."""
    g = trace.geometry
    time_us, *points = smooth(trace.time_us, *trace.points, alpha_m, g.chord(alpha_m), g.radius_m)
    return time_us, oracles.rows(points)


def path_length(trace):
    places = oracles.rows(trace.points)
    return np.sqrt(oracles.straight_square(places[1:], places[:-1])).sum()


def reasonable(trace, alpha_m):
    """Return alpha, or more where the trace is so long that the oracle would walk for ever."""
    return max(alpha_m, 1.0137 * path_length(trace) / 80)


def assert_same_walk(trace, alpha_m):
    time_us, places, margin = oracles.walk(
        trace.time_us, oracles.rows(trace.points), alpha_m, trace.geometry
    )
    if margin < 1e-8:  # rounding may decide a tie either way
        return False
    found_us, found = smoothed(trace, alpha_m)
    np.testing.assert_array_equal(found_us, time_us[1:-1])
    nearly = max(1e-6, 1e-9 * path_length(trace))
    np.testing.assert_allclose(found, places[1:-1].reshape(-1, 3), rtol=0, atol=nearly)
    return True


@both
def test_random_traces_are_smoothed_as_the_definition_says(geometry):
    compared = [
        assert_same_walk(trace, reasonable(trace, 87.3))
        for trace in random_traces(12, 2000, kinds=FILLED, geometry=geometry)
    ]
    assert np.mean(compared) > 0.9


@both
@given(data=st.data())
def test_any_trace_is_smoothed_as_the_definition_says(geometry, data):
    trace = data.draw(traces(kinds=FILLED, geometry=geometry, max_size=12))
    alpha_m = reasonable(trace, data.draw(st.floats(20.0, 500.0)))
    places = oracles.rows(trace.points)
    jumps = oracles.distance(geometry, places[:, None], places[None])
    assume(geometry != "sphere" or jumps.max() < 19_900_000.0)  # antipodes have many ways
    assert_same_walk(trace, alpha_m)


@both
@pytest.mark.parametrize("alpha_m", [50.0, 100.0, 200.0, 500.0])
def test_a_whole_day_is_smoothed_as_the_definition_says(geometry, alpha_m, make_day):
    assert assert_same_walk(make_day(geometry=geometry), alpha_m)


@both
def test_consecutive_points_are_alpha_apart(geometry):
    for trace in random_traces(5, 200, kinds=FILLED, geometry=geometry):
        alpha_m = reasonable(trace, 100.0)
        _, places = smoothed(trace, alpha_m)
        gaps = oracles.distance(geometry, places[1:], places[:-1])
        # A coordinate is exact to a few nanometres, and so is a difference of two.
        np.testing.assert_allclose(gaps, alpha_m, rtol=1e-9, atol=1e-7 * (geometry == "mercator"))


def test_points_stay_on_the_sphere_however_many_flights():
    rng = np.random.default_rng(4)
    lat, lon = np.degrees(np.arcsin(rng.uniform(-1, 1, 300))), rng.uniform(-180, 180, 300)
    time_us = np.arange(300) * 1_000_000
    alpha_m = 20_000.0
    _, *points = smooth(
        time_us, *SPHERE.to_points(lat, lon), alpha_m, SPHERE.chord(alpha_m), SPHERE.radius_m
    )
    assert len(points[0]) > 100_000
    np.testing.assert_allclose(np.linalg.norm(points, axis=0), SPHERE.radius_m, rtol=1e-10)


@both
def test_a_line_of_1050_m_leaves_nine_points(geometry, make_trace):
    unit = np.cos(np.radians(39.9)) if geometry == "mercator" else 1.0
    line = make_trace(np.linspace(0.0, 1050.0 * unit, 30), np.zeros(30), geometry=geometry)
    assert len(smoothed(line, 100.0)[0]) == 9
    line = make_trace(np.linspace(0.0, 1000.0 * unit, 30), np.zeros(30), geometry=geometry)
    assert len(smoothed(line, 100.0)[0]) in (8, 9)


@both
def test_a_trace_that_stays_within_alpha_leaves_nothing(geometry, make_trace):
    assert len(smoothed(make_trace(np.zeros(50), np.zeros(50), geometry=geometry), 1.0)[0]) == 0
    assert len(smoothed(make_trace([0, 99], [0, 0], geometry=geometry), 200.0)[0]) == 0


@pytest.mark.parametrize(("lat", "lon"), [(0.0, 0.0), (45.0, 10.0), (80.0, -50.0), (90.0, 0.0)])
def test_a_jump_to_the_antipodes_takes_some_great_circle(lat, lon):
    here = np.stack(SPHERE.to_points(np.array([lat]), np.array([lon])))
    points = np.hstack([here, -here])  # opposite to the last bit
    alpha_m = 10_007.0
    time_us, *places = smooth(
        np.array([0, 1]), *points, alpha_m, SPHERE.chord(alpha_m), SPHERE.radius_m
    )
    assert np.isfinite(places).all()
    np.testing.assert_allclose(np.linalg.norm(places, axis=0), SPHERE.radius_m, rtol=1e-12)
    assert len(time_us) == int(np.pi * SPHERE.radius_m / alpha_m) - 1


@both
def test_an_empty_trace_and_one_record_leave_nothing(geometry):
    for trace in random_traces(1, 4, kinds=("empty", "one"), geometry=geometry):
        time_us, places = smoothed(trace, 100.0)
        assert (time_us.dtype, places.shape) == (np.int64, (0, 3))


def test_an_alpha_beyond_the_half_circumference_leaves_nothing():
    (trace,) = random_traces(9, 1, kinds=("jumps",))
    assert len(smoothed(trace, 30_000_000.0)[0]) == 0


def test_emitted_points_carry_the_time_of_the_record_walked_to(make_trace):
    trace = make_trace([0, 250, 650], [0, 0, 0])
    time_us, _ = smoothed(trace, 100.0)
    assert (time_us - trace.time_us[0]).tolist() == [30_000_000] * 2 + [60_000_000] * 3


@given(st.lists(st.integers(0, 4 * 10**15), max_size=30).map(sorted))
def test_times_are_spread_evenly_between_the_first_and_the_last(times):
    time_us = np.array(times, np.int64)
    spread = spread_evenly(time_us)
    wanted = np.linspace(times[0], times[-1], len(times)) if len(times) > 2 else time_us
    np.testing.assert_allclose(spread, wanted, rtol=0, atol=3.0)
    assert (np.diff(spread) >= 0).all()
    assert spread[[0, -1]].tolist() == [times[0], times[-1]] if times else len(spread) == 0


def test_times_spread_the_authors_way_are_whole_milliseconds_rounded_up():
    time_us = np.array([0, 1, 2, 3, 4, 5, 10_000])
    wanted = np.ceil(np.arange(7) * (10 / 6)).astype(int) * 1000
    assert spread_evenly_ms(time_us).tolist() == wanted.tolist()
    assert spread_evenly_ms(time_us[:2]).tolist() == [0, 1]


@both
def test_the_oracle_of_the_whole_mechanism_spreads_the_same_times(geometry, make_walk):
    trace = make_walk(3000.0, geometry=geometry)
    time_us, _ = smoothed(trace, 90.0)
    wanted, _ = oracles.promesse(trace.time_us, oracles.rows(trace.points), 90.0, geometry)
    np.testing.assert_allclose(spread_evenly(time_us), wanted, rtol=0, atol=1.0)
