"""Sections: the parts that pages are put together from, for any number of treatments."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from alp.metrics import metric_named
from alp.report import figures, maps, words
from alp.report.markup import Markup, element, joined, number, share, table
from alp.report.treatment import Treatment, metric_labels

Treatments = Sequence[Treatment]


def section(title: str, *content: object) -> Markup:
    """Return a part of a page under its own heading."""
    return element("section", element("h2", title), *content)


def paragraphs(sentences: Iterable[object], **attributes: object) -> Markup:
    """Return each of the given texts as a paragraph."""
    return joined(element("p", sentence, **attributes) for sentence in sentences)


def bullets(sentences: Iterable[object]) -> Markup:
    """Return the given texts as a list."""
    return element("ul", *(element("li", sentence) for sentence in sentences))


def figure(drawing: Markup, heading: str, caption: str, numbers: Markup) -> Markup:
    """Return a drawing with its words, and its numbers folded away."""
    folded = element("details", element("summary", "The numbers"), numbers) if numbers else ""
    return element(
        "figure",
        element("figcaption", element("strong", heading), *([" ", caption] if caption else [])),
        drawing,
        folded,
    )


def summary_section(treatments: Treatments, title: str = "In short") -> Markup:
    """Return the medians side by side, and what must be known before they are believed."""
    notes = [
        element("p", element("strong", f"{t.name}: "), " ".join(words.honest_sentences(t)))
        for t in treatments
    ]
    return section(title, summary_table(treatments), *notes)


def summary_table(treatments: Treatments) -> Markup:
    """Return a column for each treatment: medians, users hidden, parameters, guarantee."""
    rows: list[list[object]] = []
    for label in metric_labels(treatments):
        unit = metric_named(label).unit
        cells = (_median_cell(t.summary["metrics"].get(label), unit) for t in treatments)
        rows.append([_metric_cell(label), *cells])
    rows.append(["Users with all places hidden", *map(hidden_users, treatments)])
    rows.append(["Chosen parameter, median", *map(chosen_medians, treatments)])
    rows.append(["Guarantee", *map(words.guarantee_label, treatments)])
    caption = "Median, with the middle half in parentheses."
    return joined(
        (
            table(["", *(t.name for t in treatments)], rows, class_="summary"),
            element("p", caption, class_="small"),
        )
    )


def cdf_section(treatments: Treatments, title: str = "User by user") -> Markup:
    """Return the distribution of each metric, all treatments in one figure."""
    things = treatments[0].batches if treatments else "batches"
    drawn = []
    for label in metric_labels(treatments):
        series = {t.name: t.values(label) for t in treatments}
        metric = metric_named(label)
        least = (0.0, 1.0) if math.isfinite(metric.bounds[1]) else (0.0, 0.0)
        drawing = figures.cdf(label, series, unit=metric.unit, of=things, at_least=least)
        drawn.append(figure(drawing, *words.metric_words(label), figures.deciles(series)))
    lead = (
        f"Each curve climbs to the share of {things} with at most the value below it. "
        "Where lower is better a good curve is high on the left; where higher is better it stays "
        "low until the right."
    )
    key = figures.legend([t.name for t in treatments])
    return section(title, element("p", lead), key, element("div", *drawn, class_="figures"))


def parameter_section(treatments: Treatments, title: str = "What was chosen") -> Markup:
    """Return the distribution of every chosen parameter."""
    drawn = [
        _parameter_figure(treatment, name, index)
        for index, treatment in enumerate(treatments)
        for name in treatment.summary["parameters"]
        if treatment.chosen(name)
    ]
    lead = "A dashed line marks the median. The axis is the whole range that was searched."
    return section(title, element("p", lead), element("div", *drawn, class_="figures"))


def map_section(portraits: Sequence[maps.Portrait], title: str, lead: str) -> Markup:
    """Return users on the map. The caller answers for showing these people's raw traces."""
    names = list(dict.fromkeys(name for p in portraits for name in p.protected))
    shown = [_portrait(portrait, names) for portrait in portraits]
    return section(title, element("p", lead), maps.key(names), *shown)


def guarantee_section(
    treatments: Treatments, title: str = "What is guaranteed, and what is not"
) -> Markup:
    """Return labels and caveats in plain words."""
    parts: list[Markup] = [paragraphs(words.general_caveats(treatments))]
    for treatment in treatments:
        parts.append(element("h3", treatment.name))
        parts.append(bullets([*words.guarantees(treatment), *words.caveats(treatment)]))
    return section(title, *parts)


def command_section(commands: Sequence[str], *notes: object, title: str = "Do it again") -> Markup:
    """Return the commands that make the same results."""
    shown = element("pre", element("code", "\n".join(commands)))
    return section(title, shown, paragraphs(notes))


def _metric_cell(label: str) -> Markup:
    title, meaning = words.metric_words(label)
    named = element("code", label)
    return joined((title, " ", named, element("span", meaning, class_="meaning")))


def _median_cell(values: dict[str, float | None] | None, unit: str) -> Markup:
    if not values or values["median"] is None:
        return joined(["–"])
    spread = f"({number(values['p25'])}–{number(values['p75'])})"
    unit = f"\u00a0{unit}" if unit else ""
    median = element("strong", f"{number(values['median'])}{unit}")
    return joined((median, " ", element("span", spread, class_="spread")))


def hidden_users(treatment: Treatment) -> str:
    """Return the share of users none of whose places was found, and their number."""
    hidden = treatment.summary["users_all_hidden"]
    if hidden is None:
        return "–"
    return f"{share(hidden, treatment.summary['users'])} ({hidden:,})"


def chosen_medians(treatment: Treatment) -> str:
    """Return the median of each chosen parameter, with its unit."""
    parts = [
        f"{name} {number(values['median'])}\u00a0{treatment.unit(name)}".strip()
        for name, values in treatment.summary["parameters"].items()
    ]
    return ", ".join(parts) or "–"


def _parameter_figure(treatment: Treatment, name: str, index: int) -> Markup:
    values, axis, things = treatment.chosen(name), treatment.axis(name), treatment.batches
    unit, domain = treatment.unit(name), treatment.domain(name)
    title = f"{name} ({unit})" if unit else name
    about = domain.help if domain else ""
    median = f"Median {number(float(np.median(values)))} {unit}".strip() + "."
    drawing = figures.histogram(title, values, axis, of=things, index=index)
    return figure(
        drawing,
        f"{treatment.name}: {name}",
        f"{about} {median}".strip(),
        figures.bin_table(title, values, axis, of=things),
    )


def _portrait(portrait: maps.Portrait, names: Sequence[str]) -> Markup:
    whole = maps.View.around(portrait.raw, *portrait.protected.values())
    shown = [_panels(portrait, names, whole, "")]
    home = maps.longest_stay(portrait.raw)
    if home:
        shown.append(_panels(portrait, names, whole.near(*home), ", around the longest stay"))
    numbers = element("details", element("summary", "The numbers"), maps.portrait_table(portrait))
    heading = element("h3", f"User {portrait.user}")
    why = element("p", portrait.why) if portrait.why else ""
    return joined((heading, why, *shown, numbers))


def _panels(portrait: maps.Portrait, names: Sequence[str], view: maps.View, where: str) -> Markup:
    drawn = {"raw": maps.raw_map(portrait, view)}
    for name in portrait.protected:
        drawn[name] = maps.protected_map(portrait, name, view, names.index(name))
    panels = (figure(drawing, f"{name}{where}", "", Markup("")) for name, drawing in drawn.items())
    return element("div", *panels, class_="figures")
