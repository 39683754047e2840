"""S2 cells from degrees, beside Google's library and s2sphere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from types import ModuleType

import numpy as np

from alp.geo import SPHERE
from alp.geo.cells import cell_ids
from benchmarks.clock import cpu_s
from benchmarks.table import Row, absent

LEVEL = 15
SAMPLE = 2_000


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield cells per second of random places."""
    rng = np.random.default_rng(0)
    size = 100_000 if quick else 1_000_000
    lat, lon = rng.uniform(-90, 90, size), rng.uniform(-180, 180, size)
    rate = size / cpu_s(lambda: cell_ids(SPHERE.to_points(lat, lon), LEVEL), 3)
    points = SPHERE.to_points(lat, lon)
    bare = size / cpu_s(lambda: cell_ids(points, LEVEL), 3)
    what = f"S2 cells per second, level {LEVEL}"
    yield Row(f"{what}, metre columns known", f"{bare / 1e6:.1f} million")
    wanted = cell_ids(points, LEVEL)[:SAMPLE].tolist()
    places = list(zip(lat[:SAMPLE].tolist(), lon[:SAMPLE].tolist(), strict=True))
    for name, of in (("s2geometry", _by_s2geometry), ("s2sphere", _by_s2sphere)):
        try:
            peer = import_module(name)
        except ImportError:
            yield absent(f"{what}, from degrees", name, f"{rate / 1e6:.1f} million")
            continue
        cell = of(peer)
        if [cell(*place) for place in places] != wanted:
            raise SystemExit(f"the cells of {name} differ from ours")
        theirs = SAMPLE / cpu_s(lambda cell=cell: [cell(*place) for place in places], 3)
        yield Row(
            f"{what}, from degrees",
            f"{rate / 1e6:.1f} million",
            f"{name}: {theirs:,.0f}",
            rate / theirs,
        )


def _by_s2geometry(s2: ModuleType) -> Callable[[float, float], int]:
    def cell(lat: float, lon: float) -> int:
        return s2.S2CellId(s2.S2LatLng.FromDegrees(lat, lon)).parent(LEVEL).id()

    return cell


def _by_s2sphere(s2: ModuleType) -> Callable[[float, float], int]:
    def cell(lat: float, lon: float) -> int:
        return s2.CellId.from_lat_lng(s2.LatLng.from_degrees(lat, lon)).parent(LEVEL).id()

    return cell
