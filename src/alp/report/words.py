"""Words: what a report says in sentences, and no more than holds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from alp.adapt.guarantee import MEANING, Label
from alp.metrics import Metric, Purpose, metric_named
from alp.metrics.poi_retrieval import PoiRetrieval
from alp.params import parse_spec
from alp.report.markup import count, number, share
from alp.report.treatment import Treatment, metric_labels

METRICS = {
    "poi-retrieval": (
        "Places found",
        "How well the places where people stay are found again: 0 if none is, 1 if all are.",
    ),
    "spatial-distortion": (
        "Distance from the real path",
        "How far protected records lie from the real ones, on average.",
    ),
    "area-coverage": (
        "Areas in common",
        "How well the protected trace covers the areas of the real one: 0 not at all, 1 fully.",
    ),
}

SEEDED = "Seeded: for experiments only. Whoever knows the seed can take the noise away."

TUNED_ON_RAW = (
    "Parameters were tuned on the raw data, and this voids formal guarantees for the release as a "
    "whole: the choice itself tells something about the data."
)


def metric_words(label: str) -> tuple[str, str]:
    """Return a metric's plain name and what its values mean."""
    name = parse_spec(label)[0]
    title, meaning = METRICS.get(name, (name, ""))
    return title, f"{meaning} {direction(metric_named(label))}".strip()


def direction(metric: Metric) -> str:
    """Return which values are wished for."""
    better = "hides more" if metric.purpose is Purpose.PRIVACY else "is more useful"
    return f"{'Lower' if metric.best == 'low' else 'Higher'} {better}."


def honest_sentences(treatment: Treatment) -> Iterator[str]:
    """Yield what must be known of a treatment before its numbers are believed."""
    summary, things = treatment.summary, treatment.batch
    total = summary["batches"]
    shares = (
        ("without_poi", "had no POI to hide", "whatever is done to them, they count as hidden"),
        ("released_raw", "were released raw", "as they are"),
        ("suppressed", "were suppressed", "nothing of them is released"),
        ("infeasible", "broke a limit", "no configuration, or not this draw, keeps it"),
    )
    parts = [
        f"{summary[key]:,} ({share(summary[key], total)}) {words}"
        + (f" ({meaning})" if summary[key] else "")
        for key, words, meaning in shares
        if summary[key] or key != "infeasible"
    ]
    yield f"Of {count(total, things)}, {', '.join(parts[:-1])} and {parts[-1]}."
    yield (
        f"{summary['records']:,} records went in, {summary['protected_records']:,} came out "
        f"({share(summary['protected_records'], summary['records'])})."
    )


def guarantee_label(treatment: Treatment) -> str:
    """Return the labels of a treatment's batches, counted if there are several."""
    labels = treatment.summary["guarantees"]
    if len(labels) == 1:
        return str(next(iter(labels)))
    return ", ".join(f"{label} ({count:,})" for label, count in labels.items()) or "–"


def guarantees(treatment: Treatment) -> Iterator[str]:
    """Yield what the labels of a treatment's batches mean."""
    total, things = treatment.summary["batches"], treatment.batch
    for label, some in treatment.summary["guarantees"].items():
        whom = f"{some:,} of {count(total, things)}"
        if some == total:
            whom = f"all {count(total, things)}" if total > 1 else f"the {things}"
        yield f"{label.capitalize()}, for {whom}: {MEANING[Label(label)]}."


def general_caveats(treatments: Sequence[Treatment]) -> Iterator[str]:
    """Yield what holds for all treatments alike."""
    attacks = dict.fromkeys(
        attack
        for label in metric_labels(treatments)
        if isinstance(attack := metric_named(label), PoiRetrieval)
    )
    for attack in attacks:
        near = attack.diameter / 2 if attack.threshold is None else attack.threshold
        yield (
            f"“Hidden” means hidden from one attack: a stay is at least {attack.stay / 60:g} "
            f"minutes within {attack.diameter:g} m, and it is found if one is seen within "
            f"{near:g} m of it. One seen a little farther away counts as not found, though it is "
            "still a good guess, and another attack may find more."
        )
    if any(row["tuned_on_raw"] for treatment in treatments for row in treatment.rows):
        yield TUNED_ON_RAW


def caveats(treatment: Treatment) -> Iterator[str]:
    """Yield what a treatment does not promise."""
    yield from noise_caveats(treatment)
    yield from gap_caveat(treatment)
    if treatment.mechanism == "promesse":
        yield (
            "The path itself is published, but for its ends: who takes which road can still be "
            "read, and a path that only one person takes points to that person. Times between "
            "the first and the last record are made even and are not real."
        )


def gap_caveat(treatment: Treatment) -> Iterator[str]:
    """Yield what to do where PROMESSE drew long lines across gaps in the data."""
    far = treatment.summary["metrics"].get("spatial-distortion", {}).get("p75")
    whole = all(row["parameters"].get("jump") is None for row in treatment.rows)
    if treatment.mechanism == "promesse" and whole and far is not None and far > 1000:
        yield (
            "PROMESSE drew straight lines across long gaps in the data, far from any real record: "
            "--set gap=1800 --set jump=2000 smooths the parts on either side apart."
        )


def noise_caveats(treatment: Treatment) -> Iterator[str]:
    """Yield what independent noise does not promise, if there is any."""
    if treatment.summary["epsilon_total_per_m"] is None:
        return
    total = number(treatment.summary["epsilon_total_per_m"])
    epsilon = treatment.summary["parameters"].get("epsilon", {}).get("median")
    words = (
        "Every record has noise of its own, so a moving average over many records of one place "
        "undoes it."
    )
    if epsilon:
        # Planar Laplace noise has variance 3/ε² along each axis.
        alone, together = 2 / epsilon, math.sqrt(6 / 100) / epsilon
        words += (
            f" At the median ε a record is moved by {number(alone)} m on average; the mean of 100 "
            f"records of one place is off by about {number(together)} m. The attack measured here "
            "does not average."
        )
    yield words
    yield (
        f"Records × ε of the user who lost most is {total} per metre: taken together, the records "
        "promise next to nothing."
    )
