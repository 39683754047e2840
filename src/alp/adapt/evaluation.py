"""Metrics of a protected trace that somebody made, against the real one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from alp.metrics import Metric
from alp.trace import Trace


def evaluate_user(real: Trace, protected: Trace, metrics: Mapping[str, Metric]) -> dict[str, Any]:
    """Return the user's row: numbers of records and the value of each metric by label."""
    return {
        "user": real.user,
        "records": len(real),
        "protected_records": len(protected),
        "values": {label: m.evaluate(real, protected) for label, m in metrics.items()},
    }
