"""Domains: the ordered values that a parameter may take while it is tuned."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import Any, Literal

from alp.errors import ParameterError, UnknownNameError


@dataclass(frozen=True)
class Interval:
    """The values that make sense at all, tuned or set by hand."""

    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, Real) or not math.isfinite(value):
            return False
        number = float(value)
        return (number > self.low if self.open_low else number >= self.low) and number <= self.high

    def __str__(self) -> str:
        if self.high == math.inf:
            return f"a number {'above' if self.open_low else 'of at least'} {self.low:g}"
        return f"a number from {self.low:g} to {self.high:g}"


ANYTHING = Interval()


@dataclass(frozen=True)
class Domain(ABC):
    """The ordered values of a parameter, with what a person needs to know about it."""

    unit: str = field(default="", kw_only=True)
    help: str = field(default="", kw_only=True)
    private: Literal["low", "high", ""] = field(default="", kw_only=True)
    """Which end hides more: ties between equal costs go there."""
    raw: Any = field(default=None, kw_only=True)
    """The value that publishes data as it is; tuned only where the user allows it."""
    allowed: Interval = field(default=ANYTHING, kw_only=True)

    @cached_property
    def values(self) -> tuple[Any, ...]:
        """The values in order, without the raw one unless it was listed."""
        values = self._values()
        if not values:
            raise ParameterError(f"the domain {self} is empty: give at least one value")
        return values

    @abstractmethod
    def _values(self) -> tuple[Any, ...]: ...

    def check(self, name: str, owner: str, value: object) -> None:
        """Raise unless `value` makes sense for the parameter."""
        if value not in self.allowed:
            unit = f" {self.unit}" if self.unit else ""
            raise ParameterError(
                f"{name} of {owner} must be {self.allowed}{unit}, but {value!r} was given"
            )


@dataclass(frozen=True)
class Linear(Domain):
    """Equally spaced values from `low` to `high`.

    >>> Linear(0, 1, 0.25).values
    (0.0, 0.25, 0.5, 0.75, 1.0)
    """

    low: float
    high: float
    step: float

    def _values(self) -> tuple[float, ...]:
        _require_finite(self, self.low, self.high, self.step)
        if self.step <= 0 or self.high < self.low:
            raise ParameterError(f"the domain {self} is empty: use linear(low,high,step), step > 0")
        _require_bearable(self, (self.high - self.low) / self.step)
        count = math.floor((self.high - self.low) / self.step + 1e-9) + 1
        # Twelve decimals take away the dust of the multiplication: 0.3, not 0.30000000000000004.
        return tuple(float(round(self.low + i * self.step, 12)) for i in range(count))

    def __str__(self) -> str:
        return f"linear({self.low:g},{self.high:g},{self.step:g})"


@dataclass(frozen=True)
class Log(Domain):
    """`count` values from `low` to `high`, each the same factor from the next.

    >>> Log(1, 100, 3).values
    (1.0, 10.0, 100.0)
    """

    low: float
    high: float
    count: int

    def _values(self) -> tuple[float, ...]:
        _require_finite(self, self.low, self.high, self.count)
        if self.low <= 0 or self.high < self.low or self.count < 1 or self.count != int(self.count):
            raise ParameterError(
                f"the domain {self} is empty: use log(low,high,count), 0 < low <= high, count >= 1"
            )
        _require_bearable(self, self.count)
        if self.count == 1:
            return (float(self.low),)
        ratio = math.log10(self.high / self.low) / (self.count - 1)
        inner = (self.low * 10 ** (i * ratio) for i in range(1, int(self.count) - 1))
        return (float(self.low), *inner, float(self.high))

    def __str__(self) -> str:
        return f"log({self.low:g},{self.high:g},{self.count:g})"


@dataclass(frozen=True)
class Choice(Domain):
    """Listed values, in the order of the list."""

    options: tuple[Any, ...]

    def _values(self) -> tuple[Any, ...]:
        return self.options

    def check(self, name: str, owner: str, value: object) -> None:
        """Raise unless `value` is a sensible number, or one of the listed words."""
        if isinstance(value, str):
            if value not in self.options:
                raise UnknownNameError(f"{name} of {owner}", value, map(str, self.options))
        else:
            super().check(name, owner, value)

    def __str__(self) -> str:
        return ",".join(f"{v:g}" if isinstance(v, float) else str(v) for v in self.options)


_ITEM = re.compile(r"\s*(?:(linear|log)\(([^()]*)\)|([^,()]+))\s*(?:,|$)")


def parse_domain(text: str) -> Domain:
    """Return the domain that `text` writes: `log(0.001,0.1,41)`, `linear(0,500,5)`, `0,50,100`.

    Forms can be listed together.

    >>> parse_domain("0,linear(50,70,10)").values
    (0.0, 50.0, 60.0, 70.0)
    """
    domains: list[Domain] = []
    at = 0
    while at < len(text):
        match = _ITEM.match(text, at)
        if not match or match.end() == at:
            raise _no_domain(text)
        form, arguments, value = match.groups()
        domains.append(_parse_form(form, arguments, text) if form else Choice((_parse(value),)))
        at = match.end()
    if len(domains) == 1:
        domains[0].values  # noqa: B018 — an empty domain is said now
        return domains[0]
    merged = dict.fromkeys(value for domain in domains for value in domain.values)
    if not merged:
        raise ParameterError(f"the domain '{text}' is empty: give at least one value")
    return Choice(tuple(merged))


def _parse_form(form: str, arguments: str, text: str) -> Domain:
    try:
        numbers = [float(part) for part in arguments.split(",")]
    except ValueError:
        raise _no_domain(text) from None
    if len(numbers) != 3:
        raise _no_domain(text)
    low, high, third = numbers
    return Linear(low, high, third) if form == "linear" else Log(low, high, third)  # type: ignore[arg-type]


def _parse(value: str) -> float | str:
    try:
        return float(value)
    except ValueError:
        return value.strip()


def _no_domain(text: str) -> ParameterError:
    return ParameterError(
        f"'{text}' is no domain: write log(low,high,count), linear(low,high,step) or values v1,v2,…"
    )


def _require_finite(domain: Domain, *numbers: float) -> None:
    if not all(math.isfinite(n) for n in numbers):
        raise ParameterError(f"the domain {domain} must be finite")


def _require_bearable(domain: Domain, count: float) -> None:
    if count > 1_000_000:
        raise ParameterError(f"the domain {domain} has over a million values: use a larger step")
