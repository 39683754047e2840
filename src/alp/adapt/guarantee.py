"""What a release promises: labels that claim no more than holds."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from alp.mechanisms import Mechanism
from alp.trace import TRACE, Trace


class Label(Enum):
    """How strong the statement about a release is."""

    FORMAL = "formal"
    CONDITIONAL = "conditional"
    EMPIRICAL = "empirical"
    NONE = "none"


MEANING = {
    Label.FORMAL: "parameters were fixed before the data was seen; the theorem applies per record",
    Label.CONDITIONAL: (
        "the theorem holds per record for a reader who takes the chosen parameter as given; "
        "parameters were tuned on the data itself, so it is no claim about the release as a whole"
    ),
    Label.EMPIRICAL: "no theorem: only what was measured",
    Label.NONE: "published as it is",
}


@dataclass(frozen=True)
class Guarantee:
    """The honest account of one release (algorithms' section E)."""

    label: Label
    tuned_on_raw: bool
    epsilon_per_m: float | None
    """Per record and ground metre."""
    epsilon_total_per_m: float | None
    """Records times ε: what all of them together lose, per metre that the whole trace moves."""

    def as_row(self) -> dict[str, Any]:
        """Return plain values."""
        row = asdict(self) | {"release_draw_fresh": True}  # tuning draws are never released
        row["guarantee"] = row.pop("label").value
        return row


def guarantee_of(mechanism: Mechanism, released: Trace, *, tuned: bool, raw: bool) -> Guarantee:
    """Return what holds for a release of `mechanism`.

    `tuned` says that parameters were chosen by looking at the data that is released, `raw` that the
    release equals it. A theorem about places says nothing of a release with other columns.
    """
    kept = any(name != TRACE for name in released.extra)
    epsilon = None if raw else mechanism.epsilon_per_m(released)
    if raw:
        label = Label.NONE
    elif epsilon is None or kept:
        label = Label.EMPIRICAL
    else:
        label = Label.CONDITIONAL if tuned else Label.FORMAL
    total = None if epsilon is None else epsilon * len(released)
    return Guarantee(label, tuned, epsilon, total)
