"""Pairs of a real trace and a protected one, made up and from real days."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from alp.mechanisms import mechanism_named
from alp.trace import Trace
from strategies import KINDS, random_traces

GEOLIFE = Path(__file__).parents[3] / "shared" / "data" / "geolife.parquet"
DAY_US = 86_400_000_000
MECHANISMS = ("geo-i(epsilon=0.1)", "geo-i(epsilon=0.03)", "drop(keep=0.3)", "promesse(alpha=60)")


def protected(real: Trace, rng: np.random.Generator) -> Trace:
    """Return the trace protected by a random mechanism."""
    mechanism, _ = mechanism_named(MECHANISMS[rng.integers(len(MECHANISMS))])
    return mechanism.protect(real, rng)


@pytest.fixture(scope="session")
def pairs():
    """Yield pairs of a real trace and a protected version of it, or another trace."""

    def build(seed, count, geometry="sphere", kinds=KINDS, size=30):
        rng = np.random.default_rng(seed)
        others = random_traces(seed + 1000, count, kinds, geometry, size)
        reals = random_traces(seed, count, kinds, geometry, size)
        for k, (real, other) in enumerate(zip(reals, others, strict=True)):
            far = np.ptp(real.lon) > 1 or np.ptp(real.lat) > 1 if len(real) else False
            yield real, other if far or k % 4 == 3 else protected(real, rng)

    return build


@pytest.fixture(scope="session")
def real_days():
    """Return 300 user-days of Geolife at a record a minute, each with a protected version."""
    if not GEOLIFE.is_file():
        pytest.skip(f"{GEOLIFE.name} is not in the shared data folder beside the repository")
    rng = np.random.default_rng(2016)
    file = pq.ParquetFile(GEOLIFE)
    groups = sorted(rng.choice(file.num_row_groups, 3, replace=False))
    days = [day for group in groups for day in _days(file.read_row_group(group))]
    chosen = rng.choice(len(days), 300, replace=False)
    return [(days[k], protected(days[k], rng)) for k in chosen]


def _days(table):
    time_us = pc.cast(table["timestamp"], "int64").to_numpy()
    users = table["user"].dictionary_encode().combine_chunks()
    minute = time_us // 60_000_000
    key = users.indices.to_numpy().astype(np.int64) * 10**9 + minute  # a user's minute
    first = np.flatnonzero(np.diff(key, prepend=-1))
    day = key[first] // 10**9 * 10**6 + time_us[first] // DAY_US
    lat, lon = table["lat"].to_numpy()[first], table["lon"].to_numpy()[first]
    for index in np.split(np.arange(len(first)), np.flatnonzero(np.diff(day)) + 1):
        yield Trace("u", time_us[first[index]], lat[index], lon[index])
