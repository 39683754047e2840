from __future__ import annotations

import numpy as np
import pytest

import oracles
from alp.geo import GEOMETRIES
from alp.geo.index import PathIndex
from strategies import KINDS, random_trace

both = pytest.mark.parametrize("geometry", list(GEOMETRIES))
MODES = ("vertex", "segment_ref", "polyline")
FILLED = tuple(kind for kind in KINDS if kind != "empty")


def index_of(trace):
    return PathIndex(trace.points, trace.geometry)


@both
@pytest.mark.parametrize("mode", MODES)
def test_distances_are_those_of_the_definition(geometry, mode):
    rng = np.random.default_rng(71)
    for k in range(100):
        real = random_trace(rng, FILLED[k % len(FILLED)], geometry)
        queries = real.moved(*rng.normal(0, 150, (2, len(real)))).select(slice(0, 20))
        wanted = oracles.distortion(
            oracles.rows(real.points), oracles.rows(queries.points), mode, geometry
        )
        found = index_of(real).distances(queries.points, mode)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-6)


@both
def test_a_finer_reading_of_the_path_is_never_farther(geometry):
    rng = np.random.default_rng(72)
    for k in range(400):
        real = random_trace(rng, FILLED[k % len(FILLED)], geometry)
        queries = random_trace(rng, FILLED[k // 3 % len(FILLED)], geometry)
        if k % 2:
            queries = real.moved(*rng.normal(0, 100, (2, len(real))))
        vertex, segment, polyline = (index_of(real).distances(queries.points, m) for m in MODES)
        nearly = 1e-9 * (1.0 + vertex)
        assert (segment <= vertex + nearly).all()
        assert (polyline <= segment + nearly).all()


@both
@pytest.mark.parametrize("mode", MODES)
def test_a_path_is_no_distance_from_itself(geometry, mode, make_day):
    day = make_day(geometry=geometry)
    assert index_of(day).distances(day.points, mode).max() < 1e-6


@both
def test_repeating_the_records_of_a_path_changes_no_vertex_distance(geometry, make_walk):
    real = make_walk(geometry=geometry)
    queries = real.moved(np.full(len(real), 30.0), np.full(len(real), -70.0))
    twice = real.select(np.repeat(np.arange(len(real)), 2))
    found = index_of(twice).distances(queries.points)
    np.testing.assert_array_equal(found, index_of(real).distances(queries.points))


@both
@pytest.mark.parametrize("mode", MODES)
def test_a_path_of_one_record_is_a_point(geometry, mode, make_trace):
    one = make_trace([0.0], [0.0], geometry=geometry)
    queries = one.moved(np.array([30.0]), np.array([40.0]))
    assert index_of(one).distances(queries.points, mode)[0] == pytest.approx(50.0, rel=1e-9)


def test_as_many_queries_as_records_find_the_same_neighbours_as_fewer(day):
    noisy = day.moved(*np.random.default_rng(3).normal(0, 300, (2, len(day))))
    squares, indices = index_of(day).nearest(noisy.points)
    fewer = noisy.select(slice(None, None, 7))
    some_squares, some_indices = index_of(day).nearest(fewer.points)
    np.testing.assert_array_equal(squares[::7], some_squares)
    np.testing.assert_array_equal(indices[::7], some_indices)


@pytest.mark.parametrize("mode", MODES)
def test_no_queries_have_no_distances(mode, walk, make_trace):
    assert index_of(walk).distances(make_trace([], []).points, mode).shape == (0,)
    assert len(index_of(walk)) == len(walk)


def test_a_large_path_gives_the_same_answers_as_a_small_one(monkeypatch, make_day):
    day = make_day()
    index = PathIndex(day.points, day.geometry)
    queries = day.moved(np.linspace(-500, 500, len(day)), np.linspace(300, -300, len(day))).points
    small = index.nearest(queries)
    monkeypatch.setattr("alp.geo.index.LARGE", 0)
    for one, other in zip(small, index.nearest(queries), strict=True):
        np.testing.assert_array_equal(one, other)


def test_what_was_asked_before_does_not_change_an_answer(make_day):
    day, rng = make_day(), np.random.default_rng(5)
    east, north = rng.normal(0, 1, (2, len(day)))
    experienced = PathIndex(day.points, day.geometry)
    for scale in (1.0, 300.0, 250.0, 20.0, 0.0, 5000.0, 280.0):
        queries = day.moved(scale * east, scale * north).points
        fresh = PathIndex(day.points, day.geometry).nearest(queries)
        for one, other in zip(experienced.nearest(queries), fresh, strict=True):
            np.testing.assert_array_equal(one, other)
