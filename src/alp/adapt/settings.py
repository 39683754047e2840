"""Settings: everything about a run but the data, read from names and checked once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from alp.adapt.randomness import Randomness
from alp.errors import ParameterError, UnknownNameError
from alp.geo import Geometry, geometry_named
from alp.mechanisms import Mechanism, mechanism_named
from alp.metrics import Metric, metric_named
from alp.objectives import Cost, Objective, parse_objective
from alp.params import Domain, Space
from alp.prepare import parse_duration
from alp.prepare.splitting import check_per
from alp.search import Search, search_named

DEFAULT_METRICS = ("poi-retrieval", "spatial-distortion", "area-coverage")
REPLICATES = 3
FINALISTS = 8


@dataclass(frozen=True)
class _Defaults:
    """What a profile says where the user does not."""

    geometry: str
    per: str
    search: str
    reading: str
    allow_raw: bool
    sound: bool


PROFILES: Mapping[str, _Defaults] = {
    "sound": _Defaults("sphere", "user", "auto", "symmetric", False, True),
    "paper2016": _Defaults("mercator", "24h", "annealing", "literal", True, False),
}


@dataclass(frozen=True)
class Settings:
    """A run's mechanism, objectives, search and ways, ready for any trace. Can be pickled."""

    mechanism: Mechanism
    fixed: Mapping[str, object]
    space: Space
    objectives: tuple[Objective, ...]
    metrics: Mapping[str, Metric]
    """Everything to measure, by label: the objectives' metrics first."""
    search: Search
    randomness: Randomness
    geometry: Geometry
    per: str
    tz: str
    sample_s: float
    profile: str
    recheck: bool
    """Whether the best states of a random mechanism are tried again on fresh draws."""

    @property
    def cost(self) -> Cost:
        """The objectives as one cost."""
        return Cost(self.objectives)

    @classmethod
    def of(
        cls,
        mechanism: str | Mechanism,
        objectives: Sequence[str | Objective] | str | None = None,
        *,
        metrics: Sequence[str | Metric] | None = None,
        search: str | Search | None = None,
        domain: Mapping[str, str | Domain] | None = None,
        fixed: Mapping[str, object] | None = None,
        geometry: str | Geometry | None = None,
        per: str | int | None = None,
        tz: str = "UTC",
        sample: str | float | None = None,
        seed: int | None = None,
        profile: str = "sound",
        allow_raw: bool = False,
    ) -> Settings:
        """Return the settings that these names and sentences mean."""
        if profile not in PROFILES:
            raise UnknownNameError("profile", profile, PROFILES)
        defaults = PROFILES[profile]
        made, chosen = mechanism_named(mechanism, fixed)
        sentences = [objectives] if isinstance(objectives, str) else objectives
        wishes = tuple(
            parse_objective(o)
            for o in (_with_reading(made.objectives, defaults) if sentences is None else sentences)
        )
        measured = {o.label: o.metric for o in wishes}
        for given in _with_reading(DEFAULT_METRICS, defaults) if metrics is None else metrics:
            label = str(given).strip()
            measured.setdefault(label, metric_named(given))
        finder = search_named(defaults.search if search is None else search)
        step = defaults.per if per is None else str(per)
        check_per(step, tz)
        space = Space.of(
            type(made), domains=domain, fixed=chosen, allow_raw=allow_raw or defaults.allow_raw
        )
        if space.size > 1 and defaults.sound:
            needed = {k: v for k, v in made.when_tuned.items() if k not in chosen}
            made = made.with_(**needed)
        return cls(
            mechanism=made,
            fixed=chosen,
            space=space,
            objectives=wishes,
            metrics=measured,
            search=finder,
            randomness=Randomness(_seed(seed)),
            geometry=geometry_named(geometry or defaults.geometry),
            per=step,
            tz=tz,
            sample_s=parse_duration(sample) if isinstance(sample, str) else float(sample or 0.0),
            profile=profile,
            recheck=finder.rechecks,
        )


def profile_metrics(profile: str) -> tuple[str, ...]:
    """Return the metrics that a profile measures unless told otherwise."""
    if profile not in PROFILES:
        raise UnknownNameError("profile", profile, PROFILES)
    return _with_reading(DEFAULT_METRICS, PROFILES[profile])


def _with_reading(sentences: Sequence[str], defaults: _Defaults) -> tuple[str, ...]:
    """Return sentences with the profile's reading of POIs retrieval."""
    if defaults.reading == "symmetric":
        return tuple(sentences)
    named = f"poi-retrieval(reading={defaults.reading})"
    return tuple(s.replace("poi-retrieval", named) for s in sentences)


def _seed(seed: Any) -> int | None:
    if seed is None:
        return None
    if hasattr(seed, "__index__") and not isinstance(seed, bool) and int(seed) >= 0:
        return int(seed)
    raise ParameterError(f"--seed must be a whole number from 0, not {seed}")
