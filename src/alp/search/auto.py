"""Auto: exact where that is cheap, annealing with a descent where it is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from alp.params import Interval, Option, Space, State
from alp.search._base import CostOfState, Search, Step, search
from alp.search.annealing import Annealing
from alp.search.grid import Grid


@search("auto")
@dataclass(frozen=True, slots=True, kw_only=True)
class Auto(Search):
    """Every state if there are few; else annealing, then downhill from the best state seen.

    The best states of a random mechanism are tried again on fresh draws, so that luck does not win.
    """

    rechecks: ClassVar[bool] = True

    limit: Annotated[int, Option("How many states are few.", allowed=Interval(0))] = 500

    def explore(
        self, space: Space, cost: CostOfState, rng: np.random.Generator, *, objectives: int = 1
    ) -> Iterator[Step]:
        """Yield the steps of the grid, or those of the annealing and of the descent."""
        if space.size <= self.limit:
            yield from Grid().explore(space, cost, rng, objectives=objectives)
            return
        steps = []
        for step in Annealing().explore(space, cost, rng, objectives=objectives):
            steps.append(step)
            yield step
        yield from descend(self.choose(steps, space), space, cost)


def descend(start: Step, space: Space, cost: CostOfState) -> Iterator[Step]:
    """Yield steps to ever better neighbours, one index away in one parameter, until none is."""

    def merit(state: State, price: float) -> tuple[float, tuple[int, ...]]:
        return price, space.privacy_rank(state)

    at, best = start.state, merit(start.state, start.cost)
    moved = True
    while moved:
        moved = False
        for k, dimension in enumerate(space.dimensions):
            for index in (at[k] - 1, at[k] + 1):
                if not 0 <= index < len(dimension.values):
                    continue
                state = (*at[:k], index, *at[k + 1 :])
                price = cost(state)
                better = merit(state, price) < best
                yield Step(state, price, better)
                if better:
                    at, best, moved = state, merit(state, price), True
