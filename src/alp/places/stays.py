"""Spatio-temporal clustering of a trace into stays: its points of interest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alp.geo import Geometry, Points
from alp.trace import Trace

DIAMETER_M = 200.0
STAY_S = 900.0


@dataclass(frozen=True, slots=True, repr=False)
class Pois:
    """The stays of a trace: where, from when to when, and of how many records."""

    points: Points
    windows: NDArray[np.int64]
    first_us: NDArray[np.int64]
    last_us: NDArray[np.int64]
    geometry: Geometry

    def __len__(self) -> int:
        return len(self.windows)

    def __repr__(self) -> str:
        return f"Pois({len(self)} stays)"  # no positions: a repr ends in logs

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Records per stay."""
        return self.windows[:, 1] - self.windows[:, 0]

    @property
    def dwell_s(self) -> NDArray[np.float64]:
        """Seconds from the first to the last record of each stay."""
        return (self.last_us - self.first_us) / 1e6

    def degrees(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return (latitudes, longitudes) of the centres."""
        return self.geometry.to_degrees(self.points)


def find_pois(trace: Trace, diameter_m: float = DIAMETER_M, stay_s: float = STAY_S) -> Pois:
    """Return the stays of a trace, after Hariharan and Toyama.

    A stay is a run of at least two records, none farther than `diameter_m` from another, that lasts
    at least `stay_s`. A gap in the records counts as presence.
    """
    from alp.kernels.stays import find_stays, window_centroids

    geometry = trace.geometry
    points, time_us = trace.points, trace.time_us
    # Exactly the diameter is inside. PROMESSE puts records exactly so far apart, and without this
    # allowance the last bit of a coordinate would decide.
    limit = geometry.chord(diameter_m) * (1.0 + 1e-9)
    windows = find_stays(time_us, *points, limit, round(stay_s * 1e6))
    centres = window_centroids(windows, *points, geometry.radius_m)
    return Pois(centres, windows, time_us[windows[:, 0]], time_us[windows[:, 1] - 1], geometry)
