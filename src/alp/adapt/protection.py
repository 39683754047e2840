"""One user of a dataset: split into batches, each tuned and protected, joined again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from alp.adapt.settings import Settings
from alp.adapt.tuner import tune_batch
from alp.prepare import sample_every, split
from alp.trace import Trace


@dataclass(frozen=True)
class Protected:
    """A user's protected trace and a report row for each of its batches."""

    trace: Trace
    rows: list[dict[str, Any]]


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
    return Protected(Trace.joined(trace.user, parts, settings.geometry), rows)
