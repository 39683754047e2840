"""What one evaluation of each metric takes on the day, as a tuning repeats it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from alp.mechanisms.geo_indistinguishability import GeoIndistinguishability
from alp.mechanisms.promesse import Promesse
from alp.metrics import metric_named
from benchmarks.clock import cpu_s
from benchmarks.data import fresh_day
from benchmarks.table import Row, duration


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the time of POIs retrieval and area coverage, the real side prepared."""
    day, rng = fresh_day(), np.random.default_rng(0)
    repeats = 20 if quick else 100
    outputs = {
        "GEO-I, ε = 0.03": GeoIndistinguishability(epsilon=0.03).protect(day, rng),
        "GEO-I, ε = 0.003": GeoIndistinguishability(epsilon=0.003).protect(day, rng),
        "PROMESSE, α = 100": Promesse(alpha=100.0).protect(day, rng),
    }
    for name in ("poi-retrieval", "area-coverage"):
        evaluate = metric_named(name).prepare(day)
        for label, output in outputs.items():
            _ = output.points
            taken_s = cpu_s(lambda e=evaluate, o=output: e(o), repeats)
            yield Row(f"{name} of the day, {label}", duration(taken_s))
