"""Traces of every awkward kind: for hypothesis, and from a seeded generator."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from alp.trace import Trace

METRES_PER_DEGREE = 111_195.08
START_US = 1_467_331_200_000_000  # 1 July 2016, midnight UTC
KINDS = (
    "empty",
    "one",
    "equal_times",
    "one_place",
    "jumps",
    "antimeridian",
    "poles",
    "walk",
    "stays",
    "mixture",
)
LOCAL_KINDS = ("equal_times", "one_place", "antimeridian", "walk", "stays")
"""Kinds that stay within a few kilometres, away from the poles."""


def _trace(steps_s, lat, lon, geometry) -> Trace:
    steps = np.asarray(steps_s, np.int64).reshape(-1)
    return Trace("u", START_US + np.cumsum(steps) * 1_000_000, lat, lon, geometry=geometry)


# — a seeded generator —


def random_trace(rng: np.random.Generator, kind: str, geometry="sphere", size: int = 40) -> Trace:
    """Return a trace of that kind with about `size` records."""
    n = {"empty": 0, "one": 1}.get(kind, int(rng.integers(2, size + 1)))
    steps = rng.choice([0, 1, 30, 60, 300, 900], n) if kind != "equal_times" else np.zeros(n, int)
    lat, lon = _PLACES.get(kind, _walk)(rng, n)
    return _trace(steps, lat, lon, geometry)


def random_traces(seed: int, count: int, kinds=KINDS, geometry="sphere", size: int = 40):
    """Yield `count` traces, the kinds in turn."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        yield random_trace(rng, kinds[k % len(kinds)], geometry, size)


def _around(lat0, lon0, east_m, north_m):
    lat = np.clip(lat0 + north_m / METRES_PER_DEGREE, -90.0, 90.0)
    return lat, lon0 + east_m / (METRES_PER_DEGREE * np.cos(np.radians(lat0)))


def _anywhere(rng, n):
    return np.degrees(np.arcsin(rng.uniform(-1, 1, n))), rng.uniform(-180, 180, n)


def _one_place(rng, n):
    lat, lon = _anywhere(rng, 1)
    return np.repeat(lat, n), np.repeat(lon, n)


def _walk(rng, n):
    east, north = np.cumsum(rng.normal(0, 60, (2, n)), axis=1)
    return _around(rng.uniform(-75, 75), rng.uniform(-170, 170), east, north)


def _antimeridian(rng, n):
    east, north = np.cumsum(rng.normal(0, 60, (2, n)), axis=1)
    return _around(rng.uniform(-75, 75), 180.0, east, north)


def _poles(rng, n):
    """Cross a pole on a line that passes it at some metres, and now and then touch it."""
    along, side = np.cumsum(rng.normal(20, 60, n)), rng.choice([0.0, 5.0, 100.0])
    along -= along[n // 2]
    lat = 90.0 - np.hypot(along, side) / METRES_PER_DEGREE
    lon = np.degrees(np.arctan2(along, side)) + rng.uniform(-180, 180)
    return lat * rng.choice([-1.0, 1.0]), lon


def _stays(rng, n):
    centres = rng.normal(0, 800, (2, n))[:, np.sort(rng.integers(0, max(n // 10, 1), n))]
    east, north = centres + rng.normal(0, rng.choice([1.0, 10.0, 60.0, 100.0]), (2, n))
    return _around(rng.uniform(-75, 75), rng.uniform(-170, 170), east, north)


def _mixture(rng, n):
    parts = [f(rng, n // 3 + 1) for f in rng.permutation([_stays, _walk, _antimeridian, _anywhere])]
    lat, lon = (np.concatenate(column)[:n] for column in zip(*parts, strict=True))
    return lat, lon


_PLACES = {
    "one": _anywhere,
    "one_place": _one_place,
    "jumps": _anywhere,
    "antimeridian": _antimeridian,
    "poles": _poles,
    "stays": _stays,
    "mixture": _mixture,
}


# — hypothesis —

_steps = st.integers(0, 2000)
_metres = st.integers(-500, 500).map(float)
_lats = st.floats(-90, 90).map(lambda v: round(v, 5))
_lons = st.floats(-180, 179.9999).map(lambda v: round(v, 5))
_anyplace = st.tuples(st.integers(-75, 75).map(float), st.integers(-170, 170).map(float))
_seam = st.tuples(st.integers(-75, 75).map(float), st.just(180.0))


@st.composite
def traces(draw, kinds=KINDS, geometry="sphere", max_size: int = 25) -> Trace:
    """Draw a trace of one of `kinds`."""
    kind = draw(st.sampled_from(kinds))
    n = {"empty": 0, "one": 1}.get(kind)
    size = st.just(n) if n is not None else st.integers(2, max_size)
    lat, lon = draw(size.flatmap(lambda k: _places(kind, k)))
    steps = [0] * len(lat)
    if kind != "equal_times":
        steps = draw(st.lists(_steps, min_size=len(lat), max_size=len(lat)))
    return _trace(steps, lat, lon, geometry)


def _places(kind: str, n: int):
    if kind in ("jumps", "one", "empty"):
        return _columns(st.tuples(_lats, _lons), n)
    if kind == "one_place":
        return st.tuples(_lats, _lons).map(lambda p: ([p[0]] * n, [p[1]] * n))
    if kind == "poles":
        near = st.tuples(st.integers(0, 300), st.integers(-180, 179))
        return _columns(near, n).map(lambda p: ([90 - d / METRES_PER_DEGREE for d in p[0]], p[1]))
    if kind == "mixture":
        parts = st.sampled_from(["jumps", *LOCAL_KINDS]).flatmap(lambda k: _places(k, n // 2 + 1))
        return st.tuples(parts, parts).map(lambda p: ([*p[0][0], *p[1][0]], [*p[0][1], *p[1][1]]))
    offsets = _columns(st.tuples(_metres, _metres), n)
    if kind == "stays":
        jitter = _columns(st.tuples(st.floats(-40, 40), st.floats(-40, 40)), n)
        offsets = st.tuples(jitter, _metres).map(_two_stays)
    origin = _seam if kind == "antimeridian" else _anyplace
    return st.tuples(origin, offsets).map(lambda p: _around(*p[0], *map(np.array, p[1])))


def _columns(pairs, n: int):
    rows = st.lists(pairs, min_size=n, max_size=n)
    return rows.map(lambda found: ([p[0] for p in found], [p[1] for p in found]))


def _two_stays(drawn):
    (east, north), apart = drawn
    half = len(east) // 2
    return [e + (2 * apart if i >= half else 0.0) for i, e in enumerate(east)], north
