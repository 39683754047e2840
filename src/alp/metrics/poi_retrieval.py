"""POIs retrieval: how well the places where a person stays are found in the protected trace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from alp.metrics._base import Evaluation, Metric, Purpose, metric
from alp.params import Interval, Option
from alp.places import PoiMatcher, find_pois
from alp.trace import Trace

_POSITIVE = Interval(0, open_low=True)


@metric("poi-retrieval")
@dataclass(frozen=True, slots=True, kw_only=True)
class PoiRetrieval(Metric):
    """F-score of the POIs found in the protected trace against the real ones (ALP, Def. 1–3).

    As printed, recall counts *retrieved* POIs over real ones and can exceed 1. Four readings:

    - `symmetric`: recall is the share of real POIs that are retrieved; at most 1.
    - `literal`: as printed, 2m'/(|P|+|P'|); a stay found in many pieces approaches 2.
    - `accio`: as the authors' later code, distinct nearest real POIs over both; pieces lower it.
    - `matching`: each POI counts once, by a largest matching.

    A trace without POIs has nothing to hide: 0.
    """

    purpose: ClassVar[Purpose] = Purpose.PRIVACY
    bounds: ClassVar[tuple[float, float]] = (0.0, 2.0)
    source: ClassVar[str] = "Primault et al., Adaptive Location Privacy with ALP, SRDS 2016, §IV"

    reading: Annotated[
        Literal["symmetric", "literal", "accio", "matching"],
        Option(
            "How matches count: real POIs found and retrieved ones that are real (symmetric), as "
            "printed (literal, up to 2), nearest real POIs once each (accio), or pairs (matching)."
        ),
    ] = "symmetric"
    score: Annotated[
        Literal["f", "precision", "recall", "dwell", "longest"],
        Option(
            "The F-score, one of its parts, the share of the time in POIs that is exposed, or "
            "whether the longest stay is."
        ),
    ] = "f"
    diameter: Annotated[float, Option("Largest extent of a stay.", "m", _POSITIVE)] = 200.0
    stay: Annotated[float, Option("Shortest duration of a stay.", "s", Interval(0))] = 900.0
    threshold: Annotated[
        float | None,
        Option("How near a retrieved POI is to a real one; half the diameter.", "m", Interval(0)),
    ] = None
    overlap: Annotated[bool, Option("Ask for an overlap in time, too.")] = False

    def prepare(self, real: Trace) -> Evaluation:
        """Return the metric with the real trace's POIs known."""
        pois = find_pois(real, self.diameter, self.stay)
        threshold = self.diameter / 2 if self.threshold is None else self.threshold
        matcher = PoiMatcher(pois, threshold, overlap=self.overlap)

        def evaluate(protected: Trace) -> float | None:
            if not len(pois):
                return 0.0
            retrieved = find_pois(protected, self.diameter, self.stay)
            if not len(retrieved):
                return 0.0
            if self._by_counts:
                found, hits = matcher.near_counts(retrieved)
                return self._ratio(found, hits, len(retrieved), len(pois))
            pairs = matcher.pairs(retrieved)
            if not len(pairs):
                return 0.0
            if self.score in ("dwell", "longest"):
                return self._exposed(matcher, pairs)
            return self._ratio(*self._matches(matcher, pairs), len(retrieved), len(pois))

        return evaluate

    @property
    def _by_counts(self) -> bool:
        """Whether it is enough to know that something is near, not what."""
        plain = self.reading in ("symmetric", "literal") and not self.overlap
        return plain and self.score in ("f", "precision", "recall")

    def _matches(self, matcher: PoiMatcher, pairs: NDArray[np.int64]) -> tuple[int, int]:
        """Return retrieved POIs that are real and real ones that are retrieved, by the reading."""
        found, hits, named = matcher.counts(pairs)
        if self.reading == "accio":
            return named, named
        if self.reading == "matching":
            size = matcher.largest_matching(pairs)
            return size, size
        return found, hits

    def _ratio(self, found: int, hits: int, retrieved: int, real: int) -> float:
        """Return precision, recall or the F-score."""
        if not found:
            return 0.0
        if self.reading == "literal":
            hits = found
        precision, recall = found / retrieved, hits / real
        if self.score == "precision":
            return precision
        if self.score == "recall":
            return recall
        if self.reading == "symmetric":
            return 2.0 * precision * recall / (precision + recall)
        # The same by counts, exact where both ratios are 1.
        return 2.0 * found / (retrieved + real)

    def _exposed(self, matcher: PoiMatcher, pairs: NDArray[np.int64]) -> float:
        dwell = matcher.real.dwell_s
        exposed = np.zeros(len(dwell), bool)
        exposed[pairs[:, 1]] = True
        if self.score == "longest":
            return float(exposed[int(np.argmax(dwell))])
        total = float(dwell.sum())
        return float(dwell[exposed].sum()) / total if total else float(exposed.mean())
