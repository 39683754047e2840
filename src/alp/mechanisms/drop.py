"""Random dropping: a baseline that publishes some of the records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from alp.mechanisms._base import Mechanism, mechanism
from alp.params import Interval, Linear
from alp.trace import Trace


@mechanism("drop")
@dataclass(frozen=True, slots=True, kw_only=True)
class Drop(Mechanism):
    """Keep each record, as it is, with probability `keep`, independently of the others."""

    source: ClassVar[str] = "Primault et al., Adaptive Location Privacy with ALP, SRDS 2016, §III"

    keep: Annotated[
        float,
        Linear(
            0.05,
            0.95,
            0.05,
            help="Probability to keep a record; smaller hides more.",
            private="low",
            raw=1.0,
            allowed=Interval(0, 1),
        ),
    ] = 0.5

    def protect(self, trace: Trace, rng: np.random.Generator) -> Trace:
        """Return the records that were kept."""
        return self.apply(trace, self.draw(trace, rng))

    def draw(self, trace: Trace, rng: np.random.Generator) -> Any:
        """Return a number for each record: what a smaller `keep` keeps, a larger one does."""
        return rng.random(len(trace))

    def apply(self, trace: Trace, draws: Any) -> Trace:
        """Return the records whose number is below `keep`."""
        return trace.select(draws < self.keep)
