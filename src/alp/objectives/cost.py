"""Objectives and values → one cost (Algorithm 2, with limits and weights)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alp.objectives.objective import Limit, Objective, Wish


class Cost:
    """The weighted sum of what each wish lacks, from 0 to the number of objectives.

    Where a limit is broken the cost is that number plus a part of it that grows with the mean
    violation: any state within all limits is cheaper than any state that is not.
    """

    def __init__(self, objectives: Sequence[Objective]) -> None:
        self.objectives = tuple(objectives)
        self._limits = tuple(o for o in objectives if isinstance(o, Limit))
        wishes = tuple(o for o in objectives if isinstance(o, Wish))
        share = len(wishes) / sum(o.weight for o in wishes) if wishes else 0.0
        self._wishes = tuple((o, o.weight * share) for o in wishes)

    @property
    def count(self) -> int:
        """The number of objectives, at least 1: the range of the cost."""
        return max(len(self.objectives), 1)

    def __call__(self, values: Mapping[str, float | None]) -> float:
        """Return the cost of the metrics' values, by label."""
        if self._limits:
            violation = self.violation(values)
            if violation > 0.0:
                return self.count * (1.0 + _saturated(violation))
        return sum(weight * wish.term(values[wish.label]) for wish, weight in self._wishes)

    def violation(self, values: Mapping[str, float | None]) -> float:
        """Return the weighted mean violation of the limits; 0 if all hold."""
        total = sum(limit.weight for limit in self._limits)
        broken = sum(limit.weight * limit.violation(values[limit.label]) for limit in self._limits)
        return broken / total if total else 0.0

    def feasible(self, values: Mapping[str, float | None]) -> bool:
        """Tell whether all limits hold."""
        return self.violation(values) == 0.0


def _saturated(violation: float) -> float:
    """Return the violation cut at 1, but for a trace that still tells bad from worse."""
    return violation if violation <= 1.0 else 1.0 + 1e-6 * (1.0 - 1.0 / violation)
