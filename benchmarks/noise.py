"""Planar Laplace noise, beside the inverse distribution functions that others use."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from alp.mechanisms.geo_indistinguishability import GeoIndistinguishability
from benchmarks.clock import cpu_s
from benchmarks.data import repeated_day
from benchmarks.table import Row, absent, compared, duration

EPSILON = 0.01
MILLION = 1_000_000


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the time to draw noise for a million records and to move them by it."""
    trace = repeated_day(MILLION // 10 if quick else MILLION)
    scale = MILLION / len(trace)
    mechanism = GeoIndistinguishability(epsilon=EPSILON)
    rng = np.random.default_rng(0)
    _ = trace.points
    ours_s = scale * cpu_s(lambda: mechanism.apply(trace, mechanism.draw(trace, rng)), 3)
    what = "planar Laplace noise per million records, drawn and applied"
    try:
        from scipy.special import gammaincinv, lambertw
    except ImportError:
        yield absent(what, "scipy", duration(ours_s))
        return

    def by_lambert(p: np.ndarray) -> np.ndarray:
        return -(lambertw((p - 1.0) / np.e, k=-1).real + 1.0) / EPSILON

    def by_gamma(p: np.ndarray) -> np.ndarray:
        return gammaincinv(2.0, p) / EPSILON

    for name, radius in (("lambertw", by_lambert), ("gammaincinv", by_gamma)):

        def theirs(radius=radius) -> None:
            radius_m = radius(rng.random(len(trace)))
            angle = rng.uniform(0.0, 2.0 * np.pi, len(trace))
            trace.moved(radius_m * np.cos(angle), radius_m * np.sin(angle))

        yield compared(what, ours_s, f"scipy {name}", scale * cpu_s(theirs, 2))
