"""One whole tuning of a day, beside what the authors' code took."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Any

import numpy as np

from alp.adapt import Settings, tune_batch
from benchmarks.clock import cpu_s
from benchmarks.data import fresh_day
from benchmarks.table import Row, compared, duration

AUTHORS = "the authors' code, elsewhere"
YARDSTICK_S = (0.0020, 0.0028)  # a cKDTree of 2,880 points, where the authors' code was run
RELEASED_ALPHAS = {"domain": {"alpha": "0,linear(50,500,1)"}, "search": "annealing"}
MANY_EPSILONS = {"domain": {"epsilon": "log(0.001,0.1,201)"}, "search": "annealing"}


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the median over seeds of the tunings, and the yardstick between the machines."""
    seeds, repeats = (range(4), 1) if quick else (range(10), 5)

    def median_s(mechanism: str, every: int = 1, **options: Any) -> float:
        times = []
        for seed in seeds:
            settings = Settings.of(mechanism, seed=seed, geometry="sphere", **options)

            def tune(trace: Any, settings: Settings = settings) -> None:
                tune_batch(trace, settings)

            times.append(cpu_s(tune, repeats, lambda: fresh_day(every)))
        return statistics.median(times)

    what = "tuning PROMESSE, annealing over 452 α, 2,880 records"
    yield compared(what, median_s("promesse", **RELEASED_ALPHAS), AUTHORS, 0.74)
    yield Row("tuning PROMESSE, every α of its domain", duration(median_s("promesse")))
    what = "tuning GEO-I, annealing over 201 ε, three replicates"
    yield compared(f"{what}, 2,880 records", median_s("geo-i", **MANY_EPSILONS), AUTHORS, 72.3)
    yield compared(f"{what}, 288 records", median_s("geo-i", 10, **MANY_EPSILONS), AUTHORS, 1.10)
    yield Row("tuning GEO-I, every ε of its domain", duration(median_s("geo-i")))
    yield from _yardstick(5 if quick else 50)


def _yardstick(repeats: int) -> Iterator[Row]:
    try:
        from scipy.spatial import cKDTree
    except ImportError:
        return
    day = fresh_day()
    rows = np.column_stack(day.points)
    # Which points were asked elsewhere is not recorded; here they are a GPS error away.
    noise_m = np.random.default_rng(0).normal(0.0, 6.0, (2, len(day)))
    queries = np.column_stack(day.moved(*noise_m).points)
    here_s = cpu_s(lambda: cKDTree(rows).query(queries), repeats)
    yield Row(
        "yardstick: a cKDTree of 2,880 points, built and asked (not ours)",
        duration(here_s),
        f"elsewhere: {duration(YARDSTICK_S[0])} to {duration(YARDSTICK_S[1])}",
        sum(YARDSTICK_S) / 2 / here_s,
    )
