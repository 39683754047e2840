"""Tables and sentences for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table

from alp.metrics import metric_named
from alp.report import Treatment, words
from alp.report.markup import count, number
from alp.report.sections import hidden_users
from alp.trace.repair import Repairs

MOST_ROWS = 40
Row = dict[str, Any]


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", header_style="bold", box=None, pad_edge=False)
    for index, column in enumerate(columns):
        table.add_column(column, justify="left" if index == 0 else "right")
    return table


def batch_table(rows: Sequence[Row]) -> Table:
    """Return a line for each batch."""
    if not rows:
        return _table("no batches")
    parameters, values = list(rows[0]["parameters"]), list(rows[0]["values"])
    headers = map(_with_unit, values)
    table = _table(
        "", "user", "batch", "records", "released", *parameters, *headers, "cost", "guarantee"
    )
    for row in rows[:MOST_ROWS]:
        note = " suppressed" if row["suppressed"] else ""
        table.add_row(
            row["user"],
            row["batch"],
            number(row["records"]),
            number(row["protected_records"]),
            *(number(row["parameters"].get(p)) for p in parameters),
            *(number(row["values"].get(v)) for v in values),
            number(row["cost"]),
            row["guarantee"] + note,
        )
    if len(rows) > MOST_ROWS:
        table.caption = f"… and {len(rows) - MOST_ROWS:,} more (--json or --report shows all)"
    return table


def _with_unit(label: str) -> str:
    unit = metric_named(label).unit
    return f"{label} ({unit})" if unit else label


def sentences(rows: Sequence[Row], summary: Row, name: str) -> Iterator[str]:
    """Yield what an honest report says of a protection of the dataset `name`."""
    treatment = Treatment(summary["mechanism"], rows, summary)
    medians = ", ".join(
        f"{_with_unit(label)} {number(values['median'])}"
        for label, values in summary["metrics"].items()
    )
    users, batches = count(summary["users"], "user"), count(summary["batches"], "batch")
    yield f"{name}: {users}, {batches}. Medians: {medians}."
    yield f"Users with all POIs hidden, their batches taken together: {hidden_users(treatment)}."
    yield " ".join(words.honest_sentences(treatment))
    yield " ".join(words.guarantees(treatment))
    yield from words.noise_caveats(treatment)
    yield from words.gap_caveat(treatment)
    if summary["repairs"]:
        yield f"Repaired: {Repairs(summary['repairs'])}."
    if summary["seeded"]:
        yield words.SEEDED


def evaluation_tables(rows: Sequence[Row], summary: Row) -> Iterator[Table]:
    """Yield a table of traces and one of the summary."""
    labels = list(summary)
    table = _table("", "user", "records", "protected", *map(_with_unit, labels))
    for row in rows[:MOST_ROWS]:
        table.add_row(
            row["user"],
            number(row["records"]),
            number(row["protected_records"]),
            *(number(row["values"][label]) for label in labels),
        )
    if len(rows) > MOST_ROWS:
        table.caption = f"… and {len(rows) - MOST_ROWS:,} more (--json shows all)"
    yield table
    missing = sum(row["records"] > 0 and not row["protected_records"] for row in rows)
    columns = ("mean", "median", "p25", "p75", "p95", "defined")
    total = _table("\nIn summary", "metric", *columns)
    if missing:
        total.caption = f"{count(missing, 'user')} with no protected record: empty outputs"
    for label in labels:
        total.add_row(_with_unit(label), *(number(summary[label][c]) for c in columns))
    yield total


def fact_tables(facts: Row) -> Iterator[Table]:
    """Yield what `alp inspect` found."""
    table = _table("", "", "")
    box = facts["bounding_box"]
    extent = f"{box['south']:.4f}…{box['north']:.4f}° N, {box['west']:.4f}…{box['east']:.4f}° E"
    interval = facts["median_interval_s"]
    for name, value in (
        ("users", number(facts["users"])),
        ("records", f"{facts['records']:,} usable of {facts['raw_records']:,}"),
        ("span", f"{facts['first']} to {facts['last']}"),
        ("sampling interval, median", "–" if interval is None else f"{interval:g} s"),
        ("bounding box", extent if box else "–"),
        ("POIs (200 m, 15 min)", number(facts["pois"])),
        ("users without POI", number(facts["users_without_poi"])),
        ("records at the same time as another", number(facts["same_time"])),
        ("wrong with the data", str(Repairs(facts["repairs"]))),
    ):
        table.add_row(name, value)
    yield table
    users = _table("\nUsers", "user", "records", "POIs", "first", "last")
    for row in facts["per_user"][:MOST_ROWS]:
        users.add_row(
            row["user"], number(row["records"]), number(row["pois"]), row["first"], row["last"]
        )
    if any("stays" in row for row in facts["per_user"]):
        yield _stay_table(facts["per_user"])
    if len(facts["per_user"]) > MOST_ROWS:
        users.caption = f"… and {len(facts['per_user']) - MOST_ROWS:,} more (--json shows all)"
    yield users


def _stay_table(rows: Sequence[Row]) -> Table:
    table = _table("\nStays", "user", "records", "lat", "lon", "first", "last")
    for row in rows:
        for stay in row["stays"]:
            place = (f"{stay['lat']:.7f}", f"{stay['lon']:.7f}")
            table.add_row(row["user"], number(stay["records"]), *place, stay["first"], stay["last"])
    return table


def catalogue_tables(catalogue: dict[str, list[Row]]) -> Iterator[Table]:
    """Yield a table for each kind of thing."""
    for kind, entries in catalogue.items():
        table = Table(title=f"\n{kind}", title_justify="left", box=None, pad_edge=False)
        table.add_column("name", style="bold", no_wrap=True)
        table.add_column("what it does")
        for entry in entries:
            table.add_row(entry["name"], entry["summary"])
            for option in entry.get("options", ()):
                table.add_row("", _option_line(option))
            if entry.get("objectives"):
                table.add_row("", f"default objectives: {'; '.join(entry['objectives'])}")
            if entry.get("best"):
                unit = f"in {entry['unit']}; " if entry.get("unit") else ""
                table.add_row("", f"{unit}{entry['best']} values are best")
            if entry.get("time_zones"):
                table.add_row("", f"time: {entry['time_zones']}")
            if entry.get("source"):
                table.add_row("", f"source: {entry['source']}")
        yield table


def _option_line(option: Row) -> str:
    unit = f" {option['unit']}" if option["unit"] else ""
    domain = f" {'tuned over' if option['tuned'] else 'one of'} {option['domain']}"
    shown = domain if option["domain"] else ""
    return f"  {option['name']}={option['default']}{unit}{shown}: {option['help']}"
