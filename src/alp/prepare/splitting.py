"""Splitting: a trace into batches, each protected on its own."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from alp.errors import ParameterError
from alp.prepare.sampling import parse_duration
from alp.trace import TRACE, Trace

_WORDS = "user, day, trace, a duration such as 24h, or a number of records"


def check_per(per: str, tz: str) -> None:
    """Raise unless `per` and `tz` say how to split."""
    zone(tz)
    if per not in ("user", "day", "trace") and not (per.isdigit() and int(per) > 0):
        try:
            seconds = parse_duration(per)
        except ParameterError:
            seconds = 0.0
        if seconds <= 0:
            raise ParameterError(f"--per must be {_WORDS}, not '{per}'")


def zone(tz: str) -> ZoneInfo:
    """Return a time zone by its name, such as Europe/Paris."""
    try:
        return ZoneInfo(tz)
    except (KeyError, ValueError, OSError):
        raise ParameterError(
            f"no time zone is named '{tz}'; use a name such as Europe/Paris"
        ) from None


def split(trace: Trace, per: str = "user", tz: str = "UTC") -> Iterator[tuple[str, Trace]]:
    """Yield (label, batch) of a trace; together the batches are the trace.

    `per` is `user` (one batch), `day` (calendar days in `tz`), `trace` (as the input has them), a
    duration rolling from each batch's first record, or a number of records.
    """
    check_per(per, tz)
    if per == "user":
        yield "all", trace
        return
    if not len(trace):
        return
    starts = np.flatnonzero(_starts(trace, per, tz))
    for number, (start, end) in enumerate(
        zip(starts, np.append(starts[1:], len(trace)), strict=True)
    ):
        batch = trace.select(slice(int(start), int(end)))
        yield (_day(batch, tz) if per == "day" else f"{number:04d}"), batch


def _starts(trace: Trace, per: str, tz: str) -> NDArray[np.bool_]:
    n = len(trace)
    if per == "day":
        return _changes(_local_days(trace, tz))
    if per == "trace":
        own = trace.extra.get(TRACE)
        return _changes(np.zeros(n, np.int64) if own is None else own)
    if per.isdigit():
        return np.arange(n) % int(per) == 0
    from alp.kernels.sampling import rolling_starts

    starts: NDArray[np.bool_] = rolling_starts(trace.time_us, round(parse_duration(per) * 1e6))
    return starts


def _changes(key: NDArray[np.int64]) -> NDArray[np.bool_]:
    changes = np.ones(len(key), bool)
    changes[1:] = key[1:] != key[:-1]
    return changes


def _day(batch: Trace, tz: str) -> str:
    first = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=int(batch.time_us[0]))
    return first.astimezone(zone(tz)).date().isoformat()


def _local_days(trace: Trace, tz: str) -> NDArray[np.int64]:
    """Return the local date of each record as a number; offsets are looked up once a quarter."""
    where = zone(tz)
    # No zone has changed its offset within a quarter of an hour of UTC since 1970.
    slots, inverse = np.unique(trace.time_us // 900_000_000, return_inverse=True)
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    offsets = [
        (epoch + timedelta(seconds=int(slot) * 900)).astimezone(where).utcoffset() or timedelta()
        for slot in slots
    ]
    offset_us = np.array([round(o.total_seconds() * 1e6) for o in offsets], np.int64)
    return (trace.time_us + offset_us[inverse]) // 86_400_000_000
