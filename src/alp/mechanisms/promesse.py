"""PROMESSE: speed smoothing, so that stops vanish."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from alp.errors import ParameterError, TooManyRecordsError
from alp.geo import MERCATOR
from alp.mechanisms._base import Mechanism, mechanism
from alp.params import Interval, Linear, Option
from alp.trace import Trace

MOST_RECORDS = 1_000_000
MOST_PER_RECORD = 5
"""A trace may become five times as long, or a million records; what is more is refused."""

_POSITIVE = Interval(0, open_low=True)


@mechanism("promesse")
@dataclass(frozen=True, slots=True, kw_only=True)
class Promesse(Mechanism):
    """Put a record every α metres along the way, evenly spread in time.

    The first and the last point are dropped. A trace that never leaves its start by α comes out
    empty; α = 0 publishes the trace as it is. Where α is larger than a POI's diameter, no stay is
    left on any data. A long gap in the records is filled with points on a straight line; `gap` and
    `jump` smooth the parts on either side apart instead. Two parts may then come near each other,
    α or more from the place between them, which can look like a stay.
    """

    source: ClassVar[str] = (
        "Primault et al., Time Distortion Anonymization for the Publication of Mobility Data "
        "with High Utility, TrustCom 2015"
    )
    random: ClassVar[bool] = False
    keeps_records: ClassVar[bool] = False
    # One or two records are no stay, whatever place they give away: a search would choose them.
    when_tuned: ClassVar[Mapping[str, object]] = {"min_points": 3}
    objectives: ClassVar[tuple[str, ...]] = ("minimise poi-retrieval", "maximise area-coverage")

    alpha: Annotated[
        float,
        Linear(
            5,
            500,
            5,
            unit="m",
            help="Distance between records; larger hides more.",
            private="high",
            raw=0.0,
            allowed=Interval(0),
        ),
    ] = 200.0
    gap: Annotated[
        float | None,
        Option("Smooth what lies before and after a longer gap apart.", "s", _POSITIVE),
    ] = None
    jump: Annotated[
        float | None,
        Option("Smooth what lies before and after a longer jump apart.", "m", _POSITIVE),
    ] = None
    min_points: Annotated[
        int,
        Option("Publish nothing rather than fewer records (3 when tuned).", allowed=Interval(1)),
    ] = 1

    def __post_init__(self) -> None:
        """Refuse an α so small that rounding would swallow its steps."""
        Mechanism.__post_init__(self)
        if 0 < self.alpha < 0.01:
            raise ParameterError(
                f"alpha of promesse must be 0 or at least 0.01 m, but {self.alpha:g} was given"
            )

    def protect(self, trace: Trace, rng: np.random.Generator) -> Trace:
        """Return the smoothed trace; it has other records, so other columns are lost."""
        return self.apply(trace, None)

    def draw(self, trace: Trace, rng: np.random.Generator) -> None:
        """Return nothing: the mechanism is not random."""

    def apply(self, trace: Trace, draws: None) -> Trace:
        """Return the smoothed trace."""
        if not len(trace) or self.alpha == 0:
            return trace
        if self.gap is None and self.jump is None:
            return self._smoothed(trace)
        breaks = self._breaks(trace)
        ends = [0, *map(int, breaks), len(trace)]
        parts = [self._smoothed(trace.select(slice(*two))) for two in pairwise(ends)]
        # The authors' clock rounds up: a part may end a millisecond after the next one begins.
        time_us = np.maximum.accumulate(np.concatenate([part.time_us for part in parts]))
        x, y, z = (np.concatenate([part.points[k] for part in parts]) for k in range(3))
        return Trace.of_points(trace.user, time_us, (x, y, z), trace.geometry)

    def _breaks(self, trace: Trace) -> NDArray[np.int64]:
        """Return the first record after each gap or jump that is too long."""
        apart = np.zeros(max(len(trace) - 1, 0), bool)
        if self.gap is not None:
            apart |= np.diff(trace.time_us) > self.gap * 1e6
        if self.jump is not None:
            x, y, z = (np.diff(column) for column in trace.points)
            apart |= x * x + y * y + z * z > trace.geometry.chord(self.jump) ** 2
        return np.flatnonzero(apart) + 1

    def _smoothed(self, trace: Trace) -> Trace:
        from alp.kernels.smoothing import smooth, spread_evenly, spread_evenly_ms

        self._check_size(trace)
        geometry = trace.geometry
        time_us, *points = smooth(
            trace.time_us,
            *trace.points,
            self.alpha,
            geometry.chord(self.alpha),
            geometry.radius_m,
        )
        if len(time_us) < self.min_points:
            return trace.select(slice(0))
        # The authors' units come with the authors' clock, or their numbers cannot be compared.
        spread = spread_evenly_ms if geometry is MERCATOR else spread_evenly
        return Trace.of_points(trace.user, spread(time_us), tuple(points), geometry)

    def _check_size(self, trace: Trace) -> None:
        """Refuse to invent records without end: one wrong position draws lines round the world."""
        expected = trace.length_m / self.alpha
        if expected > max(MOST_RECORDS, MOST_PER_RECORD * len(trace)):
            raise TooManyRecordsError(
                f"alpha={self.alpha:g} of promesse would make {expected:,.0f} records of "
                f"{len(trace):,} of user {trace.user}, who moves {trace.length_m / 1000:,.0f} km; "
                "use a larger alpha, or --set jump=2000 to leave jumps out"
            )
