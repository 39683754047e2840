from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from alp.errors import ParameterError
from alp.geo import GEOMETRIES
from alp.metrics.area_coverage import AreaCoverage
from alp.trace import Trace
from strategies import KINDS, traces

LEVELS = (0, 1, 8, 13, 15, 16, 20, 30)
both = pytest.mark.parametrize("geometry", list(GEOMETRIES))


def value(real, protected, level=15, literal=False):
    return AreaCoverage(level=level, literal=literal).evaluate(real, protected)


def places(trace):
    return trace.lat, trace.lon


def cells(trace, level):
    return {oracles.s2_cell(lat, lon, level) for lat, lon in zip(*places(trace), strict=True)}


def assert_as_defined(real, protected, level):
    """Compare both readings with the plain definition; counts are small, so values are exact."""
    assert value(real, protected, level) == oracles.coverage(places(real), places(protected), level)
    if len(real) + len(protected):
        common = len(cells(real, level) & cells(protected, level))
        literal = 2 * common / (len(real) + len(protected))
        assert value(real, protected, level, literal=True) == literal


@both
@pytest.mark.parametrize("level", LEVELS)
def test_random_traces_have_the_coverage_of_the_definition(level, geometry, pairs):
    # The plane has no poles: it ends some metres before them.
    kinds = tuple(kind for kind in KINDS if geometry == "sphere" or kind != "poles")
    for real, protected in pairs(61 + level, 50, geometry, kinds):
        assert_as_defined(real, protected, level)


@settings(max_examples=60)
@given(real=traces(), protected=traces(), level=st.sampled_from(LEVELS), turn=st.floats(0.1, 0.9))
def test_any_traces_have_the_coverage_of_the_definition(real, protected, level, turn):
    # Whole degrees lie on the edges of faces, where rounding may decide: turn them away.
    turned = [
        Trace("u", t.time_us, np.clip(t.lat * 0.97 + turn / 7, -90, 90), t.lon + turn)
        for t in (real, protected)
    ]
    assert_as_defined(*turned, level)


@pytest.mark.geolife
def test_real_days_have_the_coverage_of_the_definition(real_days):
    for real, protected in real_days:
        assert_as_defined(real, protected.select(slice(0, 300)), 15)


def test_the_same_cells_cover_everything_and_others_nothing(day, make_day):
    away = make_day(origin=(48.85, 2.35))
    assert value(day, day) == 1.0
    assert value(day, away) == 0.0


def test_it_is_symmetric(pairs):
    for real, protected in pairs(62, 100):
        assert value(real, protected) == value(protected, real)


def test_records_that_come_again_do_not_matter(day):
    again = Trace("u", np.arange(2 * len(day)), np.tile(day.lat, 2), np.tile(day.lon, 2))
    assert value(day, again) == value(again, day) == 1.0


def test_to_keep_half_of_the_cells_covers_two_thirds():
    lon = np.arange(8) * 0.1
    real = Trace("u", np.arange(8), np.full(8, 10.0), lon)
    assert value(real, real.select(slice(0, 4))) == pytest.approx(2 / 3, rel=1e-15)


def test_an_empty_side_covers_nothing_and_two_are_undefined(day):
    empty = day.select(slice(0))
    assert value(day, empty) == 0.0
    assert value(empty, day) == 0.0
    assert value(empty, empty) is None
    assert value(empty, empty, literal=True) is None


def test_printed_literally_a_day_at_home_is_hardly_covered_by_itself(stay):
    assert value(stay, stay, literal=True) == len(cells(stay, 15)) / len(stay)


def test_coarser_cells_cover_no_less_of_a_trace_with_noise(day, make_day):
    noisy = make_day(seed=8, jitter_m=150.0)
    assert value(day, noisy, 9) > value(day, noisy, 15) > value(day, noisy, 20)


@pytest.mark.parametrize("level", [-1, 31, 15.5, "fine"])
def test_a_level_that_s2_does_not_have_is_refused(level):
    with pytest.raises(ParameterError, match="level of area-coverage must be"):
        AreaCoverage(level=level)
