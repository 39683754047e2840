"""What is wrong in raw records, mended and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from alp.errors import DataError
from alp.geo.geometry import wrap
from alp.trace.records import Records

KINDS: Mapping[str, str] = {
    "unreadable": "unreadable and dropped",
    "not_finite": "without a finite coordinate and dropped",
    "out_of_range": "with a latitude beyond ±90° and dropped",
    "wrapped": "with a longitude beyond ±180° and wrapped",
    "out_of_order": "out of order and sorted",
    "duplicate": "exact duplicates and dropped",
}


class Repairs(Counter[str]):
    """How many records had each kind of damage; an empty one is falsy."""

    # Counter's own sum is a plain Counter.
    def __add__(self, other: Counter[str]) -> Repairs:  # type: ignore[override]
        return Repairs(Counter.__add__(self, other))

    def __str__(self) -> str:
        parts = [f"{self[kind]:,} {words}" for kind, words in KINDS.items() if self[kind]]
        return "; ".join(parts) or "nothing to repair"


def repair(records: Records, *, strict: bool = False, where: str = "") -> tuple[Records, Repairs]:
    """Return clean records, oldest first, and what it took.

    Records without finite coordinates or with an impossible latitude are dropped, longitudes are
    wrapped to [−180, 180), records are sorted by time (equal times keep their order) and exact
    duplicates are dropped. Several places at one time are kept.

    Raises:
        DataError: if `strict` and anything had to be repaired.
    """
    found = Repairs(unreadable=records.unreadable)
    finite = np.isfinite(records.lat) & np.isfinite(records.lon)
    found["not_finite"] = int(len(records) - np.count_nonzero(finite))
    possible = finite & (np.abs(records.lat, where=finite, out=np.zeros(len(records))) <= 90.0)
    found["out_of_range"] = int(np.count_nonzero(finite) - np.count_nonzero(possible))
    if not possible.all():
        records = records.take(possible)
    turned = wrap(records.lon)
    if turned is not records.lon:
        found["wrapped"] = int(np.count_nonzero(np.abs(records.lon) > 180.0))
        records = Records(records.time_us, records.lat, turned, records.extra)
    steps = np.diff(records.time_us)
    if (steps < 0).any():
        found["out_of_order"] = int(np.count_nonzero(steps < 0))
        records = records.take(np.argsort(records.time_us, kind="stable"))
        steps = np.diff(records.time_us)
    if (steps == 0).any():
        first = _first_of_each(records, steps)
        found["duplicate"] = int(len(first) - np.count_nonzero(first))
        if found["duplicate"]:
            records = records.take(first)
    found = Repairs({kind: count for kind, count in found.items() if count})
    if strict and found:
        raise DataError(
            f"{where or 'the records'}: {found}; repair the data, or leave out --strict"
        )
    return records, found


def _first_of_each(records: Records, steps: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which sorted records are not a repetition of an earlier one at the same time."""
    keep = np.ones(len(records), bool)
    shared = np.zeros(len(records), bool)  # records that share their time with another
    shared[1:] = steps == 0
    shared[:-1] |= steps == 0
    some = np.flatnonzero(shared)
    order = np.lexsort((records.lon[some], records.lat[some], records.time_us[some]))
    ranked = some[order]  # lexsort is stable: of equal records the first in the file comes first
    same = (
        (np.diff(records.time_us[ranked]) == 0)
        & (np.diff(records.lat[ranked]) == 0)
        & (np.diff(records.lon[ranked]) == 0)
    )
    keep[ranked[1:][same]] = False
    return keep
