"""Spatial distortion: our index beside scipy's k-d tree, each built and asked."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from alp.geo.index import PathIndex
from alp.mechanisms.geo_indistinguishability import GeoIndistinguishability
from alp.trace import Trace
from benchmarks.clock import cpu_s
from benchmarks.data import fresh_day, long_life
from benchmarks.table import Row, absent, compared

EPSILONS = (0.1, 0.03, 0.01, 0.003, 0.001)
TOLERANCE_M = 1e-9


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield times on the day for several ε, then on longer traces."""
    try:
        import scipy.spatial  # noqa: F401 (only whether it is there)
    except ImportError:
        yield absent("distortion of a GEO-I output", "scipy")
        return
    repeats = 5 if quick else 20
    day = fresh_day()
    for epsilon in EPSILONS:
        yield from _beside_scipy(day, epsilon, "the day", repeats)
    for size in (20_000,) if quick else (100_000, 1_000_000):
        yield from _beside_scipy(long_life(size), 0.01, f"{size:,} records", 1)


def _beside_scipy(real: Trace, epsilon: float, name: str, repeats: int) -> Iterator[Row]:
    from scipy.spatial import cKDTree

    mechanism = GeoIndistinguishability(epsilon=epsilon)
    moved = mechanism.apply(real, mechanism.draw(real, np.random.default_rng(0))).points
    points, geometry = real.points, real.geometry
    rows, queries = np.column_stack(points), np.column_stack(moved)
    index, tree = PathIndex(points, geometry), cKDTree(rows)
    ours_m = np.sqrt(index.nearest(moved)[0])
    theirs_m, _ = tree.query(queries)
    gap_m = float(np.abs(ours_m - theirs_m).max())
    if gap_m > TOLERANCE_M:
        raise SystemExit(f"distances differ from scipy's by {gap_m:g} m")
    plane = _plane(rows)
    flat, flat_queries = rows @ plane, queries @ plane
    flat_tree = cKDTree(flat)
    what = f"distortion of a GEO-I output, {name}, ε = {epsilon:g}"
    both_s = cpu_s(lambda: PathIndex(points, geometry).distances(moved), repeats)
    asked_s = cpu_s(lambda: index.distances(moved), repeats)
    peer_s = cpu_s(lambda: cKDTree(flat).query(flat_queries), repeats)
    yield compared(f"{what}, index built and asked", both_s, "cKDTree, plane", peer_s)
    peer_s = cpu_s(lambda: flat_tree.query(flat_queries), repeats)
    yield compared(f"{what}, asked alone", asked_s, "cKDTree, plane", peer_s)
    peer_s = cpu_s(lambda: tree.query(queries), repeats)
    yield compared(f"{what}, asked alone", asked_s, "cKDTree, vectors", peer_s)


def _plane(rows: np.ndarray) -> np.ndarray:
    """Return east and north at the middle of the path: the peer is faster in two dimensions.

    The plane is not quite the Earth, so its distances are not compared with ours.
    """
    up = rows.mean(axis=0)
    east = np.array([-up[1], up[0], 0.0])
    north = np.cross(up, east)
    return np.column_stack([east / np.linalg.norm(east), north / np.linalg.norm(north)])
