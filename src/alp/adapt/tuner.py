"""The tuner: obfuscate, evaluate, cost, wired to a search; then one fresh release."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from alp import interruption
from alp.adapt.guarantee import Guarantee, guarantee_of
from alp.adapt.settings import FINALISTS, REPLICATES, Settings
from alp.errors import TooManyRecordsError
from alp.metrics import Evaluation, Metric
from alp.params import Configuration, Space, State
from alp.places import find_pois
from alp.search import Step
from alp.trace import Trace

if TYPE_CHECKING:
    import pyarrow as pa

Values = dict[str, float | None]


@dataclass(frozen=True)
class Tuned:
    """A batch, the configuration chosen for it, and its release with what was measured."""

    user: str
    batch: str
    records: int
    parameters: Configuration
    cost: float | None
    """Of the released trace; None without objectives."""
    values: Values
    """Of the released trace."""
    evaluations: int
    feasible: bool
    protected: Trace
    guarantee: Guarantee
    pois: int
    """Stays of the raw batch: a batch without any is 'hidden' whatever is done to it."""
    raw: bool
    """Whether the release is the raw batch."""
    tuned_cost: float | None = None
    """What the search believed; the released cost minus this is its optimism."""
    ties: int = 0
    """How many states cost the same as the chosen one."""
    path: tuple[Step, ...] = field(default=(), repr=False)
    space: Space = field(default=Space(()), repr=False)
    seen: Mapping[State, Values] = field(default_factory=dict, repr=False)

    @property
    def suppressed(self) -> bool:
        """Whether nothing of the batch is released."""
        return self.records > 0 and not len(self.protected)

    @property
    def steps(self) -> pa.Table:
        """Every state visited, in order: parameters, values, cost, whether it was accepted."""
        import pyarrow as pa

        rows = [
            {
                **self.space.configuration(step.state),
                **self.seen[step.state],
                "cost": step.cost,
                "accepted": step.accepted,
            }
            for step in self.path
        ]
        return pa.Table.from_pylist(rows)

    def as_row(self) -> dict[str, Any]:
        """Return what a report holds of this batch, as plain values."""
        return {
            "user": self.user,
            "batch": self.batch,
            "records": self.records,
            "protected_records": len(self.protected),
            "parameters": self.parameters,
            "cost": self.cost,
            "values": self.values,
            "evaluations": self.evaluations,
            "feasible": self.feasible,
            **self.guarantee.as_row(),
            "pois": self.pois,
            "raw": self.raw,
            "suppressed": self.suppressed,
            "tuned_cost": self.tuned_cost,
            "ties": self.ties,
        }


def tune_batch(trace: Trace, settings: Settings, batch: str = "all") -> Tuned:
    """Return `trace` protected by the configuration that its objectives ask for.

    The search compares configurations on tuning draws, the same for all of them. The release is a
    fresh draw that nobody has looked at, and the values are those of the release.
    """
    key = (settings.mechanism.name, trace.user, batch)
    prepared: dict[str, Evaluation] = {}

    def evaluation(label: str) -> Evaluation:
        """Return a metric prepared for this trace, once."""
        if label not in prepared:
            prepared[label] = settings.metrics[label].prepare(trace)
        return prepared[label]

    cost = settings.cost
    result = _search(trace, settings, evaluation, key)
    mechanism = settings.mechanism.with_(**result.parameters)
    protected = mechanism.protect(trace, settings.randomness.release(*key)).in_degrees()
    values: Values = {label: evaluation(label)(protected) for label in settings.metrics}
    raw = len(trace) > 0 and protected.same_records(trace)
    return Tuned(
        user=trace.user,
        batch=batch,
        records=len(trace),
        parameters={**_chosen(settings), **result.parameters},
        cost=cost(values) if cost.objectives else None,
        values=values,
        evaluations=len(result.seen),
        feasible=cost.feasible(values),
        protected=protected,
        guarantee=guarantee_of(mechanism, protected, tuned=settings.space.size > 1, raw=raw),
        pois=len(find_pois(trace)),
        raw=raw,
        tuned_cost=result.cost,
        ties=result.ties,
        path=result.path,
        space=settings.space,
        seen=result.seen,
    )


@dataclass(frozen=True)
class _Found:
    """What a search ended with."""

    parameters: Configuration
    cost: float | None
    ties: int
    path: tuple[Step, ...]
    seen: dict[State, Values]


def _search(
    trace: Trace,
    settings: Settings,
    evaluation: Callable[[str], Evaluation],
    key: tuple[str, str, str],
) -> _Found:
    """Return the configuration that the search settles on; nothing to tune costs nothing."""
    space, cost = settings.space, settings.cost
    if space.size == 1:
        return _Found(space.configuration((0,) * len(space.dimensions)), None, 0, (), {})
    labels = list(dict.fromkeys(o.label for o in settings.objectives))
    metrics = [(label, settings.metrics[label], evaluation(label)) for label in labels]
    trial = _Trial(trace, settings, metrics, key)
    rng = settings.randomness.searching(*key)
    path = tuple(settings.search.explore(space, trial.price, rng, objectives=cost.count))
    best = settings.search.choose(path, space)
    if settings.recheck and settings.mechanism.random:
        best = trial.recheck(path)
    price = trial.prices[best.state]
    ties = sum(other == price for other in trial.prices.values()) - 1
    return _Found(space.configuration(best.state), best.cost, ties, path, trial.seen)


class _Trial:
    """Prices states of the space on one trace, each state once."""

    def __init__(
        self,
        trace: Trace,
        settings: Settings,
        metrics: list[tuple[str, Metric, Evaluation]],
        key: tuple[str, str, str],
    ) -> None:
        self.trace = trace
        self.settings = settings
        self.metrics = metrics
        self.cost = settings.cost
        self.key = key
        self.seen: dict[State, Values] = {}
        self.prices: dict[State, float] = {}
        self._draws = self._draw("first")

    def _draw(self, round_: str) -> list[Any]:
        """Return draws that every state is tried with: differences are the states' own."""
        mechanism, randomness = self.settings.mechanism, self.settings.randomness
        return [
            mechanism.draw(self.trace, randomness.tuning(*self.key, round_, replicate))
            for replicate in range(REPLICATES if mechanism.random else 1)
        ]

    def price(self, state: State) -> float:
        """Return the cost of a state."""
        known = self.prices.get(state)
        if known is None:
            interruption.check()
            self.seen[state] = self._values(state, self._draws)
            known = self.prices[state] = self.cost(self.seen[state])
        return known

    def _values(self, state: State, draws: list[Any]) -> Values:
        tried = self.settings.mechanism.with_(**self.settings.space.configuration(state))
        try:
            outputs = [tried.apply(self.trace, d) for d in draws]
        except TooManyRecordsError:  # out of the question, so as bad as can be
            return dict.fromkeys((label for label, _, _ in self.metrics), None)
        return {label: _middle(m, [e(o) for o in outputs]) for label, m, e in self.metrics}

    def recheck(self, path: tuple[Step, ...]) -> Step:
        """Return the finalist that does best on fresh draws, too.

        The cheapest of many states was partly lucky, and a median hides what happens in one draw of
        three. Each finalist is tried again, draw by draw, as a release would be; it keeps the worse
        of its first cost and the mean of these.
        """
        space = self.settings.space

        def merit(step: Step) -> tuple[float, tuple[int, ...]]:
            return step.cost, space.privacy_rank(step.state)

        states = {step.state: step for step in path}
        draws = self._draw("again")
        finalists = []
        for step in sorted(states.values(), key=merit)[:FINALISTS]:
            again = [self.cost(self._values(step.state, [draw])) for draw in draws]
            finalists.append(Step(step.state, max(step.cost, sum(again) / len(again)), True))
        return min(finalists, key=merit)


def _middle(metric: Metric, values: list[float | None]) -> float | None:
    """Return the median; an undefined value counts as the worst."""
    if len(values) == 1:
        return values[0]
    worst = float("inf") if metric.best == "low" else float("-inf")
    ordered = sorted(worst if v is None else v for v in values)
    middle = ordered[len(ordered) // 2]
    return None if middle == worst else middle


def _chosen(settings: Settings) -> Configuration:
    """Return the mechanism's tunable parameters that were set by hand."""
    from alp.params import Domain, declared

    return {
        f.name: getattr(settings.mechanism, f.name)
        for f in declared(type(settings.mechanism))
        if isinstance(f.about, Domain) or f.name in settings.fixed
    }
