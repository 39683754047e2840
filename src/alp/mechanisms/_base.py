"""What a mechanism is, and how it gets its name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from alp.params import build, check, declared, parse_spec
from alp.registry import Registry
from alp.trace import Trace

M = TypeVar("M", bound="Mechanism")


class Mechanism(ABC):
    """Turns a trace into a protected one.

    Subclasses are frozen dataclasses; their fields are their configuration, and a field annotated
    with a domain can be tuned. A mechanism implements `protect`. One whose randomness does not
    depend on its parameters may implement `draw` and `apply`, too, so that a tuner draws once for
    all the configurations it tries.
    """

    name: ClassVar[str]
    source: ClassVar[str] = ""
    """Where the mechanism is published."""
    random: ClassVar[bool] = True
    """Whether `protect` draws from its generator; if so a tuner repeats and takes medians."""
    when_tuned: ClassVar[Mapping[str, object]] = {}
    """Options that a tuner needs and the plain mechanism does not have; the user's word wins."""
    keeps_records: ClassVar[bool] = True
    """Whether a released record is one of the trace's, so that other columns may go with it."""
    objectives: ClassVar[tuple[str, ...]] = (
        "minimise poi-retrieval",
        "minimise spatial-distortion",
    )
    """What the mechanism is tuned to unless the user says otherwise."""

    given: frozenset[str]
    """The fields that were written out when the object was made: the user's own word."""

    def __new__(cls, **fields: Any) -> Self:
        """Remember which fields were given: `Promesse(alpha=200)` is fixed, `Promesse()` tuned."""
        made = super().__new__(cls)
        object.__setattr__(made, "given", frozenset(fields))
        return made

    def __post_init__(self) -> None:
        """Refuse field values that make no sense."""
        check(self)

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy, or one sent to a worker, remembers the user's own word too.
        values = {field.name: getattr(self, field.name) for field in declared(type(self))}
        return _made_again, (type(self), values, self.given)

    def with_(self, **fields: Any) -> Self:
        """Return this mechanism with some fields changed."""
        return replace(self, **fields)  # type: ignore[type-var]  # subclasses are dataclasses

    @abstractmethod
    def protect(self, trace: Trace, rng: np.random.Generator) -> Trace:
        """Return the protected trace, as it may be released. `trace` is left alone."""

    def draw(self, trace: Trace, rng: np.random.Generator) -> Any:
        """Return the randomness for `apply`; it must not depend on tuned parameters."""
        return int(rng.integers(2**63))

    def apply(self, trace: Trace, draws: Any) -> Trace:
        """Return `trace` protected with given draws: equal draws make configurations comparable."""
        return self.protect(trace, np.random.default_rng(draws))

    def epsilon_per_m(self, trace: Trace) -> float | None:
        """Return the ε of geo-indistinguishability per record and ground metre, if there is one.

        It is a theorem about one record and parameters fixed beforehand; `alp.adapt.guarantee` says
        what is left of it for a release.
        """
        return None


def _made_again(cls: type[M], values: Mapping[str, Any], given: frozenset[str]) -> M:
    made = cls(**values)
    object.__setattr__(made, "given", given)
    return made


MECHANISMS: Registry[Mechanism] = Registry("mechanism", entry_point_group="alp.mechanisms")


def mechanism(name: str) -> Callable[[type[M]], type[M]]:
    """Return the decorator that registers a mechanism under a short name in kebab case."""
    return MECHANISMS.register(name)  # type: ignore[return-value]


def mechanism_named(
    given: str | Mechanism, fixed: Mapping[str, object] | None = None
) -> tuple[Mechanism, dict[str, object]]:
    """Return the mechanism that `given` names, and which of its fields were set by hand.

    Options in parentheses, the fields given to an object, and `fixed` are all the user's own word.
    """
    if isinstance(given, Mechanism):
        own = {name: getattr(given, name) for name in sorted(given.given)}
        cls, chosen = type(given), {**own, **(fixed or {})}
    else:
        name, options = parse_spec(given)
        cls, chosen = MECHANISMS[name], {**options, **(fixed or {})}
    made = build(cls, chosen)
    return made, {key: getattr(made, key) for key in chosen}
