from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from alp.geo import GEOMETRIES, geometry_named
from alp.kernels.stays import find_stays, window_centroids
from strategies import random_traces, traces

QUARTER_US = 900_000_000
both = pytest.mark.parametrize("geometry", list(GEOMETRIES))


def windows_of(trace, diameter_m=200.0, stay_us=QUARTER_US):
    chord = trace.geometry.chord(diameter_m)
    return [tuple(w) for w in find_stays(trace.time_us, *trace.points, chord, stay_us).tolist()]


def expected(trace, diameter_m=200.0, stay_us=QUARTER_US):
    places = oracles.rows(trace.points)
    return oracles.stays(trace.time_us, places, diameter_m, stay_us, trace.geometry)


def plane(time_s, x, y=None):
    """Return kernel arguments for places in the plane, in exact units."""
    x = np.asarray(x, float)
    y = np.zeros_like(x) if y is None else np.asarray(y, float)
    return np.asarray(time_s, np.int64) * 1_000_000, x, y, np.zeros_like(x), 200.0, QUARTER_US


@both
def test_two_thousand_random_traces_have_the_stays_of_the_naive_rule(geometry):
    for trace in random_traces(11, 2000, geometry=geometry):
        assert windows_of(trace) == expected(trace)


@both
@given(data=st.data())
def test_any_trace_has_the_stays_of_the_naive_rule(geometry, data):
    trace = data.draw(traces(geometry=geometry))
    diameter_m = data.draw(st.sampled_from([20.7, 100.3, 200.1, 1000.9]))
    stay_us = data.draw(st.sampled_from([0, 60_000_000, QUARTER_US]))
    assert windows_of(trace, diameter_m, stay_us) == expected(trace, diameter_m, stay_us)


@both
def test_a_whole_day_has_the_stays_of_the_naive_rule(geometry, make_day):
    trace = make_day(geometry=geometry)
    assert windows_of(trace) == expected(trace)
    assert len(windows_of(trace)) >= 3


def test_a_stay_of_15_minutes_counts_and_one_second_less_does_not():
    assert find_stays(*plane([0, 600, 900], [0, 1, 2])).tolist() == [[0, 3]]
    assert len(find_stays(*plane([0, 600, 899], [0, 1, 2]))) == 0


def test_a_record_exactly_at_the_diameter_is_inside():
    assert find_stays(*plane([0, 900], [0, 200])).tolist() == [[0, 2]]
    assert find_stays(*plane([0, 900], [0, 120], [0, 160])).tolist() == [[0, 2]]
    assert len(find_stays(*plane([0, 900], [0, np.nextafter(200, 300)]))) == 0


def test_two_records_hours_apart_in_one_place_are_a_stay_and_one_record_is_none():
    assert find_stays(*plane([0, 18_000], [5, 5])).tolist() == [[0, 2]]
    assert len(find_stays(*plane([0], [5]))) == 0
    assert len(find_stays(*plane([], []))) == 0


def test_without_a_minimum_a_stay_still_needs_two_records():
    far_apart = plane([0, 1, 2], [0, 1000, 2000])
    assert len(find_stays(*far_apart[:5], 0)) == 0


def test_a_steady_ride_has_no_stay():
    time_s = np.arange(0, 7200, 30)
    assert len(find_stays(*plane(time_s, 5.0 * time_s))) == 0


def test_a_stay_ends_where_the_next_begins():
    time_s = np.arange(0, 3600, 60)
    x = np.where(time_s < 1800, 0.0, 500.0)
    assert find_stays(*plane(time_s, x)).tolist() == [[0, 30], [30, 60]]


def test_more_stays_than_the_first_room_holds_are_all_found():
    time_s = np.arange(100) * 900
    x = np.repeat(np.arange(50) * 1000.0, 2)
    assert find_stays(*plane(time_s, x)).tolist() == [[2 * k, 2 * k + 2] for k in range(50)]


@both
def test_an_hour_at_home_is_one_stay_at_its_mean(geometry, make_stay):
    trace = make_stay(geometry=geometry)
    assert windows_of(trace) == [(0, len(trace))]
    where = window_centroids(np.array([[0, len(trace)]]), *trace.points, trace.geometry.radius_m)
    mean = oracles.centroid(geometry, oracles.rows(trace.points))
    assert oracles.distance(geometry, oracles.rows(where)[0], mean) < 1e-6


@both
def test_centroids_are_the_means_of_their_windows(geometry):
    radius_m = geometry_named(geometry).radius_m
    for trace in random_traces(3, 200, kinds=("stays", "antimeridian", "poles"), geometry=geometry):
        windows = np.array([[0, len(trace)], [0, 1], [len(trace) // 2, len(trace)]])
        found = oracles.rows(window_centroids(windows, *trace.points, radius_m))
        places = oracles.rows(trace.points)
        for (start, end), centre in zip(windows, found, strict=True):
            wanted = oracles.centroid(geometry, places[start:end])
            np.testing.assert_allclose(centre, wanted, rtol=1e-9, atol=1e-6)


def test_a_centroid_at_the_centre_of_the_earth_is_left_there():
    x = np.array([6_371_008.8, -6_371_008.8])
    zero = np.zeros(2)
    where = window_centroids(np.array([[0, 2]]), x, zero, zero, 6_371_008.8)
    assert np.isfinite(where).all()
