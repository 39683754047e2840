"""One user of a dataset: split into batches, each tuned and protected, joined again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from alp.adapt.evaluation import evaluate_user
from alp.adapt.settings import Settings
from alp.adapt.tuner import tune_batch
from alp.prepare import sample_every, split
from alp.trace import Trace


@dataclass(frozen=True)
class Protected:
    """A user's protected trace, a report row for each of its batches, and one for the whole."""

    trace: Trace
    rows: list[dict[str, Any]]
    whole: dict[str, Any]
    """The metrics of all that is released of the user: an attacker sees the batches together."""


def protect_user(trace: Trace, settings: Settings) -> Protected:
    """Return a user's trace protected batch by batch.

    This is the whole work on one user, with nothing but a trace and settings going in: any engine
    can run it, in any order.
    """
    sampled = sample_every(trace.using(settings.geometry), settings.sample_s)
    parts, rows = [], []
    for label, batch in split(sampled, settings.per, settings.tz):
        tuned = tune_batch(batch, settings, label)
        parts.append(tuned.protected)
        rows.append(tuned.as_row())
    joined = Trace.joined(trace.user, parts, settings.geometry)
    if len(rows) == 1:
        keys = ("user", "records", "protected_records", "values")
        return Protected(joined, rows, {key: rows[0][key] for key in keys})
    return Protected(joined, rows, evaluate_user(sampled, joined, settings.metrics))
