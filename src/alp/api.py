"""The public functions: tune, protect, evaluate. The command line calls these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from alp.adapt import Settings, Tuned, evaluate_user, tune_batch
from alp.adapt.settings import PROFILES, profile_metrics
from alp.adapt.summary import flatten, summarise_batches, summarise_values
from alp.engine import Done, protect_all
from alp.errors import DataError
from alp.geo import Geometry
from alp.io import open_writer, read
from alp.mechanisms import Mechanism
from alp.metrics import Metric, metric_named
from alp.objectives import Objective
from alp.prepare import sample_every
from alp.trace import Dataset, Repairs, Trace

if TYPE_CHECKING:
    import pyarrow as pa

Objectives = Sequence[str | Objective] | str | None


@dataclass(frozen=True)
class Report:
    """What was done to each batch (or measured of each trace), and in summary."""

    rows: list[dict[str, Any]]
    summary: dict[str, Any]
    users: list[dict[str, Any]] = field(default_factory=list)
    """After a protection: the metrics of each user, all batches taken together."""

    def to_arrow(self) -> pa.Table:
        """Return the rows as a table, a column for each parameter and metric."""
        import pyarrow as pa

        return pa.Table.from_pylist(flatten(self.rows))


@dataclass(frozen=True)
class Result:
    """A protected dataset and its report."""

    data: Dataset
    report: Report


@overload
def tune(
    data: Trace, mechanism: str | Mechanism, objectives: Objectives = ..., **options: Any
) -> Tuned: ...
@overload
def tune(
    data: Any, mechanism: str | Mechanism, objectives: Objectives = ..., **options: Any
) -> Report: ...
def tune(
    data: Any, mechanism: str | Mechanism, objectives: Objectives = None, **options: Any
) -> Tuned | Report:
    """Return what would be chosen for a trace, and what it would give.

    Args:
        data: a trace, which is tuned as one batch unless `per` says otherwise, or anything
            `alp.read` takes: then a report with a row for each batch is returned.
        mechanism: a short name such as "geo-i", or an object such as `Promesse(alpha=100)`.
        objectives: sentences such as "minimise poi-retrieval"; the mechanism's own by default.
        **options: as for `alp.protect`.
    """
    if not isinstance(data, Trace) or str(options.get("per") or "user") != "user":
        return protect(data, mechanism, objectives, **options).report
    options.pop("workers", None)  # one batch is the work of one
    settings = Settings.of(mechanism, objectives, **options)
    trace = sample_every(data.using(settings.geometry), settings.sample_s)
    return tune_batch(trace, settings)


def protect(
    data: Any,
    mechanism: str | Mechanism,
    objectives: Objectives = None,
    *,
    workers: int = 1,
    **options: Any,
) -> Result:
    """Return `data` protected, each user or batch with the configuration it needs.

    Args:
        data: a trace, a dataset, or anything `alp.read` takes.
        mechanism: a short name or an object.
        objectives: sentences; the mechanism's own by default.
        workers: processes to use; more than one needs a script guarded by `__name__`.
        **options: `metrics`, `search`, `domain`, `fixed`, `geometry`, `per`, `tz`, `sample`,
            `seed`, `profile`, `allow_raw`: the command line's options by the same names.
    """
    settings = Settings.of(mechanism, objectives, **options)
    traces: list[Trace] = []
    report = run_protection(as_dataset(data), settings, workers=workers, each=_keep(traces))
    return Result(Dataset.of(traces, name="protected"), report)


def run_protection(
    dataset: Dataset,
    settings: Settings,
    *,
    each: Callable[[Done], None],
    workers: int | None = None,
    plugins: Sequence[str] = (),
) -> Report:
    """Protect every user, hand each result to `each` in order, and return the report."""
    rows: list[dict[str, Any]] = []
    users: list[dict[str, Any]] = []
    repairs = Repairs(dataset.source.damage)
    for done in protect_all(dataset, settings, workers=workers, plugins=plugins):
        each(done)
        rows += done.protected.rows
        users.append(done.protected.whole)
        repairs.update(done.repairs)
    summary = summarise_batches(rows, users)
    summary["repairs"] = dict(repairs)
    summary["mechanism"] = settings.mechanism.name
    summary["objectives"] = [str(o) for o in settings.objectives]
    summary["tuned"] = {d.name: str(d) for d in settings.space.dimensions}
    summary["geometry"] = settings.geometry.name
    summary["per"] = settings.per
    summary["search"] = settings.search.name if settings.space.size > 1 else None
    summary["seeded"] = settings.randomness.seed is not None
    return Report(rows, summary, users)


def evaluate(
    original: Any,
    protected: Any,
    metrics: Sequence[str | Metric] | None = None,
    *,
    geometry: str | Geometry | None = None,
    profile: str = "sound",
) -> Report:
    """Return metrics for each user of `original`, and in summary.

    Users are matched by name. One who is missing from `protected` counts as an empty output; one
    that only `protected` has is an error.
    """
    chosen = profile_metrics(profile) if metrics is None else metrics
    distances = geometry or PROFILES[profile].geometry
    real = as_dataset(original).using(distances)
    other = as_dataset(protected, allow_empty=True).using(distances)
    strangers = sorted(set(other) - set(real))
    if strangers:
        raise DataError(
            f"{other.name} has users that {real.name} has not: {', '.join(strangers[:5])}; "
            "users are matched by name"
        )
    measured: Mapping[str, Metric] = {str(m).strip(): metric_named(m) for m in chosen}
    rows = []
    for user in real:
        trace = other[user] if user in other else Trace.joined(user, [], other.geometry)
        rows.append(evaluate_user(real[user], trace, measured))
    return Report(rows, summarise_values(rows))


def write(data: Any, path: str | Path, *, force: bool = False) -> None:
    """Write a dataset or a trace to a file, whole or not at all; the suffix tells the format.

    Args:
        data: a dataset such as `alp.protect(...).data`, a trace, or anything `alp.read` takes.
        path: ends in .csv or .parquet.
        force: whether a file that exists is replaced.
    """
    dataset = as_dataset(data, allow_empty=True)
    with open_writer(path, force=force) as writer:
        for user in dataset:
            writer.write(dataset[user])


def as_dataset(data: Any, *, allow_empty: bool = False) -> Dataset:
    """Return a dataset of whatever was given."""
    if isinstance(data, Dataset):
        return data
    if isinstance(data, Trace):
        return Dataset.of([data], name=f"trace {data.user}")
    return read(data, allow_empty=allow_empty)


def _keep(traces: list[Trace]) -> Callable[[Done], None]:
    return lambda done: traces.append(done.protected.trace)
