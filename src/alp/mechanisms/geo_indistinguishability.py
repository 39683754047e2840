"""Geo-indistinguishability: planar Laplace noise on every location."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from alp.geo import Points
from alp.mechanisms._base import Mechanism, mechanism
from alp.params import Interval, Log, Option
from alp.trace import Trace


@mechanism("geo-i")
@dataclass(frozen=True, slots=True, kw_only=True)
class GeoIndistinguishability(Mechanism):
    """Move each record independently by planar Laplace noise.

    The mean displacement is 2/ε metres. Times and the number of records are kept. Released
    coordinates lie on one world-wide grid: the low bits of unrounded numbers would tell which
    locations they cannot come from.
    """

    source: ClassVar[str] = "Andrés et al., Geo-indistinguishability, CCS 2013"

    epsilon: Annotated[
        float,
        Log(
            0.001,
            0.1,
            41,
            unit="1/m",
            help="Privacy loss per metre; smaller hides more.",
            private="low",
            allowed=Interval(1e-6),  # below, noise goes round the Earth and the theorem ends
        ),
    ] = 0.01
    digits: Annotated[
        int, Option("Decimals of released degrees, the same everywhere.", allowed=Interval(0, 9))
    ] = 6

    sampler: Annotated[
        Literal["two-logs", "inverse-cdf"],
        Option("How the radius is drawn: the same distribution, fast or the paper's way."),
    ] = "two-logs"

    def protect(self, trace: Trace, rng: np.random.Generator) -> Trace:
        """Return `trace` with every location displaced and on the grid."""
        return self.apply(trace, self.draw(trace, rng)).rounded(self.digits)

    def draw(self, trace: Trace, rng: np.random.Generator) -> Points:
        """Return displacements for ε = 1."""
        from alp.kernels.laplace import unit_displacements, unit_displacements_by_inverse

        if self.sampler == "inverse-cdf":
            east, north = unit_displacements_by_inverse(rng.random((2, len(trace))))
        else:
            east, north = unit_displacements(rng.random((3, len(trace))))
        return trace.geometry.directions(trace.points, east, north)

    def apply(self, trace: Trace, draws: Any) -> Trace:
        """Return `trace` with every location displaced, not yet on the grid."""
        return trace.with_points(trace.geometry.travel(trace.points, draws, 1.0 / self.epsilon))

    def epsilon_per_m(self, trace: Trace) -> float | None:
        """Return ε in ground metres; a Mercator unit is shorter than a metre off the equator."""
        if not len(trace):
            return self.epsilon
        return float(self.epsilon / trace.geometry.ground_scale(trace.lat).min())
