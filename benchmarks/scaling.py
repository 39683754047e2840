"""How the time of a tuning grows with the records."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from alp.adapt import Settings, tune_batch
from benchmarks.clock import cpu_s
from benchmarks.data import copied, long_life
from benchmarks.table import Row, duration

FIVE_STATES = {
    "promesse": {"alpha": "linear(100,500,100)"},
    "geo-i": {"epsilon": "log(0.001,0.1,5)"},
}


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield times for five states from a thousand records to a million, and the exponents."""
    sizes = (1_000, 10_000, 100_000) if quick else (1_000, 10_000, 100_000, 1_000_000)
    life = long_life(sizes[-1])
    for name, domain in FIVE_STATES.items():
        settings = Settings.of(name, domain=domain, search="grid", seed=0, geometry="sphere")
        times = []
        for size in sizes:
            part = life.select(slice(size))
            repeats = 5 if size < 100_000 else 2
            times.append(
                cpu_s(
                    lambda trace: tune_batch(trace, settings),  # noqa: B023 (called at once)
                    repeats,
                    lambda: copied(part),  # noqa: B023
                )
            )
            yield Row(f"tuning {name}, five states, {size:,} records", duration(times[-1]))
        whole = np.polyfit(np.log(sizes), np.log(times), 1)[0]
        last = np.log(times[-1] / times[-2]) / np.log(sizes[-1] / sizes[-2])
        yield Row(
            f"tuning {name}: exponent of time against records, fitted; over the last decade",
            f"{whole:.2f}; {last:.2f}",
        )
