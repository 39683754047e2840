"""What is measured: a day, the day many times over, a long life, and real users if there are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

import alp
from alp.town import day as town_day
from alp.trace import Trace
from alp.trace.records import Records

SHARED = Path(__file__).parents[2] / "shared"
DAY_US = 86_400_000_000


@cache
def _day_records() -> Records:
    """Return the reference day where it lies beside the project, or else the town's."""
    file = SHARED / "design" / "golden_day.csv"
    if not file.exists():
        day = town_day()
        return Records(day.time_us, day.lat, day.lon)
    columns = np.loadtxt(file, delimiter=",", skiprows=1, usecols=(0, 1, 2))
    return Records((columns[:, 2] * 1000).astype(np.int64), columns[:, 0], columns[:, 1])


def fresh_day(every: int = 1) -> Trace:
    """Return the day, or one record in `every`, with nothing computed from it yet."""
    r = _day_records()
    return Trace("u", r.time_us[::every], r.lat[::every], r.lon[::every])


def repeated_day(records: int) -> Trace:
    """Return the day again and again until there are so many records."""
    r = _day_records()
    days = -(-records // len(r))
    time_us = (r.time_us + DAY_US * np.arange(days)[:, None]).ravel()
    return Trace("u", time_us, np.tile(r.lat, days), np.tile(r.lon, days))


def copied(trace: Trace) -> Trace:
    """Return the same records with nothing computed from them yet."""
    return Trace.of_records(trace.user, Records(trace.time_us, trace.lat, trace.lon))


@cache
def long_life(records: int) -> Trace:
    """Return the first records of one user of a town, who is watched for years."""
    days = records // 2_880 + 30  # some are spent on the road and recorded in part
    town = alp.Town(users=1, days=days, gap_per_hour=0.0)
    return copied(town.trace(0).select(slice(records)))


def real_users(records: int) -> Iterator[Trace]:
    """Yield Geolife users until there are so many records; none where the dataset is absent."""
    file = SHARED / "data" / "geolife.parquet"
    if not file.exists():
        return
    dataset = alp.read(file)
    for user in dataset:
        trace = dataset[user]
        yield trace
        records -= len(trace)
        if records <= 0:
            return
