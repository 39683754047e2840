"""The page of `alp demo`: a synthetic town, protected by each mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from alp.report import sections, words
from alp.report.maps import Portrait
from alp.report.markup import element, joined
from alp.report.page import write_page
from alp.report.treatment import Treatment
from alp.town import Town
from alp.trace import Dataset

ATTACK = "poi-retrieval"


def write_demo_page(
    path: str | Path,
    town: Town,
    treatments: Sequence[Treatment],
    portraits: Sequence[Portrait],
    commands: Sequence[str],
    version: str,
) -> None:
    """Write the report of a demo, made by that version of ALP."""
    names = joined((element("strong", t.name) for t in treatments), " and ")
    records = treatments[0].summary["records"] if treatments else 0
    people = f"{town.users:,} invented people" if town.users > 1 else "one invented person"
    lead = (
        joined(
            (
                f"ALP made up a town of {people} over {town.days:,} days ({records:,} records, one "
                f"every {town.step_s:g} seconds), and protected it with ",
                names,
                ". For each person it tried the parameters of the mechanism, measured what they "
                "hide and what they keep, and released a fresh draw with the best. Everything "
                "below is measured on what was released.",
            )
        ),
        element("span", words.SEEDED, class_="note"),
    )
    parts = [
        sections.summary_section(treatments),
        sections.cdf_section(treatments),
        sections.parameter_section(treatments),
        sections.map_section(portraits, "On the map", _MAP_LEAD),
        sections.guarantee_section(treatments),
        sections.command_section(commands, *map(_objectives, treatments)),
    ]
    title = "A town, protected" if len(treatments) != 2 else "One town, protected twice"
    write_page(path, title, lead, parts, f"Made by alp {version}. Every trace is synthetic.")


def whom_to_draw(treatments: Sequence[Treatment]) -> dict[str, str]:
    """Return two users worth a look, each with the reason: a typical one and the least hidden."""
    found: dict[str, float] = {}
    cost: dict[str, float] = {}
    for row in (row for treatment in treatments for row in treatment.rows):
        user = row["user"]
        found[user] = max(found.get(user, 0.0), row["values"].get(ATTACK) or 0.0)
        cost[user] = cost.get(user, 0.0) + (row["cost"] or 0.0)
    if not cost:
        return {}
    exposed = max(found, key=lambda user: found[user])
    others = sorted((user for user in cost if user != exposed), key=lambda user: cost[user])
    chosen = {others[len(others) // 2]: "A typical user: the one of median cost."} if others else {}
    chosen[exposed] = "The user whose places were found best: what the protection misses."
    return chosen


def portraits_of(
    users: dict[str, str], raw: Dataset, protected: dict[str, Dataset]
) -> list[Portrait]:
    """Return the traces of users for the map; one who was suppressed has an empty trace."""
    drawn = []
    for user, why in users.items():
        trace = raw[user]
        nothing = trace.select(np.empty(0, np.int64))
        versions = {name: data.get(user, nothing) for name, data in protected.items()}
        drawn.append(Portrait(user, trace, versions, why))
    return drawn


_MAP_LEAD = (
    "These people do not exist; a report on real data draws no raw trace of its own accord. "
    "There is no map underneath, so that the page needs no network: north is up."
)


def _objectives(treatment: Treatment) -> str:
    wishes = "; ".join(treatment.summary.get("objectives", ()))
    tried = int(np.median([row["evaluations"] for row in treatment.rows] or [0]))
    return f"{treatment.name} was tuned to: {wishes} ({tried} configurations tried per user)."
