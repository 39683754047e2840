"""Area coverage: how much of the visited area the protected trace shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from alp.geo.cells import cell_ids
from alp.metrics._base import Evaluation, Metric, Purpose, metric
from alp.params import Interval, Option
from alp.trace import Trace


@metric("area-coverage")
@dataclass(frozen=True, slots=True, kw_only=True)
class AreaCoverage(Metric):
    """F-score of the S2 cells of the protected trace against those of the real one (ALP, Def. 5–7).

    The printed formulas divide by numbers of records, where the words say cells; `literal` computes
    them as printed, for comparison only.
    """

    purpose: ClassVar[Purpose] = Purpose.UTILITY
    best: ClassVar[str] = "high"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    identity: ClassVar[float | None] = None  # 1 but for `literal`
    source: ClassVar[str] = "Primault et al., Adaptive Location Privacy with ALP, SRDS 2016, §IV"

    level: Annotated[int, Option("S2 level; 15 is about 280 m.", allowed=Interval(0, 30))] = 15
    literal: Annotated[bool, Option("Divide by records instead of cells, as printed.")] = False

    def prepare(self, real: Trace) -> Evaluation:
        """Return the metric with the real trace's cells known."""
        from alp.kernels.cells import count_common

        geometry, level = real.geometry, self.level
        cells = np.unique(cell_ids(geometry.vectors(real.points), level))
        literal, records = self.literal, len(real)

        def evaluate(protected: Trace) -> float | None:
            if not records and not len(protected):
                return None
            ids = cell_ids(geometry.vectors(protected.points), level)
            distinct, common = count_common(cells, ids)
            if literal:
                return float(2.0 * common / (records + len(protected)))
            return float(2.0 * common / (len(cells) + distinct))

        return evaluate
