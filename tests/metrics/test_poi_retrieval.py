from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from alp.errors import AlpError
from alp.geo import GEOMETRIES
from alp.metrics.poi_retrieval import PoiRetrieval
from alp.trace import Trace
from strategies import LOCAL_KINDS, START_US, traces

READINGS = ("literal", "accio", "symmetric", "matching")
both = pytest.mark.parametrize("geometry", list(GEOMETRIES))
# Odd lengths keep the whole metres of made-up traces away from ties.
SIZES = {"diameter": 150.3, "stay": 300.0, "threshold": 120.7}


def pois(trace, diameter, stay):
    """Return the stays of the naive rule: centres, first and last times."""
    rows = oracles.rows(trace.points)
    windows = oracles.stays(trace.time_us, rows, diameter, stay * 1e6, trace.geometry)
    centres = [oracles.centroid(trace.geometry, rows[start:end]) for start, end in windows]
    times = [(trace.time_us[start], trace.time_us[end - 1]) for start, end in windows]
    return np.array(centres).reshape(-1, 3), np.array(times, np.int64).reshape(-1, 2)


def assert_as_defined(real, protected, diameter, stay, threshold):
    """Compare the four readings with their definitions; return how many POIs were compared."""
    (centres, _), (found, _) = pois(real, diameter, stay), pois(protected, diameter, stay)
    values = {}
    for reading in READINGS:
        metric = PoiRetrieval(reading=reading, diameter=diameter, stay=stay, threshold=threshold)
        wanted = oracles.retrieval(reading, centres, found, threshold, real.geometry)
        values[reading] = metric.evaluate(real, protected)
        assert values[reading] == pytest.approx(wanted, rel=1e-12), reading
    assert_in_order(values)
    return len(centres) * len(found)


def assert_in_order(values):
    assert values["accio"] <= values["matching"] + 1e-12
    assert values["matching"] <= values["symmetric"] + 1e-12
    assert values["symmetric"] <= 1
    assert values["matching"] <= values["literal"] < 2


def stops(*places, minutes=20, gap_m=0.0, geometry="sphere"):
    """Return a trace that stops at each place, metres east, and jumps to the next."""
    east = np.repeat(np.asarray(places, float), 2) + gap_m
    time_us = START_US + np.arange(len(east)) * minutes * 60_000_000
    return Trace("u", time_us, np.zeros(len(east)), east / 111_195.08, geometry=geometry)


def scores(real, protected, **options):
    return {r: PoiRetrieval(reading=r, **options).evaluate(real, protected) for r in READINGS}


# — against the definitions —


@both
def test_random_traces_have_the_four_readings_of_the_definition(geometry, pairs):
    kinds = ("stays", "walk", "one_place", "antimeridian", "empty", "stays", "poles", "mixture")
    compared = sum(
        assert_as_defined(real, protected, **SIZES)
        for real, protected in pairs(71, 400, geometry, kinds, size=60)
    )
    assert compared > 300


@both
@settings(max_examples=60)
@given(data=st.data())
def test_any_traces_have_the_four_readings_of_the_definition(geometry, data):
    kinds = ("empty", "one", *LOCAL_KINDS)
    real, protected = (data.draw(traces(kinds, geometry)) for _ in range(2))
    assert_as_defined(real, protected, **SIZES)


@pytest.mark.geolife
def test_real_days_have_the_four_readings_of_the_definition(real_days):
    compared = sum(assert_as_defined(*pair, 200.0, 900.0, 100.0) for pair in real_days)
    assert compared > 300


@both
def test_with_overlap_a_retrieved_place_must_be_visited_at_the_same_time(geometry, pairs):
    compared = 0
    for real, protected in pairs(72, 300, geometry, ("stays", "one_place"), size=60):
        (p, when), (q, then) = pois(real, 150.3, 300.0), pois(protected, 150.3, 300.0)
        if not len(p) or not len(q):
            continue
        apart = np.array([[float(oracles.distance(geometry, a, b)) for a in p] for b in q])
        together = (then[:, :1] <= when[:, 1]) & (when[:, 0] <= then[:, 1:])
        # Apart in time is as good as apart in space: the oracle of one serves the other.
        apart = np.where(together, apart, np.inf)
        found = scores(real, protected, overlap=True, **SIZES)
        near = apart <= SIZES["threshold"]
        named = {
            int(np.argmin(row)) for row, hit in zip(apart, near.any(axis=1), strict=True) if hit
        }
        both_sizes = len(p) + len(q)
        assert found["literal"] == pytest.approx(2 * near.any(axis=1).sum() / both_sizes)
        assert found["accio"] == pytest.approx(2 * len(named) / both_sizes)
        assert found["matching"] == pytest.approx(2 * oracles._matching(near) / both_sizes)
        assert_in_order(found)
        compared += 1
    assert compared > 50


# — the examples of the specification —


def test_one_place_found_in_three_pieces():
    real, pieces = stops(0.0), stops(0.0, 90.0, -90.0)
    options = {"diameter": 80.0, "threshold": 100.0}
    wanted = {"literal": 1.5, "accio": 0.5, "symmetric": 1.0, "matching": 0.5}
    assert scores(real, pieces, **options) == wanted


def test_the_same_places_are_retrieved_whole():
    trace = stops(0.0, 1000.0, 5000.0)
    assert set(scores(trace, trace).values()) == {1.0}


def test_a_far_place_lowers_precision_and_not_recall():
    real, found, more = stops(0.0), stops(10.0), stops(10.0, 5000.0)
    for protected, precision in ((found, 1.0), (more, 0.5)):
        assert PoiRetrieval(score="precision").evaluate(real, protected) == precision
        assert PoiRetrieval(score="recall").evaluate(real, protected) == 1.0


def test_literal_approaches_two_as_pieces_grow_in_number():
    real, pieces = stops(0.0), stops(*([0.0, 300.0] * 40))
    near_only = PoiRetrieval(reading="literal", threshold=400.0)
    assert 1.95 < near_only.evaluate(real, pieces) < 2


def test_nothing_to_hide_and_nothing_found_are_both_zero(walk):
    home, empty = stops(0.0), stops(0.0).select(slice(0))
    for real, protected in ((walk, home), (home, walk), (home, empty), (empty, home)):
        assert set(scores(real, protected).values()) == {0.0}


def test_a_place_counts_within_half_the_diameter_unless_a_threshold_is_given():
    real = stops(0.0)
    assert PoiRetrieval().evaluate(real, stops(99.9)) == 1.0
    assert PoiRetrieval().evaluate(real, stops(100.1)) == 0.0
    assert PoiRetrieval(diameter=300.0).evaluate(real, stops(149.0)) == 1.0
    assert PoiRetrieval(threshold=10.0).evaluate(real, stops(11.0)) == 0.0
    assert PoiRetrieval(threshold=0.0).evaluate(real, real) == 1.0


def test_overlap_takes_the_nearest_of_the_places_visited_at_the_same_time():
    """Of two real places near a retrieved one, the nearest was visited at another time."""
    real = stops(0.0, 80.0, 5000.0, 79.0)
    late = stops(70.0, 95.0)
    shift_us = real.time_us[6] - late.time_us[0]
    late = Trace("u", late.time_us + shift_us, late.lat, late.lon)
    options = {"diameter": 20.0, "threshold": 100.0, "reading": "accio", "overlap": True}
    assert PoiRetrieval(**options).evaluate(real, late) == pytest.approx(2 * 1 / 6)


def test_touching_in_time_is_an_overlap_and_a_microsecond_later_is_none():
    real, metric = stops(0.0), PoiRetrieval(overlap=True)
    for gap_us, wanted in ((0, 1.0), (1, 0.0)):
        start_us = real.time_us[-1] - real.time_us[0] + gap_us
        later = Trace("u", real.time_us + start_us, real.lat, real.lon)
        assert metric.evaluate(real, later) == wanted


# — other scores —


def test_dwell_is_the_share_of_time_that_is_exposed():
    time_us = START_US + np.array([0, 60, 90, 120]) * 60_000_000
    real = Trace("u", time_us, [0, 0, 1, 1], [0, 0, 0, 0])
    at_home, away = stops(0.0), Trace("u", time_us, [1, 1, 2, 2], [0, 0, 0, 0])
    for protected, dwell, longest in ((at_home, 2 / 3, 1.0), (away, 1 / 3, 0.0)):
        assert PoiRetrieval(score="dwell").evaluate(real, protected) == pytest.approx(dwell)
        assert PoiRetrieval(score="longest").evaluate(real, protected) == longest


def test_scores_without_durations_count_places():
    real = Trace("u", [0, 0, 9, 9], [0, 1e-5, 1, 1.00001], [0, 0, 0, 0])
    found = Trace("u", [0, 0], [0, 1e-5], [0, 0])
    assert PoiRetrieval(stay=0.0, score="dwell").evaluate(real, found) == 0.5


@pytest.mark.parametrize("score", ["f", "precision", "recall", "dwell", "longest"])
def test_every_score_of_a_day_with_itself_is_one(score, day):
    assert PoiRetrieval(score=score).evaluate(day, day) == 1.0


@pytest.mark.parametrize("reading", READINGS)
def test_f_is_the_harmonic_mean_of_precision_and_recall(reading, pairs):
    for real, protected in pairs(73, 60, kinds=("stays",), size=60):
        f, precision, recall = (
            PoiRetrieval(reading=reading, score=score, **SIZES).evaluate(real, protected)
            for score in ("f", "precision", "recall")
        )
        mean = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        assert f == pytest.approx(mean, rel=1e-12)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"reading": "litteral"}, "did you mean 'literal'"),
        ({"score": "f1"}, "known: dwell, f, longest"),
        ({"diameter": 0}, "diameter of poi-retrieval must be a number above 0 m, but 0 was given"),
        ({"stay": -1}, "stay of poi-retrieval must be a number of at least 0 s, but -1"),
        ({"threshold": -5.0}, "threshold of poi-retrieval"),
        ({"diameter": None}, "must be a number, but None was given"),
        ({"overlap": "no"}, "must be true or false, but 'no' was given"),
    ],
)
def test_options_without_meaning_are_refused(options, words):
    with pytest.raises(AlpError, match=words):
        PoiRetrieval(**options)
