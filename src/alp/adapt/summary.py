"""Rows → what they say together: quantiles of metrics, shares of what must be known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from alp.params import parse_spec

Row = dict[str, Any]


def summarise_values(rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """Return mean and quantiles of each metric over the rows where it is defined."""
    labels = dict.fromkeys(label for row in rows for label in row["values"])
    return {label: _quantiles([row["values"].get(label) for row in rows]) for label in labels}


def _quantiles(values: Iterable[float | None]) -> dict[str, Any]:
    defined = np.array([v for v in values if v is not None], float)
    names = ("mean", "median", "p25", "p75", "p95")
    if not len(defined):
        return {**dict.fromkeys(names, None), "defined": 0}
    quantiles = np.quantile(defined, (0.5, 0.25, 0.75, 0.95))
    numbers = (float(defined.mean()), *map(float, quantiles))
    return {**dict(zip(names, numbers, strict=True)), "defined": len(defined)}


def summarise_batches(rows: Sequence[Row], wholes: Sequence[Row]) -> dict[str, Any]:
    """Return the summary of a protection: metrics, and the shares an honest report tells.

    `wholes` has a row for each user, whose batches are taken together.
    """
    hidden = _hidden_users(wholes)
    return {
        "metrics": summarise_values(rows),
        "user_metrics": summarise_values(wholes),
        "users": len(wholes),
        "batches": len(rows),
        "records": sum(row["records"] for row in rows),
        "protected_records": sum(row["protected_records"] for row in rows),
        "without_poi": sum(row["pois"] == 0 for row in rows),
        "released_raw": sum(row["raw"] for row in rows),
        "suppressed": sum(row["suppressed"] for row in rows),
        "infeasible": sum(not row["feasible"] for row in rows),
        "users_all_hidden": hidden,
        "guarantees": dict(sorted(Counter(row["guarantee"] for row in rows).items())),
        "epsilon_total_per_m": _largest_loss(rows),
        "parameters": _parameters(rows),
    }


def _hidden_users(wholes: Sequence[Row]) -> int | None:
    """Return how many users have no POI retrieved from all of their release, if measured."""
    labels = [label for row in wholes for label in row["values"]]
    label = next((name for name in labels if parse_spec(name)[0] == "poi-retrieval"), None)
    return None if label is None else sum(row["values"][label] == 0 for row in wholes)


def _largest_loss(rows: Sequence[Row]) -> float | None:
    """Return the largest n·ε summed over one user's batches."""
    totals: Counter[str] = Counter()
    for row in rows:
        if row["epsilon_total_per_m"] is not None:
            totals[row["user"]] += row["epsilon_total_per_m"]
    return max(totals.values(), default=None)


def _parameters(rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    names = dict.fromkeys(name for row in rows for name in row["parameters"])
    return {
        name: _quantiles(
            [v for row in rows if isinstance(v := row["parameters"].get(name), int | float)]
        )
        for name in names
    }


def flatten(rows: Sequence[Row]) -> list[Row]:
    """Return rows with one column for each parameter and metric, for tables."""
    flat = []
    for row in rows:
        plain = {k: v for k, v in row.items() if k not in ("parameters", "values")}
        for kind, prefix in (("parameters", "parameter"), ("values", "value")):
            plain |= {f"{prefix}.{name}": v for name, v in row.get(kind, {}).items()}
        flat.append(plain)
    return flat
