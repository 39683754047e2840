"""Protecting a whole town: records per second, and memory against records."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import alp
from alp.mechanisms.geo_indistinguishability import GeoIndistinguishability
from benchmarks.clock import cpu_s
from benchmarks.table import Row

CASES: dict[str, tuple[Any, dict[str, Any]]] = {
    "GEO-I, ε given": (GeoIndistinguishability(epsilon=0.01), {"fixed": {"epsilon": 0.01}}),
    "GEO-I, ε tuned for each user": ("geo-i", {}),
    "PROMESSE, α tuned for each user": ("promesse", {}),
    "PROMESSE, α tuned for each day": ("promesse", {"per": "day"}),
}


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield records per second of CPU, then the peak memory of processes of their own."""
    town = alp.Town(users=4 if quick else 20, days=7, seed=1)
    traces = [town.trace(user) for user in range(town.users)]
    records = sum(map(len, traces))
    for name, (mechanism, options) in CASES.items():

        def protect(data: alp.Dataset, mechanism=mechanism, options=options) -> None:
            alp.protect(data, mechanism, seed=0, **options)

        taken_s = cpu_s(protect, 1, town.dataset, warm=False)
        yield Row(
            f"protect a town of {records:,} records, {name}",
            f"{records / taken_s:,.0f} records/s",
        )
    sizes = (50_000, 200_000) if quick else (250_000, 1_000_000)
    peaks = [_peak_mb(size) for size in (1_000, *sizes)]
    for size, peak in zip(sizes, peaks[1:], strict=True):
        yield Row(
            f"peak memory, one user of {size:,} records, GEO-I of five states",
            f"{peak:,.0f} MB",
            f"1,000 records: {peaks[0]:,.0f} MB",
        )
    per_record = (peaks[2] - peaks[1]) * 1e6 / (sizes[1] - sizes[0])
    yield Row("memory per record of the largest user", f"{per_record:,.0f} bytes")


def _peak_mb(records: int) -> float:
    command = [sys.executable, "-m", "benchmarks.memory", str(records)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
