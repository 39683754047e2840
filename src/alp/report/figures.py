"""Figures: named series of values → SVG, each with a title, a description and its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from alp.geo.geometry import Floats
from alp.report.axes import BOTTOM as BELOW
from alp.report.axes import HEIGHT, TOP, WIDTH, Axis, across, frame, upward
from alp.report.markup import Markup, element, number, table

Series: TypeAlias = Mapping[str, Sequence[float | None]]
"""Values by name; None is undefined."""

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's colours, told apart with any colour vision; a dark page may change them."""
DASHES = ("none", "6 3", "2 3", "8 3 2 3", "1 4", "10 4", "4 2")
DECILES = tuple(range(0, 101, 10))
MOST_STEPS = 400
BINS = 20


def colour(index: int) -> str:
    """Return the colour of the series at `index`."""
    at = index % len(PALETTE)
    return f"var(--series-{at}, {PALETTE[at]})"


def defined(values: Sequence[float | None]) -> Floats:
    """Return the values that are defined, sorted."""
    return np.sort(np.array([v for v in values if v is not None], float))


def svg(
    title: str, description: str, *content: object, size: tuple[float, float] = (WIDTH, HEIGHT)
) -> Markup:
    """Return a drawing with the words that stand for it."""
    return element(
        "svg",
        element("title", title),
        element("desc", description),
        *content,
        view_box=f"0 0 {size[0]:g} {size[1]:g}",
        role="img",
    )


def legend(names: Sequence[str]) -> Markup:
    """Return the key to the series: a line of each one's colour and dashes, and its name."""
    return element(
        "ul",
        *(
            element(
                "li",
                element(
                    "svg",
                    element("path", d="M1 6H27", style=_stroke(index)),
                    view_box="0 0 28 12",
                    aria_hidden="true",
                ),
                name,
            )
            for index, name in enumerate(names)
        ),
        class_="legend",
    )


def cdf(
    title: str,
    series: Series,
    *,
    unit: str = "",
    of: str = "batches",
    at_least: tuple[float, float] = (0.0, 0.0),
) -> Markup:
    """Return cumulative distributions: for each value, the share that is not above it.

    Undefined values count as never reached, so that a curve with some ends below 100 %.
    """
    known = {name: defined(values) for name, values in series.items()}
    x = Axis.around(np.concatenate([np.empty(0), *known.values()]), at_least)
    y = Axis(0.0, 1.0)
    curves = [
        element("path", d=_steps(values, len(series[name]), x, y), style=_stroke(index))
        for index, (name, values) in enumerate(known.items())
        if len(values)
    ]
    label = f"{title} ({unit})" if unit else title
    medians = "; ".join(f"{name}: {_median_words(values)}" for name, values in known.items())
    return svg(
        f"Distribution of {title}",
        f"Share of {of} with at most a value of {title}. Medians: {medians or 'no series'}.",
        frame(x, y, label, f"share of {of}", percent=True),
        *curves,
    )


def deciles(series: Series) -> Markup:
    """Return the numbers behind a distribution: every tenth part, and how many are defined."""
    known = {name: defined(values) for name, values in series.items()}
    rows: list[list[str]] = [
        [_decile_name(p), *(number(_quantile(values, p)) for values in known.values())]
        for p in DECILES
    ]
    counts = (f"{len(values):,} of {len(series[name]):,}" for name, values in known.items())
    rows.append(["defined", *counts])
    return table(["at most", *known], rows)


def histogram(
    title: str, values: Sequence[float], axis: Axis, *, of: str = "batches", index: int = 0
) -> Markup:
    """Return how often values fall into each part of an axis, with the median marked."""
    edges, counts = binned(values, axis)
    x, y = across(axis, edges), Axis(0.0, 1.08 * max(1, int(counts.max())))
    tops = upward(y, counts.astype(float))
    floor = HEIGHT - BELOW
    bars = [
        element(
            "rect",
            element("title", f"{number(float(low))} to {number(float(high))}: {count:,} {of}"),
            x=f"{left + 0.5:.1f}",
            y=f"{top:.1f}",
            width=f"{max(right - left - 1.0, 0.5):.1f}",
            height=f"{floor - top:.1f}",
            style=f"fill:{colour(index)}",
        )
        for low, high, left, right, top, count in zip(
            edges[:-1], edges[1:], x[:-1], x[1:], tops, counts, strict=True
        )
        if count
    ]
    marks: list[Markup] = []
    if len(values):
        at = f"{across(axis, np.median(values, keepdims=True))[0]:.1f}"
        marks = [element("line", x1=at, x2=at, y1=TOP, y2=floor, class_="median")]
    return svg(
        f"Distribution of {title}",
        f"Number of {of} by {title}. Median: {_median_words(defined(values))}.",
        frame(axis, y, title, of),
        *bars,
        *marks,
    )


def bin_table(title: str, values: Sequence[float], axis: Axis, *, of: str = "batches") -> Markup:
    """Return the numbers behind a histogram: its bars."""
    edges, counts = binned(values, axis)
    rows = [
        [f"{number(float(low))} to {number(float(high))}", f"{count:,}"]
        for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
        if count
    ]
    return table([title, of], rows)


def binned(
    values: Sequence[float], axis: Axis
) -> tuple[Floats, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Return the edges of bins along an axis, and how many values lie in each."""
    spaced = np.geomspace if axis.log else np.linspace
    edges = spaced(axis.low, axis.high, BINS + 1)
    inside = np.clip(np.asarray(values, float), axis.low, axis.high)
    at = np.clip(np.searchsorted(edges, inside * (1 + 1e-12), side="right") - 1, 0, BINS - 1)
    return edges, np.bincount(at, minlength=BINS)


def _steps(values: Floats, total: int, x: Axis, y: Axis) -> str:
    """Return the staircase through sorted values, as SVG's commands."""
    ranks = np.arange(1, len(values) + 1)
    if len(values) > MOST_STEPS:
        kept = np.linspace(0, len(values) - 1, MOST_STEPS).round().astype(int)
        values, ranks = values[kept], ranks[kept]
    xs, ys = across(x, values), upward(y, ranks / total)
    start = f"M{across(x, values[:1])[0]:.1f} {upward(y, np.zeros(1))[0]:.1f}"
    climb = "".join(f"H{a:.1f}V{b:.1f}" for a, b in zip(xs, ys, strict=True))
    return f"{start}{climb}H{across(x, np.array([x.high]))[0]:.1f}"


def _stroke(index: int) -> str:
    dash = DASHES[index % len(DASHES)]
    return f"fill:none;stroke:{colour(index)};stroke-width:2;stroke-dasharray:{dash}"


def _quantile(values: Floats, percent: float) -> float | None:
    return float(np.quantile(values, percent / 100.0)) if len(values) else None


def _decile_name(percent: int) -> str:
    names = {0: "least", 50: "median", 100: "most"}
    return names.get(percent, f"{percent} %")


def _median_words(values: Floats) -> str:
    return number(_quantile(values, 50)) if len(values) else "undefined"
