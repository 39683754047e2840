from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from alp.geo import GEOMETRIES
from alp.metrics.spatial_distortion import SpatialDistortion
from alp.trace import Trace
from strategies import LOCAL_KINDS, traces

MODES = ("vertex", "segment_ref", "polyline")
STATISTICS = {
    "mean": np.mean,
    "median": np.median,
    "p95": lambda distances: np.quantile(distances, 0.95),
    "max": np.max,
}
both = pytest.mark.parametrize("geometry", list(GEOMETRIES))
every_mode = pytest.mark.parametrize("mode", MODES)


def value(real, protected, mode="vertex", statistic="mean"):
    return SpatialDistortion(mode=mode, statistic=statistic).evaluate(real, protected)


def assert_as_defined(real, protected):
    """Compare every mode and statistic with the plain reading of its definition."""
    if not len(real) or not len(protected):
        assert value(real, protected) is None
        return
    places = oracles.rows(real.points), oracles.rows(protected.points)
    for mode in MODES:
        distances = oracles.distortion(*places, mode, real.geometry)
        for statistic, of in STATISTICS.items():
            found = value(real, protected, mode, statistic)
            # Columns in metres from the Earth's centre hold a distance to some nanometres.
            assert found == pytest.approx(of(distances), rel=1e-9, abs=1e-8), (mode, statistic)


@both
def test_random_traces_have_the_distortion_of_the_definition(geometry, pairs):
    for real, protected in pairs(51, 300, geometry, size=20):
        assert_as_defined(real, protected)


@both
@settings(max_examples=50)
@given(data=st.data())
def test_any_traces_have_the_distortion_of_the_definition(geometry, data):
    kinds = ("empty", "one", *LOCAL_KINDS, "jumps")
    real, protected = (data.draw(traces(kinds, geometry, 10)) for _ in range(2))
    assert_as_defined(real, protected)


@pytest.mark.geolife
def test_real_days_have_the_distortion_of_the_definition(real_days):
    rng = np.random.default_rng(1)
    for real, protected in real_days:
        some = np.sort(rng.choice(len(protected), min(len(protected), 25), replace=False))
        assert_as_defined(real, protected.select(some))


def test_the_whole_path_is_nearer_than_one_segment_and_that_than_the_records(pairs):
    for real, protected in pairs(52, 200):
        if len(real) and len(protected):
            for statistic in STATISTICS:
                near, middle, far = (
                    value(real, protected, mode, statistic) for mode in reversed(MODES)
                )
                assert near <= middle + 1e-8
                assert middle <= far + 1e-8


@every_mode
def test_it_is_undefined_where_a_trace_is_empty(mode, day):
    empty = day.select(slice(0))
    assert value(day, empty, mode) is None
    assert value(empty, day, mode) is None
    assert value(empty, empty, mode) is None


@every_mode
def test_a_single_record_is_as_far_as_it_is(mode, make_trace):
    here, there = make_trace([0.0], [0.0]), make_trace([0.0], [1234.5])
    assert value(here, there, mode) == pytest.approx(1234.5, rel=1e-8)


@every_mode
def test_a_place_beside_the_middle_of_a_segment(mode, make_trace):
    real, aside = make_trace([0.0, 0.0], [0.0, 1000.0]), make_trace([30.0], [500.0])
    expected_m = np.hypot(30.0, 500.0) if mode == "vertex" else 30.0
    assert value(real, aside, mode) == pytest.approx(expected_m, rel=1e-4)


def test_the_times_of_records_do_not_matter(day):
    moved = Trace("u", day.time_us + 10**12, day.lat, day.lon)
    order = np.random.default_rng(0).permutation(len(day))
    mixed = Trace("u", day.time_us, day.lat[order], day.lon[order])
    aside = Trace("u", day.time_us, day.lat + 1e-3, day.lon)
    assert value(moved, aside) == value(day, aside) == value(mixed, aside)


def test_records_that_come_twice_in_the_real_trace_do_not_matter(day):
    twice = Trace("u", np.arange(2 * len(day)), np.tile(day.lat, 2), np.tile(day.lon, 2))
    aside = Trace("u", day.time_us, day.lat + 1e-3, day.lon)
    assert value(twice, aside) == value(day, aside)


def test_deleted_records_are_not_noticed(day):
    assert value(day, day.select(slice(0, None, 7))) == 0.0


def test_it_is_not_symmetric(make_trace):
    near, far = make_trace([0.0], [0.0]), make_trace([0.0, 0.0], [0.0, 900.0])
    assert value(far, near) == 0.0
    assert value(near, far) == pytest.approx(450.0, rel=1e-6)


@every_mode
def test_the_seam_at_180_degrees_is_no_edge(mode):
    real = Trace("u", [0, 1], [0.0, 0.0], [179.999, -179.999])
    assert value(real, Trace("u", [0], [0.0], [-180.0]), mode) == pytest.approx(
        111.195 if mode == "vertex" else 0.0, abs=1e-3
    )


def test_in_the_authors_plane_metres_are_longer_than_on_the_ground():
    places = ([60.0], [10.0]), ([60.0], [10.01])
    ground, plane = (
        value(*(Trace("u", [0], *place, geometry=g) for place in places)) for g in GEOMETRIES
    )
    assert plane / ground == pytest.approx(2.0, rel=1e-3)
