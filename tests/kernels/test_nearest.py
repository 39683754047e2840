from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from alp.geo import GEOMETRIES
from alp.kernels.nearest import build_tree, nearest, visiting_order
from strategies import KINDS, random_trace, traces

both = pytest.mark.parametrize("geometry", list(GEOMETRIES))
FILLED = tuple(kind for kind in KINDS if kind != "empty")
NOTHING = np.empty(0, np.int64)


def brute_force(points, queries):
    """Return for each query the smallest squared distance and the first index that has it."""
    squares = oracles.straight_square(oracles.rows(queries)[:, None], oracles.rows(points)[None])
    return squares.min(axis=1, initial=np.inf), squares.argmin(axis=1)


def assert_exact(points, queries, hints=NOTHING):
    tree = build_tree(*points)
    squares, indices = nearest(*tree, hints, NOTHING, *queries)
    wanted, first = brute_force(points, queries)
    np.testing.assert_array_equal(squares, wanted)
    np.testing.assert_array_equal(indices, first)
    turns, entries = visiting_order(tree[2], *queries)
    assert sorted(turns) == list(range(len(turns)))
    squares, indices = nearest(*tree, NOTHING, entries, *(column[turns] for column in queries))
    np.testing.assert_array_equal(squares, wanted[turns])
    np.testing.assert_array_equal(indices, first[turns])


@both
def test_random_traces_find_the_neighbours_of_brute_force_to_the_last_bit(geometry):
    rng = np.random.default_rng(21)
    for k in range(2000):
        real = random_trace(rng, FILLED[k % len(FILLED)], geometry, size=60)
        other = random_trace(rng, FILLED[rng.integers(len(FILLED))], geometry)
        assert_exact(real.points, other.points)


@both
@given(data=st.data())
def test_any_traces_find_the_neighbours_of_brute_force(geometry, data):
    real = data.draw(traces(kinds=FILLED, geometry=geometry))
    assert_exact(real.points, data.draw(traces(geometry=geometry)).points)
    assert_exact(real.points, real.points)


@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 128, 1000, 1025])
def test_every_size_around_a_full_leaf_is_searched_whole(n):
    rng = np.random.default_rng(n)
    assert_exact(tuple(rng.normal(0, 100, (3, n))), tuple(rng.normal(0, 100, (3, 200))))


def test_among_equally_near_points_the_first_index_wins():
    rng = np.random.default_rng(3)
    lattice = rng.integers(0, 4, (3, 300)).astype(float)  # many duplicates, many equal distances
    halves = rng.integers(0, 8, (3, 500)) / 2
    assert_exact(tuple(lattice), tuple(halves))


def test_many_copies_of_one_place_give_index_zero():
    same = (np.full(100, 5.0), np.full(100, 6.0), np.zeros(100))
    _, indices = nearest(*build_tree(*same), NOTHING, NOTHING, *same)
    assert not indices.any()


@given(st.integers(0, 2**32 - 1))
def test_hints_do_not_change_the_answer(seed):
    rng = np.random.default_rng(seed)
    points = tuple(rng.integers(0, 6, (3, 50)).astype(float))
    queries = tuple(rng.integers(0, 12, (3, 30)) / 2)
    assert_exact(points, queries, rng.integers(0, 50, 30))


def test_the_tree_holds_every_point_once():
    rng = np.random.default_rng(1)
    points = rng.normal(0, 1, (3, 333))
    sorted_points, order, boxes, ranges, *_, place_of = build_tree(*points)
    assert sorted(order) == list(range(333))
    np.testing.assert_array_equal(sorted_points, points.T[order])
    np.testing.assert_array_equal(order[place_of], np.arange(333))
    for (start, end), box in zip(ranges, boxes, strict=True):
        np.testing.assert_array_equal(sorted_points[start:end].min(axis=0), box[:3])
        np.testing.assert_array_equal(sorted_points[start:end].max(axis=0), box[3:])


@both
def test_a_whole_day_and_its_noisy_copy_agree_with_brute_force(geometry, make_day):
    day = make_day(geometry=geometry)
    noise = np.random.default_rng(8).normal(0, 200, (2, len(day)))
    noisy = day.moved(*noise)
    assert_exact(day.points, noisy.points, np.arange(len(day)))
    assert_exact(day.points, noisy.points)
