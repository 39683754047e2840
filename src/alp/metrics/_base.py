"""What a metric is, and how it gets its name."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import ClassVar, TypeAlias, TypeVar

from alp.params import build, check, parse_spec
from alp.params.options import spec_of
from alp.registry import Registry
from alp.trace import Trace

Evaluation: TypeAlias = Callable[[Trace], float | None]
"""A metric prepared for one real trace: protected trace → value."""

M = TypeVar("M", bound="Metric")


class Purpose(Enum):
    """What a metric tells about: how much is hidden, or how much is left of use."""

    PRIVACY = "privacy"
    UTILITY = "utility"


class Metric:
    """Compares a protected trace with the real one. Subclasses are frozen dataclasses.

    A metric implements `evaluate`, or `prepare` if something about the real trace can be computed
    once and used for many protected versions. An undefined value is None, never NaN.
    """

    name: ClassVar[str]
    purpose: ClassVar[Purpose]
    unit: ClassVar[str] = ""
    best: ClassVar[str] = "low"
    """Which values are wished for: "low" or "high"."""
    scale: ClassVar[float] = 1.0
    """The value from which an objective regards the metric as at its worst (or best)."""
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    identity: ClassVar[float | None] = None
    """The value of a trace compared with itself, if it is always the same."""
    source: ClassVar[str] = ""

    def __post_init__(self) -> None:
        """Refuse field values that make no sense."""
        check(self)

    def evaluate(self, real: Trace, protected: Trace) -> float | None:
        """Return the value, or None where it is undefined."""
        return self.prepare(real)(protected)

    def prepare(self, real: Trace) -> Evaluation:
        """Return the metric for one real trace, its side computed once."""
        return partial(self.evaluate, real)

    def __str__(self) -> str:
        return spec_of(self)


METRICS: Registry[Metric] = Registry("metric", entry_point_group="alp.metrics")


def metric(name: str) -> Callable[[type[M]], type[M]]:
    """Return the decorator that registers a metric under a short name in kebab case."""

    def register(cls: type[M]) -> type[M]:
        if cls.evaluate is Metric.evaluate and cls.prepare is Metric.prepare:
            raise TypeError(f"the metric {cls.__qualname__} must implement evaluate or prepare")
        return METRICS.register(name)(cls)  # type: ignore[return-value]

    return register


def metric_named(given: str | Metric) -> Metric:
    """Return the metric that `given` names, options in parentheses included.

    >>> metric_named("area-coverage(level=13)").level
    13
    """
    if isinstance(given, Metric):
        return given
    name, options = parse_spec(given)
    return build(METRICS[name], options)
