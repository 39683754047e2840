from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from alp.geo import GEOMETRIES, SPHERE, geometry_named
from alp.kernels.nearest import build_tree, nearest
from alp.kernels.segments import (
    build_segment_tree,
    nearest_segment_squares,
    neighbour_segment_squares,
    segment_square,
)
from strategies import KINDS, LOCAL_KINDS, random_trace, traces

both = pytest.mark.parametrize("geometry", list(GEOMETRIES))
MODES = ("segment_ref", "polyline")
PATHS = tuple(kind for kind in KINDS if kind not in ("empty", "one"))
NOTHING = np.empty(0, np.int64)


def lengths(real, queries, mode, geometry):
    """Return what the kernels measure from the query columns to the path of `real` columns."""
    g = geometry_named(geometry)
    if mode == "polyline":
        tree = build_segment_tree(g.radius_m, *real)
        return g.lengths(nearest_segment_squares(g.radius_m, *tree, *queries))
    _, vertices = nearest(*build_tree(*real), NOTHING, NOTHING, *queries)
    return g.lengths(neighbour_segment_squares(g.radius_m, *real, vertices, *queries))


def assert_same(real, queries, geometry, modes=MODES, atol=1e-6):
    for mode in modes:
        wanted = oracles.distortion(oracles.rows(real), oracles.rows(queries), mode, geometry)
        found = lengths(real, queries, mode, geometry)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=atol)


@both
def test_random_paths_are_as_far_as_the_definitions_say(geometry):
    rng = np.random.default_rng(31)
    for k in range(600):
        real = random_trace(rng, PATHS[k % len(PATHS)], geometry, size=20)
        if len(real) < 2:
            continue
        near = real.moved(*rng.normal(0, 150, (2, len(real))))
        assert_same(real.points, near.points, geometry)
        far = random_trace(rng, "jumps", geometry, size=8)
        assert_same(real.points, far.points, geometry)


@both
@given(data=st.data())
def test_any_local_path_is_as_far_as_the_definitions_say(geometry, data):
    real = data.draw(traces(kinds=LOCAL_KINDS, geometry=geometry))
    if len(real) > 1:
        noise = data.draw(st.integers(0, 2**32 - 1).map(np.random.default_rng))
        near = real.moved(*noise.normal(0, 100, (2, len(real))))
        assert_same(real.points, near.points, geometry)


@both
def test_a_whole_day_is_as_far_as_the_definitions_say(geometry, make_day):
    real = make_day(geometry=geometry)
    queries = real.moved(*np.random.default_rng(5).normal(0, 200, (2, len(real))))
    some = queries.select(slice(None, None, 20))
    assert_same(real.points, some.points, geometry)


@both
def test_the_vertices_of_a_path_are_on_it(geometry):
    rng = np.random.default_rng(6)
    for kind in PATHS:
        real = random_trace(rng, kind, geometry)
        if len(real) > 1:
            for mode in MODES:
                assert lengths(real.points, real.points, mode, geometry).max() < 1e-6


def test_the_previous_neighbour_wins_a_tie_of_neighbours():
    # The query is nearest to vertex 1, and √10 from both vertex 0 and vertex 2.
    path = (np.array([-3.0, 0.0, 1.0]), np.array([0.0, 2.0, -2.0]), np.zeros(3))
    query = (np.array([0.0]), np.array([1.0]), np.zeros(1))
    square = neighbour_segment_squares(0.0, *path, np.array([1]), *query)
    to_previous = segment_square(0.0, 0.0, 2.0, 0.0, -3.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    to_next = segment_square(0.0, 0.0, 2.0, 0.0, 1.0, -2.0, 0.0, 0.0, 1.0, 0.0)
    assert square[0] == to_previous != to_next


def test_lattice_paths_with_ties_and_repeated_vertices_follow_the_definition():
    rng = np.random.default_rng(7)
    for _ in range(100):
        path = (*rng.integers(0, 5, (2, 30)).astype(float), np.zeros(30))
        queries = (*rng.integers(0, 10, (2, 40)) / 2, np.zeros(40))
        assert_same(path, queries, "mercator", atol=1e-12)


def test_the_middle_of_a_long_arc_is_on_the_great_circle_and_not_on_the_chord():
    ends = SPHERE.to_points(np.array([60.0, 60.0]), np.array([0.0, 120.0]))
    a, b = oracles.rows(ends)
    top = oracles.step("sphere", a, b, oracles.distance("sphere", a, b) / 2)
    queries = tuple(top.reshape(3, 1))
    assert lengths(ends, queries, "polyline", "sphere")[0] < 1e-6
    parallel = SPHERE.to_points(np.array([60.0]), np.array([60.0]))
    assert lengths(ends, parallel, "polyline", "sphere")[0] > 1_000_000


def test_a_query_behind_the_earth_is_nearest_to_an_end():
    ends = SPHERE.to_points(np.array([0.0, 0.0]), np.array([-10.0, 10.0]))
    behind = SPHERE.to_points(np.array([0.0, 5.0]), np.array([180.0, 170.0]))
    assert_same(ends, behind, "sphere")


@both
def test_a_segment_without_length_is_a_point(geometry):
    real = geometry_named(geometry).to_points(np.full(3, 40.0), np.full(3, 7.0))
    queries = geometry_named(geometry).to_points(np.array([40.0, 40.01]), np.array([7.0, 7.01]))
    assert_same(real, queries, geometry)


def test_a_segment_of_a_millimetre_keeps_its_digits():
    degree = 1e-3 / 111_195.08
    ends = SPHERE.to_points(np.array([50.0, 50.0 + degree]), np.array([9.0, 9.0]))
    queries = SPHERE.to_points(np.full(3, 50.0 + degree / 2), np.array([9.0, 9.00001, 9.001]))
    assert_same(ends, queries, "sphere")


def test_antipodal_ends_give_a_finite_distance():
    ends = SPHERE.to_points(np.array([0.0, 0.0]), np.array([0.0, -180.0]))
    queries = SPHERE.to_points(np.array([90.0, 0.0]), np.array([0.0, 90.0]))
    found = lengths(ends, queries, "polyline", "sphere")
    assert np.isfinite(found).all()
    assert (found <= np.pi / 2 * SPHERE.radius_m + 1e-6).all()
