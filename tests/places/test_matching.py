from __future__ import annotations

import numpy as np
import pytest

import oracles
from alp.geo import GEOMETRIES, geometry_named
from alp.places import PoiMatcher, Pois

both = pytest.mark.parametrize("geometry", list(GEOMETRIES))


def pois_at(rng, count, geometry):
    """Return POIs around one place, visited at random times."""
    lat, lon = 39.9 + rng.normal(0, 0.002, count), 179.999 + rng.normal(0, 0.002, count)
    chosen = geometry_named(geometry)
    first_us = np.sort(rng.integers(0, 1000, count))
    windows = np.stack([np.arange(count), np.arange(count) + 1], axis=1)
    last_us = first_us + rng.integers(0, 300, count)
    return Pois(chosen.to_points(lat, lon), windows, first_us, last_us, chosen)


def expected(real, found, limit_m, overlap):
    """Return distances and which (found, real) match."""
    p, q = oracles.rows(real.points), oracles.rows(found.points)
    apart = oracles.distance(real.geometry, q[:, None], p[None])
    near = apart <= limit_m
    if overlap:
        near &= found.first_us[:, None] <= real.last_us[None]
        near &= real.first_us[None] <= found.last_us[:, None]
    return np.where(near, apart, np.inf), near


@both
@pytest.mark.parametrize("overlap", [False, True])
def test_pairs_are_all_matches_and_the_first_of_each_is_the_nearest(geometry, overlap):
    rng = np.random.default_rng(91)
    for _ in range(300):
        real, found = (pois_at(rng, rng.integers(0, 15), geometry) for _ in range(2))
        apart, near = expected(real, found, 200.0, overlap)
        matcher = PoiMatcher(real, 200.0, overlap=overlap)
        pairs = matcher.pairs(found)
        assert sorted(map(tuple, pairs.tolist())) == sorted(zip(*np.nonzero(near), strict=True))
        firsts = pairs[np.flatnonzero(np.diff(pairs[:, 0], prepend=-1))]
        assert all(j == np.argmin(apart[i]) for i, j in firsts)
        assert matcher.counts(pairs) == (
            near.any(axis=1).sum(),
            near.any(axis=0).sum(),
            len({int(np.argmin(apart[i])) for i in np.flatnonzero(near.any(axis=1))}),
        )
        assert matcher.largest_matching(pairs) == oracles._matching(near)


@both
def test_a_threshold_of_zero_matches_equal_places_only(geometry):
    pois = pois_at(np.random.default_rng(92), 10, geometry)
    assert PoiMatcher(pois, 0.0).pairs(pois).tolist() == [[k, k] for k in range(10)]


def test_a_threshold_as_large_as_the_earth_matches_everything():
    rng = np.random.default_rng(93)
    real, found = pois_at(rng, 4, "sphere"), pois_at(rng, 5, "sphere")
    matcher = PoiMatcher(real, 3e7)
    assert matcher.counts(matcher.pairs(found))[:2] == (5, 4)
    assert matcher.largest_matching(matcher.pairs(found)) == 4


def test_one_matcher_serves_many_sets():
    rng = np.random.default_rng(94)
    real = pois_at(rng, 6, "sphere")
    matcher = PoiMatcher(real, 150.0)
    for _ in range(20):
        found = pois_at(rng, 6, "sphere")
        np.testing.assert_array_equal(matcher.pairs(found), PoiMatcher(real, 150.0).pairs(found))
