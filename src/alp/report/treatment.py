"""Treatment: what one mechanism did to a dataset, as a report needs it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from alp.adapt.settings import DEFAULT_METRICS
from alp.mechanisms import MECHANISMS
from alp.params import Domain, Log
from alp.params.options import declared
from alp.report.axes import Axis

Row = dict[str, Any]


@dataclass(frozen=True)
class Treatment:
    """A named set of report rows, one for each batch, and their summary."""

    name: str
    rows: Sequence[Row]
    summary: Row

    @property
    def mechanism(self) -> str:
        """The mechanism's short name."""
        return str(self.summary.get("mechanism", self.name))

    @property
    def batch(self) -> str:
        """The word for what was tuned."""
        return "user" if self.summary.get("per") == "user" else "batch"

    @property
    def batches(self) -> str:
        """The word for several of them."""
        return "users" if self.batch == "user" else "batches"

    def values(self, label: str) -> list[float | None]:
        """Return a metric's value for each batch."""
        return [row["values"].get(label) for row in self.rows]

    def chosen(self, parameter: str) -> list[float]:
        """Return a parameter's value for each batch; words are left out."""
        given = (row["parameters"].get(parameter) for row in self.rows)
        return [float(value) for value in given if isinstance(value, int | float)]

    def domain(self, parameter: str) -> Domain | None:
        """Return the declared domain of a parameter, if the mechanism is known and has one."""
        if self.mechanism not in MECHANISMS:
            return None
        abouts = {f.name: f.about for f in declared(MECHANISMS[self.mechanism])}
        about = abouts.get(parameter)
        return about if isinstance(about, Domain) else None

    def unit(self, parameter: str) -> str:
        """Return the unit of a parameter."""
        domain = self.domain(parameter)
        return domain.unit if domain else ""

    def axis(self, parameter: str) -> Axis:
        """Return an axis that shows the whole domain of a parameter, and all chosen values."""
        domain, values = self.domain(parameter), np.array(self.chosen(parameter), float)
        ends = (0.0, 0.0)
        if domain and all(isinstance(v, int | float) for v in domain.values):
            ends = (float(min(domain.values)), float(max(domain.values)))
        shown = Axis.around(values, ends)
        by_factors = isinstance(domain, Log) and shown.low > 0
        return Axis(shown.low, shown.high, log=by_factors)


def metric_labels(treatments: Sequence[Treatment]) -> list[str]:
    """Return every metric that was measured, the usual ones first."""
    found = dict.fromkeys(label for t in treatments for label in t.summary["metrics"])
    usual = [label for label in DEFAULT_METRICS if label in found]
    return usual + [label for label in found if label not in usual]
