"""Objectives: a metric and a wish, written as sentences."""

from __future__ import annotations

import difflib
import math
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from alp.errors import ObjectiveError
from alp.metrics import Metric, metric_named


@dataclass(frozen=True)
class Objective(ABC):
    """A wish about a metric. `label` is the metric as the user wrote it."""

    metric: Metric
    weight: float = field(default=1.0, kw_only=True)
    label: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        if not self.label:
            object.__setattr__(self, "label", str(self.metric))
        if not (self.weight > 0 and math.isfinite(self.weight)):
            raise ObjectiveError(f"the weight of {self.label} must be above 0, not {self.weight:g}")


@dataclass(frozen=True)
class Wish(Objective):
    """Lower or raise a metric, as far as possible."""

    scale: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.scale is None:
            object.__setattr__(self, "scale", self.metric.scale)
        if not (self.scale and self.scale > 0 and math.isfinite(self.scale)):
            raise ObjectiveError(f"the scale of {self.label} must be above 0, not {self.scale}")

    @property
    def how(self) -> str:
        """The words for scale and weight."""
        weight = "" if self.weight == 1 else f" weight {self.weight:g}"
        return f" scale {self.scale:g}{weight}"

    def scaled(self, value: float) -> float:
        """Return the value cut to [0, scale] and divided by the scale (Algorithm 2, line 5)."""
        scale = self.scale or 1.0
        return min(max(value, 0.0), scale) / scale

    @abstractmethod
    def term(self, value: float | None) -> float:
        """Return the cost of a value, from 0 (best) to 1; undefined is 1."""


@dataclass(frozen=True)
class Minimise(Wish):
    """Lower a metric."""

    def term(self, value: float | None) -> float:
        """Return the scaled value."""
        return 1.0 if value is None else self.scaled(value)

    def __str__(self) -> str:
        return f"minimise {self.label}{self.how}"


@dataclass(frozen=True)
class Maximise(Wish):
    """Raise a metric."""

    def term(self, value: float | None) -> float:
        """Return what the scaled value lacks."""
        return 1.0 if value is None else 1.0 - self.scaled(value)

    def __str__(self) -> str:
        return f"maximise {self.label}{self.how}"


@dataclass(frozen=True)
class Limit(Objective):
    """Keep a metric on one side of a bound; no state that does loses to one that does not."""

    bound: float = 0.0
    strict: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if math.isnan(self.bound):
            raise ObjectiveError(f"the bound of {self.label} must be a number")

    @abstractmethod
    def excess(self, value: float) -> float:
        """Return how far the value is on the wrong side; negative on the right one."""

    def violation(self, value: float | None) -> float:
        """Return 0 where the limit holds, more the worse it is broken; undefined is 1."""
        if value is None:
            return 1.0
        excess = self.excess(value)
        if excess < 0 or (excess == 0 and not self.strict):
            return 0.0
        if math.isinf(excess):
            return 1.0
        unit = max(abs(self.bound), 0.01 * self.metric.scale)
        return max(excess / unit, 1e-12)


@dataclass(frozen=True)
class AtMost(Limit):
    """metric <= bound, or metric < bound if strict."""

    def excess(self, value: float) -> float:
        """Return value − bound."""
        return value - self.bound

    def __str__(self) -> str:
        return f"{self.label} {'<' if self.strict else '<='} {self.bound:g}"


@dataclass(frozen=True)
class AtLeast(Limit):
    """metric >= bound, or metric > bound if strict."""

    def excess(self, value: float) -> float:
        """Return bound − value."""
        return self.bound - value

    def __str__(self) -> str:
        return f"{self.label} {'>' if self.strict else '>='} {self.bound:g}"


_NAME = r"(?P<metric>[^\s<>=()]+(?:\([^)]*\))?)"
_WISH = re.compile(
    rf"(?P<verb>min|max|minimi[sz]e|maximi[sz]e)\s+{_NAME}(?P<rest>(?:\s+\w+\s+\S+)*)",
    re.IGNORECASE,
)
_LIMIT = re.compile(rf"{_NAME}\s*(?P<op><=|>=|<|>|≤|≥)\s*(?P<bound>\S+)(?P<rest>(?:\s+\w+\s+\S+)*)")


def parse_objective(given: str | Objective) -> Objective:
    """Return the objective that a sentence states.

    >>> str(parse_objective("min spatial-distortion scale 500"))
    'minimise spatial-distortion scale 500'
    >>> str(parse_objective("poi-retrieval <= 0.1"))
    'poi-retrieval <= 0.1'
    """
    if isinstance(given, Objective):
        return given
    sentence = given.strip()
    if match := _WISH.fullmatch(sentence):
        options = _numbers(match["rest"], {"scale", "weight"}, given)
        kind = Minimise if match["verb"].lower().startswith("min") else Maximise
        return kind(
            metric_named(match["metric"]),
            options.get("scale"),
            weight=options.get("weight", 1.0),
            label=match["metric"],
        )
    if match := _LIMIT.fullmatch(sentence):
        options = _numbers(match["rest"], {"weight"}, given)
        limit = AtMost if match["op"] in ("<", "<=", "≤") else AtLeast
        return limit(
            metric_named(match["metric"]),
            _number(match["bound"], given),
            match["op"] in ("<", ">"),
            weight=options.get("weight", 1.0),
            label=match["metric"],
        )
    near = difflib.get_close_matches(sentence.lower().split(" ")[0], ["minimise", "maximise"], 1)
    hint = f"did you mean '{near[0]}'? " if near else ""
    raise ObjectiveError(
        f"'{given}' is no objective: {hint}write 'minimise METRIC [scale X] [weight W]', "
        "'maximise METRIC …' or 'METRIC <= X'"
    )


def _numbers(rest: str, known: set[str], sentence: str) -> dict[str, float]:
    words = rest.split()
    numbers: dict[str, float] = {}
    for name, value in zip(words[::2], words[1::2], strict=True):
        if name.lower() not in known:
            raise ObjectiveError(
                f"'{name}' is not understood in '{sentence}' (known: {', '.join(sorted(known))})"
            )
        numbers[name.lower()] = _number(value, sentence)
    return numbers


def _number(text: str, sentence: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ObjectiveError(f"'{text}' in '{sentence}' is not a number") from None
