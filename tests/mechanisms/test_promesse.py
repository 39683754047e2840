from __future__ import annotations

import csv
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from alp.errors import AlpError, ParameterError
from alp.geo import GEOMETRIES
from alp.mechanisms.promesse import Promesse
from alp.metrics import metric_named
from alp.places import find_pois
from alp.trace import Trace
from strategies import KINDS, random_traces, traces

GOLDEN = Path(__file__).parents[3] / "shared" / "design" / "golden_day.csv"
LOCAL = {
    "sphere": tuple(kind for kind in KINDS if kind not in ("jumps", "mixture")),
    # The plane has edges: across them, a step of some metres goes round the world.
    "mercator": ("empty", "one", "equal_times", "one_place", "walk", "stays"),
}
both = pytest.mark.parametrize("geometry", list(GEOMETRIES))


def smoothed(trace, alpha):
    return Promesse(alpha=alpha).protect(trace, np.random.default_rng(0))


def spacing(trace):
    places = oracles.rows(trace.points)
    return oracles.distance(trace.geometry, places[1:], places[:-1])


# — places —


@both
def test_random_traces_come_out_as_the_naive_walk_says(geometry):
    compared = 0
    for trace in random_traces(21, 300, kinds=LOCAL[geometry], geometry=geometry):
        places = oracles.rows(trace.points)
        if len(trace) and oracles.walk(trace.time_us, places, 50.3, geometry)[2] < 1e-9:
            continue  # a tie that rounding decides
        time_us, wanted = oracles.promesse(trace.time_us, places, 50.3, geometry)
        found = smoothed(trace, 50.3)
        assert len(found) == len(wanted)
        if len(found):
            np.testing.assert_allclose(oracles.rows(found.points), wanted, atol=1e-5)
            np.testing.assert_allclose(found.time_us, time_us, atol=1000.0)
        compared += len(found)
    assert compared > 1000


@both
def test_neighbours_are_alpha_apart(geometry):
    for trace in random_traces(22, 200, kinds=LOCAL[geometry], geometry=geometry):
        apart = spacing(smoothed(trace, 40.0))
        np.testing.assert_allclose(apart, 40.0, rtol=1e-9, atol=1e-8)


def test_neighbours_are_alpha_apart_round_the_world():
    for trace in random_traces(23, 20, kinds=("jumps",), size=6):
        np.testing.assert_allclose(spacing(smoothed(trace, 50_000.0)), 50_000.0, rtol=1e-9)


@pytest.mark.parametrize(
    ("length_m", "counts"), [(1050, {9}), (1000, {8, 9}), (299, {1}), (150, {0})]
)
def test_a_straight_way_gives_a_point_every_100_m_but_for_its_ends(make_walk, length_m, counts):
    assert len(smoothed(make_walk(length_m), 100.0)) in counts


def test_a_trace_that_stays_where_it_is_comes_out_empty(stay):
    for alpha in (50.0, 100.0, 500.0):
        assert len(smoothed(stay, alpha)) == 0


def test_alpha_zero_publishes_the_trace_as_it_is(day):
    assert smoothed(day, 0) == day
    assert smoothed(day, 0.0).same_records(day)


@both
def test_where_alpha_exceeds_the_diameter_no_stay_is_left_on_any_data(geometry, day):
    for alpha in (200.001, 300.0, 500.0):
        for trace in random_traces(24, 200, geometry=geometry, kinds=LOCAL[geometry], size=60):
            assert len(find_pois(smoothed(trace, alpha), 200.0, 0.0)) == 0
    assert len(find_pois(smoothed(day, 300.0))) == 0


@given(trace=traces(kinds=LOCAL["sphere"]), alpha=st.sampled_from([200.001, 250.0, 499.0]))
def test_no_stay_is_left_however_awkward_the_trace(trace, alpha):
    assert len(find_pois(smoothed(trace, alpha), 200.0, 0.0)) == 0
    assert metric_named("poi-retrieval").evaluate(trace, smoothed(trace, alpha)) == 0


def test_a_slow_walker_is_not_hidden_by_a_small_alpha(make_walk):
    slow, fast = make_walk(2000.0, speed=0.1), make_walk(2000.0, speed=1.0)
    assert len(find_pois(smoothed(slow, 20.0))) > 0
    assert len(find_pois(smoothed(fast, 20.0))) == 0


# — times —


def test_time_steps_are_equal_to_a_microsecond():
    for trace in random_traces(25, 200, kinds=LOCAL["sphere"]):
        steps = np.diff(smoothed(trace, 30.0).time_us)
        if len(steps) > 1:
            assert steps.max() - steps.min() <= 1
            assert steps.min() >= 0


def test_in_the_authors_plane_time_steps_are_equal_to_a_millisecond():
    for trace in random_traces(26, 200, kinds=LOCAL["mercator"], geometry="mercator"):
        time_us = smoothed(trace, 30.0).time_us
        if len(time_us) > 2:
            assert np.ptp(np.diff(time_us)) <= 1000
            assert not (time_us % 1000).any()


@both
def test_times_stay_within_the_span_of_the_trace(geometry):
    slack_us = 1000 if geometry == "mercator" else 0
    for trace in random_traces(27, 300, kinds=LOCAL[geometry], geometry=geometry):
        found = smoothed(trace, 25.0).time_us
        if len(found):
            assert found.min() >= trace.time_us[0] - slack_us
            assert found.max() <= trace.time_us[-1] + slack_us


def test_two_points_or_fewer_keep_the_times_of_their_records(make_walk):
    walk = make_walk(399.0)
    found = smoothed(walk, 100.0)
    assert len(found) == 2
    assert set(found.time_us) <= set(walk.time_us)


# — gaps and jumps —


@both
def test_parts_around_gaps_and_jumps_are_smoothed_apart(geometry):
    for trace in random_traces(28, 200, kinds=LOCAL[geometry], geometry=geometry, size=60):
        step_m = spacing(trace)
        apart = (np.diff(trace.time_us) > 600e6) | (step_m > 100.3)
        ends = [0, *(np.flatnonzero(apart) + 1), len(trace)]
        parts = [smoothed(trace.select(slice(*two)), 20.0) for two in pairwise(ends)]
        found = Promesse(alpha=20.0, gap=600.0, jump=100.3).protect(trace, None)
        wanted = np.concatenate([oracles.rows(part.points) for part in parts])
        np.testing.assert_array_equal(oracles.rows(found.points), wanted)


def test_times_never_go_back_where_parts_meet():
    for trace in random_traces(29, 300, LOCAL["mercator"], "mercator", 60):
        finer_us = trace.time_us + np.arange(len(trace)) // 3 * 333
        finer = Trace("u", finer_us, trace.lat, trace.lon, geometry="mercator")
        found = Promesse(alpha=20.0, jump=100.0).protect(finer, None)
        assert (np.diff(found.time_us) >= 0).all()


def test_more_records_than_anyone_could_want_are_refused():
    flight = Trace("u", [0, 1], [0.0, 0.0], [0.0, 90.0])
    with pytest.raises(AlpError, match=r"alpha=5 of promesse would make [\d,]+ records of 2"):
        smoothed(flight, 5.0)
    assert len(Promesse(alpha=5.0, jump=2000.0).protect(flight, None)) == 0


@pytest.mark.parametrize("option", ["gap", "jump"])
def test_a_gap_or_jump_without_meaning_is_refused(option):
    for value in (0, -1.0, float("nan"), "long"):
        with pytest.raises(ParameterError, match=f"{option} of promesse must be a number"):
            Promesse(**{option: value})


# — the rest —


def test_the_generator_is_left_alone(day):
    rng = np.random.default_rng(1)
    before = rng.bit_generator.state
    Promesse().protect(day, rng)
    assert rng.bit_generator.state == before


@pytest.mark.parametrize("alpha", [-1, 1e-9, float("inf"), float("nan"), "wide"])
def test_an_alpha_without_meaning_is_refused(alpha):
    with pytest.raises(ParameterError, match=r"alpha of promesse must be .* was given"):
        Promesse(alpha=alpha)


# — the authors' own numbers, computed by their published code —

ROWS = """
0 2880 39.9000652 116.4000756 1467331200000 1467417570000 1 1 0 0
50 426 39.9001532 116.4005107 1467360030000 1467400320000 0 0.974684 26.595303 1.728574
100 211 39.9002413 116.4009457 1467360030000 1467400290000 0 0.974026 28.173086 1.853094
200 104 39.9005486 116.4017615 1467360060000 1467400230000 0 0.917808 27.034278 3.247964
300 68 39.9007965 116.4026014 1467360090000 1467400170000 0 0.855072 27.734813 3.350237
500 39 39.9013544 116.4042495 1467360150000 1467400140001 0 0.666667 29.362334 2.733253
"""
POIS = """
962 39.9000015 116.4000016
411 39.9224951 116.4727244
111 39.9251691 116.4785435
527 39.9224993 116.4727323
99 39.9359829 116.4351931
577 39.9000015 116.3999996
"""


def table(text):
    return [[float(cell) for cell in line.split()] for line in text.split("\n") if line]


@pytest.fixture(scope="module")
def golden_day():
    """Return the authors' synthetic day in their geometry."""
    if not GOLDEN.is_file():
        pytest.skip(f"the golden day is not at {GOLDEN.name} beside the design notes")
    with GOLDEN.open() as file:
        rows = list(csv.DictReader(file))
    columns = {key: [row[key] for row in rows] for key in ("time", "lat", "lng")}
    time_us = np.array(columns["time"], np.int64) * 1000
    lat, lon = (np.array(columns[key], float) for key in ("lat", "lng"))
    return Trace("u", time_us, lat, lon, geometry="mercator")


@pytest.mark.golden
@pytest.mark.parametrize("row", table(ROWS), ids=lambda row: f"alpha {row[0]:g}")
def test_the_day_of_the_authors_comes_out_as_from_their_code(golden_day, row):
    alpha, records, lat, lon, first_ms, last_ms, *values = row
    found = smoothed(golden_day, alpha)
    assert len(found) == records
    assert (found.lat[0], found.lon[0]) == pytest.approx((lat, lon), abs=1e-7)
    assert (found.time_us[[0, -1]] // 1000).tolist() == [first_ms, last_ms]
    names = ("poi-retrieval", "area-coverage", "spatial-distortion")
    metrics = [*names, "spatial-distortion(mode=segment_ref)"]
    for name, value in zip(metrics, values, strict=True):
        assert metric_named(name).evaluate(golden_day, found) == pytest.approx(value, abs=1e-6)


@pytest.mark.golden
def test_the_day_of_the_authors_has_the_points_of_interest_of_their_code(golden_day):
    pois = find_pois(golden_day)
    sizes, lat, lon = np.array(table(POIS)).T
    assert pois.sizes.tolist() == sizes.tolist()
    np.testing.assert_allclose(pois.degrees(), [lat, lon], rtol=0, atol=1e-7)
