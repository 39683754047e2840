"""What commands print: progress, tables, JSON."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alp.errors import OutputError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from alp.adapt import Settings
    from alp.api import Report
    from alp.engine import Done
    from alp.trace import Dataset, Trace


def as_json(content: Any) -> None:
    """Print `content` as JSON on standard output."""
    sys.stdout.write(json_module.dumps(content, indent=1, ensure_ascii=False, allow_nan=False))
    sys.stdout.write("\n")


def console(*, error: bool = False) -> Console:
    """Return where people read: wide enough when it is no terminal."""
    from rich.console import Console

    found = Console(stderr=error, highlight=False, emoji=False, markup=False)
    if not found.is_terminal:
        found.width = 120
    return found


def _progress(quiet: bool) -> Progress:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("records"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=console(error=True),
        disable=quiet or not sys.stderr.isatty(),
        transient=True,
    )


def with_progress(
    data: Dataset,
    settings: Settings,
    *,
    workers: int | None,
    plugins: Sequence[str],
    each: Callable[[Done], None],
    quiet: bool,
) -> Report:
    """Run the protection with a progress bar on standard error."""
    from alp.api import run_protection

    with _progress(quiet) as progress:
        total = sum(data.size(user) for user in data)
        task = progress.add_task(settings.mechanism.name, total=total, rate="")

        def step(done: Done) -> None:
            each(done)
            _advance(progress, task, data.size(done.user))

        return run_protection(data, settings, each=step, workers=workers, plugins=plugins)


def tracking(
    data: Dataset, work: Callable[[Dataset, Iterable[Trace]], dict[str, Any]], label: str
) -> dict[str, Any]:
    """Run `work` over the traces of a dataset with a progress bar."""
    with _progress(quiet=False) as progress:
        total = sum(data.size(user) for user in data)
        task = progress.add_task(label, total=total, rate="")

        def traces() -> Iterator[Trace]:
            for user in data:
                yield data[user]
                _advance(progress, task, data.size(user))

        return work(data, traces())


def _advance(progress: Progress, task: Any, records: int) -> None:
    speed = progress.tasks[task].speed
    progress.update(task, advance=records, rate=f"{speed:,.0f}/s" if speed else "")


# — reports —

_REPORTS = (".json", ".csv", ".parquet")


def check_report(path: str, force: bool) -> None:
    """Raise now if a report cannot be written later."""
    from alp.io import check_output

    if Path(path).suffix.lower() not in _REPORTS:
        raise OutputError(f"a report ends in {', '.join(_REPORTS)}, not '{path}'")
    check_output(path, force, suffixes=_REPORTS)


def write_report(report: Report, path: str) -> None:
    """Write the rows of a report as the file's ending says, whole or not at all."""
    from alp.io import written_whole

    kind = Path(path).suffix.lower()
    with written_whole(path) as temporary:
        if kind == ".json":
            content = {"batches": report.rows, "users": report.users, "summary": report.summary}
            text = json_module.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
            Path(temporary).write_text(text + "\n", encoding="utf-8")
        elif kind == ".csv":
            import pyarrow.csv as csv

            csv.write_csv(report.to_arrow(), temporary)
        else:
            import pyarrow.parquet as parquet

            parquet.write_table(report.to_arrow(), temporary)


def batches(
    report: Report, data: Dataset, *, json: bool, quiet: bool, written: str | None = None
) -> None:
    """Print the result of a protection."""
    if json:
        as_json({"batches": report.rows, "users": report.users, "summary": report.summary})
    elif not quiet:
        from alp.cli._tables import batch_table, sentences
        from alp.io import left_out

        out = console()
        out.print(batch_table(report.rows))
        for line in sentences(report.rows, report.summary, data.name):
            out.print(line)
        if written:
            left = left_out(data)
            if left:
                out.print(f"Columns left out: {', '.join(left)} (--keep-column NAME keeps one).")
            out.print(f"Written: {written}")


def evaluation(report: Report, *, json: bool, quiet: bool) -> None:
    """Print metrics per trace and in summary."""
    if json:
        as_json({"traces": report.rows, "summary": report.summary})
    elif not quiet:
        from alp.cli._tables import evaluation_tables

        for table in evaluation_tables(report.rows, report.summary):
            console().print(table)


def facts(found: dict[str, Any]) -> None:
    """Print what `alp inspect` found."""
    from alp.cli._tables import fact_tables

    for table in fact_tables(found):
        console().print(table)


def catalogue(found: dict[str, list[dict[str, Any]]]) -> None:
    """Print what `alp list` found."""
    from alp.cli._tables import catalogue_tables

    for table in catalogue_tables(found):
        console().print(table)
