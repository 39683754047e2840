"""Axes: from values to places in a figure, with ticks that people can read."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from alp.geo.geometry import Floats
from alp.report.markup import Markup, element, joined, number

WIDTH, HEIGHT = 360.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 58.0, 6.0, 10.0, 40.0


@dataclass(frozen=True)
class Axis:
    """Values from `low` to `high`, evenly or by factors."""

    low: float
    high: float
    log: bool = False

    @classmethod
    def around(cls, values: Floats, at_least: tuple[float, float] = (0.0, 0.0)) -> Axis:
        """Return an even axis that shows all values and at least a given range."""
        low = min(at_least[0], float(values.min(initial=at_least[0])))
        high = max(at_least[1], float(values.max(initial=at_least[1])))
        return cls(low, high if high > low else low + 1.0)

    def share(self, values: Floats) -> Floats:
        """Return how far along the axis values lie, 0 to 1."""
        if self.log:
            return np.asarray(np.log(values / self.low) / math.log(self.high / self.low))
        return (values - self.low) / (self.high - self.low)

    def ticks(self, count: int = 5) -> Floats:
        """Return about `count` round numbers within the axis."""
        if self.log:
            return self._log_ticks()
        step = round_below((self.high - self.low) / count * 1.5)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return np.asarray(np.arange(first, last + 1) * step, np.float64)

    def _log_ticks(self) -> Floats:
        decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        marks = (1.0, 3.0) if len(decades) <= 4 else (1.0,)
        ticks = np.array([mark * 10.0**decade for decade in decades for mark in marks])
        slack = 1e-9
        return ticks[(ticks >= self.low * (1 - slack)) & (ticks <= self.high * (1 + slack))]


def round_below(value: float) -> float:
    """Return the largest of 1, 2, 5, 10, 20 … that is not above a positive value.

    >>> [round_below(v) for v in (0.3, 7.0, 1999.0)]
    [0.2, 5.0, 1000.0]
    """
    power = 10.0 ** math.floor(math.log10(value))
    return float(next(f * power for f in (5.0, 2.0, 1.0) if f * power <= value or f == 1.0))


def across(axis: Axis, values: Floats) -> Floats:
    """Return horizontal places of values; a little room keeps zero off the edge."""
    return LEFT + 6.0 + axis.share(values) * (WIDTH - LEFT - RIGHT - 12.0)


def upward(axis: Axis, values: Floats) -> Floats:
    """Return vertical places of values."""
    return HEIGHT - BOTTOM - axis.share(values) * (HEIGHT - TOP - BOTTOM)


def frame(x: Axis, y: Axis, x_label: str, y_label: str, *, percent: bool = False) -> Markup:
    """Return grid, ticks and labels of a figure."""
    parts: list[Markup] = []
    floor, end = HEIGHT - BOTTOM, WIDTH - RIGHT
    y_ticks = y.ticks(4)
    for value, at in zip(y_ticks, upward(y, y_ticks), strict=True):
        label = f"{100 * value:.0f} %" if percent else number(float(value))
        parts.append(
            element("line", x1=LEFT, x2=end, y1=f"{at:.1f}", y2=f"{at:.1f}", class_="grid")
        )
        parts.append(_label(label, LEFT - 6, at + 4, "end"))
    x_ticks = x.ticks()
    for value, at in zip(x_ticks, across(x, x_ticks), strict=True):
        parts.append(
            element("line", x1=f"{at:.1f}", x2=f"{at:.1f}", y1=floor, y2=floor + 4, class_="axis")
        )
        parts.append(_label(number(float(value)), at, floor + 17, "middle"))
    parts.append(element("line", x1=LEFT, x2=end, y1=floor, y2=floor, class_="axis"))
    parts.append(_label(x_label, (LEFT + end) / 2, HEIGHT - 6, "middle"))
    middle = (TOP + floor) / 2
    parts.append(
        element(
            "text", y_label, text_anchor="middle", transform=f"translate(9 {middle}) rotate(-90)"
        )
    )
    return joined(parts)


def _label(words: str, x: float, y: float, anchor: str) -> Markup:
    return element("text", words, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)
