"""Grid: every state, in order. The exact answer, and the oracle of the other searches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from alp.params import Space
from alp.search._base import CostOfState, Search, Step, search


@search("grid")
@dataclass(frozen=True, slots=True, kw_only=True)
class Grid(Search):
    """Look at every state, in the order of the domains."""

    def explore(
        self, space: Space, cost: CostOfState, rng: np.random.Generator, *, objectives: int = 1
    ) -> Iterator[Step]:
        """Yield every state once."""
        best = float("inf")
        for state in product(*(range(len(d.values)) for d in space.dimensions)):
            price = cost(state)
            yield Step(state, price, price <= best)
            best = min(best, price)
