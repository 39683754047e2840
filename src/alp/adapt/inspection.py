"""What a dataset holds: users, records, span, intervals, extent, POIs, damage."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alp.places import Pois, find_pois
from alp.trace import Dataset, Trace


def inspect_dataset(
    dataset: Dataset, traces: Iterable[Trace], *, list_pois: bool = False
) -> dict[str, Any]:
    """Return facts about a dataset, in one pass over its traces.

    `list_pois` adds where and when every stay is: raw data, for its owner's eyes.
    """
    intervals = np.zeros(_TENTHS + 1, np.int64)
    rows = []
    for trace in traces:
        pois = find_pois(trace)
        row, counts = _user_row(trace, len(pois))
        if list_pois:
            row["stays"] = _stays(pois)
        intervals += counts
        rows.append(row)
    filled = [row for row in rows if row["records"]]
    facts: dict[str, Any] = {
        "name": dataset.name,
        "users": len(rows),
        "records": sum(row["records"] for row in rows),
        "raw_records": sum(dataset.size(user) for user in dataset),
        "first": min((row["first"] for row in filled), default=None),
        "last": max((row["last"] for row in filled), default=None),
        "median_interval_s": _median(intervals),
        "bounding_box": _box(filled),
        "pois": sum(row["pois"] for row in rows),
        "users_without_poi": sum(row["pois"] == 0 for row in rows),
        "repairs": dict(dataset.repairs),
        "same_time": sum(row["same_time"] for row in rows),
        "per_user": rows,
    }
    return facts


_TENTHS = 864_000
"""Intervals are counted in tenths of a second, up to a day."""


def _user_row(trace: Trace, pois: int) -> tuple[dict[str, Any], NDArray[np.int64]]:
    steps = np.diff(trace.time_us)
    tenths = np.minimum((steps + 50_000) // 100_000, _TENTHS)
    counts = np.bincount(tenths, minlength=_TENTHS + 1)
    row: dict[str, Any] = {
        "user": trace.user,
        "records": len(trace),
        "first": None,
        "last": None,
        "same_time": int(np.count_nonzero(steps == 0)),
        "pois": pois,
    }
    if len(trace):
        row["first"], row["last"] = (str(t) + "Z" for t in trace.time[[0, -1]].astype("M8[s]"))
        columns = (trace.lat, trace.lon, trace.lon % 360.0)  # the last has its seam at Greenwich
        row["box"] = [float(f(c)) for c in columns for f in (np.min, np.max)]
    return row, counts


def _stays(pois: Pois) -> list[dict[str, Any]]:
    lat, lon = pois.degrees()
    columns = (pois.first_us, pois.last_us, pois.sizes, lat, lon)
    return [
        {
            "first": str(np.datetime64(int(first), "us").astype("M8[s]")) + "Z",
            "last": str(np.datetime64(int(last), "us").astype("M8[s]")) + "Z",
            "records": int(size),
            "lat": float(y),
            "lon": float(x),
        }
        for first, last, size, y, x in zip(*columns, strict=True)
    ]


def _median(counts: NDArray[np.int64]) -> float | None:
    total = counts.sum()
    if not total:
        return None
    return int(np.searchsorted(np.cumsum(counts), (total + 1) // 2)) / 10


def _box(rows: list[dict[str, Any]]) -> dict[str, float] | None:
    """Return the extent of all users; west may be a larger number than east across 180°."""
    if not rows:
        return None
    south, north, west, east, west_of_180, east_of_180 = np.array(
        [row.pop("box") for row in rows]
    ).T
    ends = west.min(), east.max()
    turned = west_of_180.min(), east_of_180.max()
    if turned[1] - turned[0] < ends[1] - ends[0]:
        ends = tuple((end + 180.0) % 360.0 - 180.0 for end in turned)
    return {
        "south": float(south.min()),
        "north": float(north.max()),
        "west": float(ends[0]),
        "east": float(ends[1]),
    }
