"""Spatial distortion: how far protected locations stray from the real path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from alp.geo.geometry import Floats
from alp.geo.index import PathIndex
from alp.metrics._base import Evaluation, Metric, Purpose, metric
from alp.params import Option
from alp.trace import Trace

Statistic = Literal["mean", "median", "p95", "max"]


@metric("spatial-distortion")
@dataclass(frozen=True, slots=True, kw_only=True)
class SpatialDistortion(Metric):
    """Mean distance from each protected location to the real trace (ALP, Def. 4).

    It ignores time and does not notice deleted records.
    """

    purpose: ClassVar[Purpose] = Purpose.UTILITY
    unit: ClassVar[str] = "m"
    scale: ClassVar[float] = 500.0
    identity: ClassVar[float | None] = 0.0
    source: ClassVar[str] = "Primault et al., Adaptive Location Privacy with ALP, SRDS 2016, §IV"

    mode: Annotated[
        Literal["vertex", "segment_ref", "polyline"],
        Option(
            "Distance to the nearest record, to one segment beside it (the authors' code), or to "
            "the whole path."
        ),
    ] = "vertex"
    statistic: Annotated[Statistic, Option("What is told of all distances.")] = "mean"

    def prepare(self, real: Trace) -> Evaluation:
        """Return the metric with the real trace indexed."""
        index = PathIndex(real.points, real.geometry)
        mode, statistic = self.mode, self.statistic

        def evaluate(protected: Trace) -> float | None:
            if not len(index) or not len(protected):
                return None
            return _summary(index.distances(protected.points, mode), statistic)

        return evaluate


def _summary(distances: Floats, statistic: Statistic) -> float:
    if statistic == "mean":
        return float(distances.mean())
    if statistic == "max":
        return float(distances.max())
    return float(np.quantile(distances, 0.5 if statistic == "median" else 0.95))
