"""Records as a file holds them: columns that may still be damaged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

TRACE = "trace"
"""The reserved extra column: which of the input's own trajectories a record belongs to."""


@dataclass(frozen=True, slots=True, repr=False)
class Records:
    """One user's raw columns, in the order of the file."""

    time_us: NDArray[np.int64]
    lat: NDArray[np.float64]
    lon: NDArray[np.float64]
    extra: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    unreadable: int = 0
    """How many more records the file has of which not even the time can be read."""

    def __repr__(self) -> str:
        return f"Records({len(self)})"  # no positions: a repr ends in logs

    def __len__(self) -> int:
        return len(self.time_us)

    def take(self, index: NDArray[Any]) -> Records:
        """Return the records at `index` (positions or a mask)."""
        extra = {name: column[index] for name, column in self.extra.items()}
        return Records(
            self.time_us[index], self.lat[index], self.lon[index], extra, self.unreadable
        )
