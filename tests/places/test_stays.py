from __future__ import annotations

import numpy as np
import pytest

import oracles
from alp.geo import GEOMETRIES
from alp.places import find_pois
from alp.trace import Trace
from strategies import START_US, random_traces

both = pytest.mark.parametrize("geometry", list(GEOMETRIES))


@both
def test_pois_are_the_stays_of_the_naive_rule_with_their_centres_and_times(geometry):
    found = 0
    for trace in random_traces(81, 300, geometry=geometry):
        places = oracles.rows(trace.points)
        windows = oracles.stays(trace.time_us, places, 150.3, 300e6, geometry)
        pois = find_pois(trace, 150.3, 300.0)
        assert [tuple(window) for window in pois.windows.tolist()] == windows
        for k, (start, end) in enumerate(windows):
            centre = oracles.centroid(geometry, places[start:end])
            np.testing.assert_allclose(oracles.rows(pois.points)[k], centre, atol=1e-6)
            assert pois.sizes[k] == end - start
            assert pois.first_us[k] == trace.time_us[start]
            assert pois.last_us[k] == trace.time_us[end - 1]
            assert pois.dwell_s[k] == pytest.approx(np.ptp(trace.time_us[start:end]) / 1e6)
        found += len(pois)
    assert found > 100


@both
def test_an_hour_at_home_is_one_poi_at_home(geometry, make_stay):
    pois = find_pois(make_stay(geometry=geometry))
    assert len(pois) == 1
    lat, lon = pois.degrees()
    assert oracles.haversine(lat[0], lon[0], 39.9, 116.4) < 3
    assert pois.dwell_s.tolist() == [3600.0]


@both
def test_a_day_has_its_three_stays_at_two_places(geometry, make_day):
    lat, lon = find_pois(make_day(geometry=geometry)).degrees()
    apart_m = oracles.haversine(lat[0], lon[0], lat, lon)
    assert [round(metres, -3) for metres in apart_m] == [0, 7000, 0]


@pytest.mark.parametrize(("seconds", "count"), [(899, 0), (899.999999, 0), (900, 1)])
def test_a_stay_takes_fifteen_minutes_to_be_a_poi(seconds, count):
    end_us = START_US + round(seconds * 1e6)
    assert len(find_pois(Trace("u", [START_US, end_us], [1.0, 1.0], [2.0, 2.0]))) == count


def test_a_gap_in_the_records_counts_as_presence():
    trace = Trace("u", [0, 5 * 3600 * 10**6], [1.0, 1.0], [2.0, 2.0])
    assert find_pois(trace).sizes.tolist() == [2]


def test_no_record_and_one_record_have_no_poi():
    for n in (0, 1):
        pois = find_pois(Trace("u", np.zeros(n, int), np.zeros(n), np.zeros(n)), 200.0, 0.0)
        assert len(pois) == 0
        assert all(len(column) == 0 for column in (*pois.points, pois.dwell_s, *pois.degrees()))


def test_a_stay_across_the_seam_has_its_centre_there():
    time_us = START_US + np.arange(4) * 600_000_000
    trace = Trace("u", time_us, np.zeros(4), [179.9995, -179.9995, 179.9995, -179.9995])
    _, lon = find_pois(trace).degrees()
    assert abs(lon[0]) == pytest.approx(180.0, abs=1e-9)


def test_reversing_time_keeps_the_number_of_isolated_stays(day):
    back = Trace("u", -day.time_us, day.lat, day.lon)
    assert len(find_pois(back)) == len(find_pois(day))
