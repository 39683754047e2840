from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from alp.kernels.matching import count_near, find_pairs, maximum_matching, pair_counts

places = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=9)


def pairs_of(real, found, limit):
    order = np.argsort(real[:, 0], kind="stable")
    return find_pairs(*real[order].T.copy(), order, *found.T.copy(), limit)


def counted(real, found, limit):
    """Return how many of `found` have one of `real` near."""
    order = np.argsort(real[:, 0], kind="stable")
    return count_near(*real[order].T.copy(), *found.T.copy(), limit)


def readings(real, found, limit):
    """Return the four F-scores that follow from the kernels' counts."""
    pairs = pairs_of(real, found, limit)
    hits, exposed, nearest = pair_counts(pairs, len(real))
    assert (hits, exposed) == (counted(real, found, limit), counted(found, real, limit))
    both = len(real) + len(found)
    recall, precision = exposed / max(len(real), 1), hits / max(len(found), 1)
    return {
        "literal": 2 * hits / both,
        "accio": 2 * nearest / both,
        "symmetric": 2 * recall * precision / (recall + precision) if hits else 0.0,
        "matching": 2 * maximum_matching(pairs, len(real)) / both,
    }


def assert_same(real, found, limit):
    if len(real) + len(found):
        for reading, value in readings(real, found, limit).items():
            wanted = oracles.retrieval(reading, real, found, limit, "mercator")
            assert value == pytest.approx(wanted, rel=1e-12), reading


def lattice(pairs):
    return np.array([(x, y, 0.0) for x, y in pairs], float).reshape(-1, 3)


@given(real=places, found=places, limit=st.sampled_from([0.0, 1.0, 2.5, 5.0]))
def test_any_lattice_with_its_ties_has_the_readings_of_the_oracle(real, found, limit):
    assert_same(lattice(real), lattice(found), limit)


def test_random_places_have_the_readings_of_the_oracle_in_their_order():
    rng = np.random.default_rng(91)
    for _ in range(500):
        real, found = (rng.uniform(0, 600, (rng.integers(1, 12), 3)) for _ in range(2))
        assert_same(real, found, 200.0)
        f = readings(real, found, 200.0)
        assert f["accio"] <= f["matching"] + 1e-12
        assert f["matching"] <= min(f["symmetric"], f["literal"]) + 1e-12


def test_every_pair_within_the_limit_is_found_once_and_the_nearest_first():
    rng = np.random.default_rng(92)
    for _ in range(200):
        real, found = (rng.integers(0, 9, (rng.integers(1, 30), 3)) * 1.0 for _ in range(2))
        squares = oracles.straight_square(found[:, None], real[None])
        pairs = pairs_of(real, found, 3.0)
        assert sorted(map(tuple, pairs)) == sorted(zip(*np.nonzero(squares <= 9.0), strict=True))
        starts = np.flatnonzero(np.diff(pairs[:, 0], prepend=-1))
        for i, j in pairs[starts]:
            assert j == np.argmin(squares[i])


def test_three_copies_of_one_place_are_one_match():
    one, copies = lattice([(0, 0)]), lattice([(0, 0), (1, 0), (0, 1)])
    assert readings(one, copies, 100.0) == {
        "literal": 1.5,
        "accio": 0.5,
        "symmetric": 1.0,
        "matching": 0.5,
    }
