"""Simulated annealing: the paper's Algorithms 1 to 3."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from alp.params import Interval, Option, Space, State
from alp.search._base import CostOfState, Search, Step, search

_BETWEEN = Interval(0, 1, open_low=True)


@search("annealing")
@dataclass(frozen=True, slots=True, kw_only=True)
class Annealing(Search):
    """Walk at random, to worse states ever more rarely as the temperature falls.

    110 steps with the paper's schedule. Algorithm 1 returns the last state; the authors' code, and
    ours unless told otherwise, the best one seen. Like theirs it stops at cost 0.
    """

    source: ClassVar[str] = "Kirkpatrick et al., Optimization by Simulated Annealing, Science 1983"

    start: Annotated[float, Option("First temperature.", allowed=Interval(0, open_low=True))] = 1.0
    end: Annotated[float, Option("Last temperature.", allowed=Interval(0, open_low=True))] = 1e-5
    rate: Annotated[float, Option("Factor from one temperature to the next.", "", _BETWEEN)] = 0.9
    keep: Annotated[Literal["best", "last"], Option("Which state is kept at the end.")] = "best"

    def explore(
        self, space: Space, cost: CostOfState, rng: np.random.Generator, *, objectives: int = 1
    ) -> Iterator[Step]:
        """Yield a random first state, then one step for each temperature."""
        sizes = [len(d.values) for d in space.dimensions]
        movable = [k for k, size in enumerate(sizes) if size > 1]
        state: State = tuple(int(rng.integers(size)) for size in sizes)
        current = best = cost(state)
        yield Step(state, current, True)
        temperature = self.start
        while temperature >= self.end and best > 0 and movable:
            proposed = neighbour(state, sizes, movable, rng)
            price = cost(proposed)
            chance = acceptance(current, price, temperature, objectives)
            accepted = chance >= rng.random()
            if accepted:
                state, current = proposed, price
                best = min(best, current)
            yield Step(proposed, price, accepted)
            temperature *= self.rate

    def choose(self, steps: Sequence[Step], space: Space) -> Step:
        """Return the best step, or the last that was accepted."""
        if self.keep == "last":
            return next(step for step in reversed(steps) if step.accepted)
        # Zero-argument super() would look for the class that slots=True has replaced.
        return Search.choose(self, steps, space)


def neighbour(
    state: State, sizes: Sequence[int], movable: Sequence[int], rng: np.random.Generator
) -> State:
    """Return a copy of `state` with one parameter moved within its window (Algorithm 3)."""
    k = movable[int(rng.integers(len(movable)))] if len(movable) > 1 else movable[0]
    low, width = window(sizes[k], state[k])
    index = low + int(rng.integers(width - 1))
    index += index >= state[k]  # the current value is not its own neighbour
    return (*state[:k], index, *state[k + 1 :])


def window(size: int, index: int) -> tuple[int, int]:
    """Return (first index, width) of the half of a domain around `index`.

    The width is odd where it can be, and the window is shifted, not cut, at the ends. The current
    value is in it, and is left out when a neighbour is chosen.
    """
    width = math.ceil(size / 2)
    width += width % 2 == 0
    width = min(max(width, 3), size)
    return min(max(index - (width - 1) // 2, 0), size - width), width


def acceptance(cost: float, proposed: float, temperature: float, objectives: int) -> float:
    """Return the probability to go on from a state of cost `proposed` (Algorithm 2).

    >>> round(acceptance(0.5, 0.6, 1.0, 2), 4)
    0.475
    """
    if proposed < cost:
        return 1.0
    exponent = (proposed - cost) / (0.5 * temperature * objectives)
    return 1.0 / (1.0 + math.exp(min(700.0, exponent)))
