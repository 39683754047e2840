"""Maps: a raw trace beside its protected versions, with the stays that are found in each.

They show where somebody lives. A page draws them only where it is asked to, for synthetic people
or for somebody who looks at their own data.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from alp.geo.geometry import Floats, wrap
from alp.places import PoiMatcher, Pois, find_pois
from alp.places.stays import DIAMETER_M
from alp.report.axes import round_below
from alp.report.figures import colour, svg
from alp.report.markup import Markup, element, joined, number, table
from alp.trace import Trace

SIDE, MARGIN = 360.0, 16.0
MOST_POINTS = 3_000
NEAR_M = 2_500.0
FOUND_WITHIN_M = DIAMETER_M / 2
METRES_PER_DEGREE = math.pi * 6_371_008.8 / 180.0
_EDGE = element("rect", x=0.5, y=0.5, width=SIDE - 1, height=SIDE - 1, rx=4, class_="edge")


@dataclass(frozen=True)
class Portrait:
    """One user on the map: the raw trace, its protected versions by name, and why this user."""

    user: str
    raw: Trace
    protected: Mapping[str, Trace]
    why: str = ""


class Found(NamedTuple):
    """The stays in a protected trace, told apart by whether a real one is near."""

    places: tuple[Floats, Floats]
    near: NDArray[np.bool_]
    real_found: int


@dataclass(frozen=True)
class View:
    """The square of ground that a map shows; north is up, lengths are true at its middle."""

    lat: float
    lon: float
    metres: float

    @classmethod
    def around(cls, *traces: Trace) -> View:
        """Return the smallest square around all records."""
        lat = np.concatenate([t.lat for t in traces]) if traces else np.empty(0)
        lon = np.concatenate([t.lon for t in traces]) if traces else np.empty(0)
        if not len(lat):
            return cls(0.0, 0.0, 1_000.0)
        east = wrap(lon - lon[0])  # across the date line, too
        middle = float(lat.min() + lat.max()) / 2
        height = float(np.ptp(lat)) * METRES_PER_DEGREE
        width = float(np.ptp(east)) * METRES_PER_DEGREE * math.cos(math.radians(middle))
        centre = float(lon[0] + (east.min() + east.max()) / 2)
        return cls(middle, centre, max(height, width, 200.0))

    @property
    def pixels_per_m(self) -> float:
        """The scale of the drawing."""
        return (SIDE - 2 * MARGIN) / self.metres

    def near(self, lat: float, lon: float, metres: float = NEAR_M) -> View:
        """Return a closer look at a place; nothing where all of it is close already."""
        return View(lat, lon, min(metres, self.metres))

    def place(self, lat: Floats, lon: Floats) -> tuple[Floats, Floats]:
        """Return where locations lie in the drawing, in steps of half a pixel."""
        scale = METRES_PER_DEGREE * self.pixels_per_m
        east = wrap(lon - self.lon) * math.cos(math.radians(self.lat))
        x, y = SIDE / 2 + east * scale, SIDE / 2 - (lat - self.lat) * scale
        return np.round(2 * x) / 2, np.round(2 * y) / 2


def thinned(x: Floats, y: Floats, most: int = MOST_POINTS) -> tuple[Floats, Floats]:
    """Return at most about `most` points in their order, the outermost ones among them.

    Points on top of the one before are dropped first: that changes nothing in the drawing.
    """
    moved = np.ones(len(x), bool)
    moved[1:] = (np.diff(x) != 0) | (np.diff(y) != 0)
    x, y = x[moved], y[moved]
    if len(x) <= most:
        return x, y
    even = np.linspace(0, len(x) - 1, most).round().astype(np.int64)
    outermost = [int(f(c)) for c in (x, y) for f in (np.argmin, np.argmax)]
    kept = np.union1d(even, outermost)
    return x[kept], y[kept]


def raw_map(portrait: Portrait, view: View) -> Markup:
    """Return the raw trace and its stays."""
    stays = find_pois(portrait.raw)
    return svg(
        f"Raw trace of {portrait.user}",
        f"{len(portrait.raw):,} records and {len(stays):,} stays, marked by rings.",
        _EDGE,
        _line(portrait.raw, view, "raw"),
        _rings(stays, view),
        _scale_bar(view),
        size=(SIDE, SIDE),
    )


def protected_map(portrait: Portrait, name: str, view: View, index: int = 0) -> Markup:
    """Return a protected trace over the raw one, with real and retrieved stays."""
    trace, stays = portrait.protected[name], find_pois(portrait.raw)
    found = retrieved(stays, trace)
    wrong = int(np.count_nonzero(~found.near))
    return svg(
        f"Trace of {portrait.user} protected by {name}",
        f"{len(trace):,} records in colour over the raw trace in grey. "
        f"{found.real_found:,} of {len(stays):,} real stays are found, {wrong:,} seen elsewhere.",
        _EDGE,
        _line(portrait.raw, view, "raw faint"),
        _dots(trace, view, index),
        _rings(stays, view),
        _found_marks(found, view),
        _scale_bar(view),
        size=(SIDE, SIDE),
    )


def longest_stay(trace: Trace) -> tuple[float, float] | None:
    """Return latitude and longitude of the longest stay, if there is any."""
    stays = find_pois(trace)
    if not len(stays):
        return None
    at = int(np.argmax(stays.dwell_s))
    lat, lon = stays.degrees()
    return float(lat[at]), float(lon[at])


def retrieved(real: Pois, protected: Trace) -> Found:
    """Return the stays of a protected trace, and which of them betray a real one."""
    stays = find_pois(protected)
    near = np.zeros(len(stays), bool)
    pairs = np.empty((0, 2), np.int64)
    if len(real) and len(stays):
        pairs = PoiMatcher(real, FOUND_WITHIN_M).pairs(stays)
        near[pairs[:, 0]] = True
    return Found(stays.degrees(), near, len(np.unique(pairs[:, 1])))


def portrait_table(portrait: Portrait) -> Markup:
    """Return the numbers behind a user's maps."""
    stays = find_pois(portrait.raw)
    rows = [["raw", f"{len(portrait.raw):,}", f"{len(stays):,}", "–", "–"]]
    for name, trace in portrait.protected.items():
        found = retrieved(stays, trace)
        wrong = int(np.count_nonzero(~found.near))
        counts = (len(trace), len(found.near), found.real_found, wrong)
        rows.append([name, *(f"{count:,}" for count in counts)])
    return table(["trace", "records", "stays seen", "real stays found", "seen elsewhere"], rows)


def key(names: list[str]) -> Markup:
    """Return what the signs on the maps mean."""
    signs: list[tuple[Markup, str]] = [(element("path", d="M1 6H27", class_="raw"), "raw trace")]
    signs += [
        (element("circle", cx=14, cy=6, r=3, style=f"fill:{colour(index)}"), f"{name}: records")
        for index, name in enumerate(names)
    ]
    signs += [
        (element("circle", cx=14, cy=6, r=5, class_="ring"), "real stay"),
        (_mark(14, 6, True), f"stay found, within {FOUND_WITHIN_M:g} m of a real one"),
        (_mark(14, 6, False), "stay seen where there is none"),
    ]
    items = (
        element("li", element("svg", sign, view_box="0 0 28 12", aria_hidden="true"), words)
        for sign, words in signs
    )
    return element("ul", *items, class_="legend")


def _line(trace: Trace, view: View, kind: str) -> Markup:
    x, y = thinned(*view.place(trace.lat, trace.lon))
    path = "L".join(f"{a:g} {b:g}" for a, b in zip(x, y, strict=True))
    return element("path", d=f"M{path}" if path else "", class_=kind)


def _dots(trace: Trace, view: View, index: int) -> Markup:
    x, y = view.place(trace.lat, trace.lon)
    inside = (x >= 0) & (x <= SIDE) & (y >= 0) & (y <= SIDE)
    x, y = x[inside], y[inside]
    distinct = np.unique(np.stack([x, y]), axis=1) if len(x) else np.empty((2, 0))
    x, y = thinned(distinct[0], distinct[1])
    path = "".join(f"M{a:g} {b:g}h0" for a, b in zip(x, y, strict=True))
    return element("path", d=path, class_="dots", style=f"stroke:{colour(index)}")


def _rings(stays: Pois, view: View) -> Markup:
    x, y = view.place(*stays.degrees())
    places = dict.fromkeys(zip(x.tolist(), y.tolist(), strict=True))
    radius = f"{max(5.5, FOUND_WITHIN_M * view.pixels_per_m):.1f}"
    return joined(element("circle", cx=a, cy=b, r=radius, class_="ring") for a, b in places)


def _found_marks(found: Found, view: View) -> Markup:
    x, y = view.place(*found.places)
    marks = dict.fromkeys(zip(x.tolist(), y.tolist(), found.near.tolist(), strict=True))
    return joined(_mark(a, b, near) for a, b, near in marks)


def _mark(x: float, y: float, near: bool) -> Markup:
    if near:
        return element("circle", cx=x, cy=y, r=2.8, class_="found")
    return element("path", d=f"M{x - 3} {y - 3}l6 6m0 -6l-6 6", class_="elsewhere")


def _scale_bar(view: View) -> Markup:
    length_m = round_below(view.metres / 3)
    end = MARGIN + length_m * view.pixels_per_m
    words = f"{number(length_m / 1000)} km" if length_m >= 1000 else f"{number(length_m)} m"
    bar = f"M{MARGIN} {SIDE - 14}v4H{end:.1f}v-4"
    return joined(
        (
            element("path", d=bar, class_="scale"),
            element("text", words, x=f"{end + 6:.1f}", y=SIDE - 8),
        )
    )
