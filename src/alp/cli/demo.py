"""`alp demo`: a synthetic town, both mechanisms tuned per user, a table and a report."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from alp.cli import _options as o
from alp.errors import OutputError

if TYPE_CHECKING:
    from rich.table import Table

    from alp.report import Treatment
    from alp.town import Town
    from alp.trace import Dataset, Trace

MECHANISMS = ("geo-i", "promesse")
MARKER = ".alp-demo"
SEED = 0
FEW = 500_000  # records that one process has done before others have compiled the same kernels


def demo(
    folder: Annotated[
        str, typer.Argument(metavar="[DIR]", help="The folder to write; made if it is not there.")
    ] = "alp-demo",
    users: Annotated[int, typer.Option("--users", min=1, help="People in the town.")] = 16,
    days: Annotated[int, typer.Option("--days", min=1, help="Days of their lives.")] = 5,
    seed: o.Seed = SEED,
    workers: o.Workers = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
    force: o.Force = False,
    debug: o.Debug = False,
) -> None:
    """Make a synthetic town, protect it with both mechanisms, and show what comes of it."""
    from alp.cli import _show as show
    from alp.town import Town

    town = Town(users=users, days=days, seed=SEED if seed is None else seed)
    place = _prepare(Path(folder), force)
    treatments = _protect(town, place, workers, quiet or json)
    _write_page(town, place, treatments)
    if json:
        summaries = {t.name: t.summary for t in treatments}
        show.as_json({"mechanisms": summaries, "folder": str(place)})
    elif not quiet:
        _show_results(treatments, place)


def _prepare(place: Path, force: bool) -> Path:
    """Return the folder, made and marked as a demo's; refuse one that holds other things."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        used = any(place.iterdir()) and not (place / MARKER).exists()
        if used and not force:
            raise OutputError(
                f"{place} holds files that no demo made; choose another folder, or write into it "
                "with --force"
            )
        (place / MARKER).write_text("This folder was made by `alp demo`.\n", encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"{place} cannot be used: {reason}; choose another folder") from error
    return place


def _protect(town: Town, place: Path, workers: int | None, quiet: bool) -> list[Treatment]:
    """Write the town and its protected versions, and return what was done."""
    from alp.adapt import Settings
    from alp.cli import _show as show
    from alp.io import open_writer
    from alp.report import Treatment

    data = town.dataset()
    _write_town(data, place / "town.parquet", quiet)
    if workers is None and sum(data.size(user) for user in data) <= FEW:
        workers = 1
    treatments = []
    for name in MECHANISMS:
        settings = Settings.of(name, seed=town.seed)
        with open_writer(place / f"{name}.parquet", force=True) as writer:
            report = show.with_progress(
                data,
                settings,
                workers=workers,
                plugins=(),
                each=lambda done, writer=writer: writer.write(done.protected.trace),  # type: ignore[misc]
                quiet=quiet,
            )
        treatments.append(Treatment(name, report.rows, report.summary))
    return treatments


def _write_town(data: Dataset, path: Path, quiet: bool) -> None:
    from alp.cli import _show as show
    from alp.io import open_writer

    def write(_: Dataset, traces: Iterable[Trace]) -> dict[str, Any]:
        with open_writer(path, force=True) as writer:
            for trace in traces:
                writer.write(trace)
        return {}

    if quiet:
        write(data, data.values())
    else:
        show.tracking(data, write, "town")


def _write_page(town: Town, place: Path, treatments: list[Treatment]) -> None:
    """Write the report; its maps show what the files hold."""
    from alp import __version__
    from alp.io import read
    from alp.report.demo import portraits_of, whom_to_draw, write_demo_page

    released = {t.name: read(place / f"{t.name}.parquet") for t in treatments}
    portraits = portraits_of(whom_to_draw(treatments), town.dataset(), released)
    commands = _commands(town, place)
    write_demo_page(place / "report.html", town, treatments, portraits, commands, __version__)


def _commands(town: Town, place: Path) -> list[str]:
    """Return what makes all of it again, and each mechanism by itself."""
    folder = shlex.quote(place.name or "alp-demo")
    seed = f"--seed {town.seed}"
    return [
        f"alp demo {folder} --users {town.users} --days {town.days} {seed}",
        "",
        f"cd {folder}  # or step by step",
        *(
            f"alp protect town.parquet {name}.parquet -m {name} {seed} --force"
            for name in MECHANISMS
        ),
    ]


def _show_results(treatments: list[Treatment], place: Path) -> None:
    from alp.cli import _show as show
    from alp.report import words

    out = show.console()
    out.print(_table(treatments))
    out.print()
    for treatment in treatments:
        sentences = (*words.honest_sentences(treatment), *words.guarantees(treatment))
        out.print(f"{treatment.name}: {' '.join(sentences)}")
    out.print(words.SEEDED)
    out.print(f"\nThe report:  {place / 'report.html'} (open it in a browser)")
    files = ", ".join(f"{name}.parquet" for name in ("town", *MECHANISMS))
    out.print(f"The traces:  {files} in {place}")


def _table(treatments: list[Treatment]) -> Table:
    """Return a row for each mechanism: medians, users hidden, parameter, guarantee."""
    from rich.table import Table

    from alp.metrics import metric_named
    from alp.report import sections, words
    from alp.report.markup import number
    from alp.report.treatment import metric_labels

    table = Table(title="Medians", title_justify="left", box=None, pad_edge=False)
    labels = metric_labels(treatments)
    units = {label: metric_named(label).unit for label in labels}
    table.add_column("mechanism")
    for label in labels:
        table.add_column(f"{label} ({units[label]})" if units[label] else label, justify="right")
    for column in ("all POIs hidden", "parameter", "guarantee"):
        table.add_column(column, justify="right")
    for t in treatments:
        medians = (number(t.summary["metrics"][label]["median"]) for label in labels)
        table.add_row(
            t.name, *medians, sections.hidden_users(t), sections.chosen_medians(t),
            words.guarantee_label(t),
        )  # fmt: skip
    return table
