"""What a search is, and how it gets its name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, NamedTuple, TypeAlias, TypeVar

import numpy as np

from alp.params import Space, State, build, check, parse_spec
from alp.registry import Registry

CostOfState: TypeAlias = Callable[[State], float]
S = TypeVar("S", bound="Search")


class Step(NamedTuple):
    """One state a search looked at, and whether it went on from there."""

    state: State
    cost: float
    accepted: bool


class Search(ABC):
    """Yields steps through a space of states. The caller may stop at any step.

    Subclasses are frozen dataclasses; their fields are their options.
    """

    name: ClassVar[str]
    source: ClassVar[str] = ""
    rechecks: ClassVar[bool] = False
    """Whether the best states of a random mechanism are to be tried again on fresh draws."""

    def __post_init__(self) -> None:
        """Refuse field values that make no sense."""
        check(self)

    @abstractmethod
    def explore(
        self, space: Space, cost: CostOfState, rng: np.random.Generator, *, objectives: int = 1
    ) -> Iterator[Step]:
        """Yield every step; `objectives` is the range of the cost."""

    def choose(self, steps: Sequence[Step], space: Space) -> Step:
        """Return the step whose state is kept: the cheapest, of equal ones the most private."""
        return min(steps, key=lambda step: (step.cost, space.privacy_rank(step.state)))


SEARCHES: Registry[Search] = Registry("search", entry_point_group="alp.searches")


def search(name: str) -> Callable[[type[S]], type[S]]:
    """Return the decorator that registers a search under a short name in kebab case."""
    return SEARCHES.register(name)  # type: ignore[return-value]


def search_named(given: str | Search) -> Search:
    """Return the search that `given` names, options in parentheses included."""
    if isinstance(given, Search):
        return given
    name, options = parse_spec(given)
    return build(SEARCHES[name], options)
