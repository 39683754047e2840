"""Space: the product of the domains that a search explores."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, TypeAlias

from alp.errors import ParameterError, UnknownNameError
from alp.params.domains import Domain, parse_domain
from alp.params.options import Declared, declared

State: TypeAlias = tuple[int, ...]
"""One index per dimension: a search walks over these."""
Configuration: TypeAlias = dict[str, Any]
"""One value per parameter: a mechanism is made with these."""


@dataclass(frozen=True)
class Dimension:
    """One parameter that is tuned: its name, its ordered values, and which end hides more."""

    name: str
    values: tuple[Any, ...]
    private: str = ""

    def __str__(self) -> str:
        ends = f"{self.values[0]} to {self.values[-1]}"
        return f"{ends}, {len(self.values)} values" if len(self.values) > 1 else str(self.values[0])

    def privacy_rank(self, index: int) -> int:
        """Return how far the value is from the most private one."""
        if self.private == "high":
            return len(self.values) - 1 - index
        return index if self.private == "low" else 0


@dataclass(frozen=True)
class Space:
    """All configurations of the parameters that are tuned."""

    dimensions: tuple[Dimension, ...]

    @property
    def size(self) -> int:
        """The number of states; 1 if nothing is tuned."""
        return math.prod(len(d.values) for d in self.dimensions)

    def configuration(self, state: State) -> Configuration:
        """Return the parameter values of a state."""
        return {d.name: d.values[i] for d, i in zip(self.dimensions, state, strict=True)}

    def privacy_rank(self, state: State) -> tuple[int, ...]:
        """Return a key that is smallest for the state that hides most."""
        return tuple(d.privacy_rank(i) for d, i in zip(self.dimensions, state, strict=True))

    @classmethod
    def of(
        cls,
        plugin: type,
        *,
        domains: Mapping[str, str | Domain] | None = None,
        fixed: Mapping[str, object] | None = None,
        allow_raw: bool = False,
    ) -> Space:
        """Return the space of a mechanism's declared domains.

        `domains` replaces a declared one, `fixed` takes a parameter out, `allow_raw` adds the value
        that publishes data as it is.
        """
        owner = getattr(plugin, "name", plugin.__name__)
        tunable = {f.name: f for f in declared(plugin) if isinstance(f.about, Domain)}
        given = dict(domains or {})
        for name in given:
            if name not in tunable:
                raise UnknownNameError(f"tunable parameter of {owner}", name, tunable)
            if name in (fixed or {}):
                raise ParameterError(
                    f"{name} of {owner} is both set and given a domain: choose one"
                )
        return cls(
            tuple(
                _dimension(field, field.about, owner, given.get(name), allow_raw)
                for name, field in tunable.items()
                if name not in (fixed or {}) and isinstance(field.about, Domain)
            )
        )


def _dimension(
    field: Declared, about: Domain, owner: str, given: str | Domain | None, allow_raw: bool
) -> Dimension:
    if given is None:
        values = about.values
        if allow_raw and about.raw is not None and about.raw not in values:
            values = tuple(sorted((about.raw, *values)))
    else:
        values = (parse_domain(given) if isinstance(given, str) else replace(given)).values
    for value in values:
        about.check(field.name, owner, value)
    if given is not None and all(isinstance(v, Real) for v in values):
        values = tuple(sorted(set(values)))
    if field.type is int:  # a form such as linear(1,9,2) is read as 1.0, 3.0, …
        values = tuple(int(v) if v == int(v) else v for v in values)
    return Dimension(field.name, values, about.private)
