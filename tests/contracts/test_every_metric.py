"""What every metric promises, over the registry and all values of its options."""

from __future__ import annotations

import pickle
import re
from typing import Literal, get_args, get_origin

import numpy as np
import pytest
from hypothesis import given

from alp.geo import GEOMETRIES
from alp.mechanisms import mechanism_named
from alp.metrics import METRICS, Metric, Purpose, metric_named
from alp.params import declared
from alp.trace import Trace
from strategies import random_traces, traces

NAMES = list(METRICS)
every = pytest.mark.parametrize("cls", [METRICS[name] for name in NAMES], ids=NAMES)
both = pytest.mark.parametrize("geometry", list(GEOMETRIES))


def variants(cls):
    """Return the metric with each value of each option that lists them."""
    made = [cls()]
    for field in declared(cls):
        values = (True, False) if field.type is bool else ()
        if get_origin(field.type) is Literal:
            values = get_args(field.type)
        made += [cls(**{field.name: value}) for value in values]
    return list(dict.fromkeys(made))


ALL = [metric for name in NAMES for metric in variants(METRICS[name])]
every_variant = pytest.mark.parametrize("metric", ALL, ids=str)


def pairs_of(seed, count, geometry="sphere"):
    """Yield real traces with a protected version each: noisy, dropped, or another trace."""
    others = random_traces(seed + 1, count, geometry=geometry)
    for k, (real, other) in enumerate(
        zip(random_traces(seed, count, geometry=geometry), others, strict=True)
    ):
        mechanism, _ = mechanism_named(("geo-i(epsilon=0.05)", "drop", "drop(keep=1)")[k % 3])
        noisy = mechanism.protect(real, np.random.default_rng(k))
        yield real, other if k % 4 == 3 else noisy


def assert_in_range(metric, value, real, protected):
    low, high = metric.bounds
    if value is None:
        assert not len(real) or not len(protected), "undefined only where a side is empty"
    else:
        assert type(value) is float
        assert low <= value <= high


# — values —


@every_variant
@both
def test_values_stay_in_their_range_and_are_defined_where_both_traces_have_records(
    metric, geometry
):
    for real, protected in pairs_of(41, 100, geometry):
        assert_in_range(metric, metric.evaluate(real, protected), real, protected)


@every_variant
@given(real=traces(max_size=12), protected=traces(max_size=12))
def test_any_two_traces_have_a_value_in_range(metric, real, protected):
    assert_in_range(metric, metric.evaluate(real, protected), real, protected)


@every_variant
def test_a_trace_compared_with_itself_has_the_perfect_value(metric, day):
    value = metric.evaluate(day, day)
    assert metric.identity is None or value == metric.identity
    if metric == type(metric)():
        perfect = {"spatial-distortion": 0.0, "area-coverage": 1.0, "poi-retrieval": 1.0}
        assert value == perfect.get(metric.name, value)


@every_variant
def test_a_declared_identity_holds_for_every_trace(metric):
    for trace in random_traces(43, 60):
        if metric.identity is not None and len(trace):
            assert metric.evaluate(trace, trace) == metric.identity


@every_variant
@both
def test_an_empty_output_never_looks_good(metric, geometry, make_day):
    day, empty = make_day(geometry=geometry), Trace("u", [], [], [], geometry=geometry)
    value = metric.evaluate(day, empty)
    if metric.purpose is Purpose.UTILITY:
        assert value is None or value == metric.bounds[0 if metric.best == "high" else 1]


@every_variant
@both
def test_an_empty_real_trace_is_no_trouble(metric, geometry, make_day):
    day, empty = make_day(geometry=geometry), Trace("u", [], [], [], geometry=geometry)
    for protected in (day, empty):
        value = metric.evaluate(empty, protected)
        assert value is None or metric.bounds[0] <= value <= metric.bounds[1]


@every_variant
def test_the_order_in_which_records_come_changes_nothing(metric, day):
    rng = np.random.default_rng(0)
    noisy = mechanism_named("geo-i")[0].protect(day, rng)
    shuffled = []
    for trace in (day, noisy):
        order = rng.permutation(len(trace))
        columns = (column[order] for column in (trace.time_us, trace.lat, trace.lon))
        shuffled.append(Trace(trace.user, *columns))
    assert metric.evaluate(*shuffled) == metric.evaluate(day, noisy)


@every_variant
def test_a_metric_prepared_once_gives_what_one_evaluated_anew_gives(metric, day):
    prepared = metric.prepare(day)
    for seed in range(4):
        rng = np.random.default_rng(seed)
        protected = mechanism_named("geo-i(epsilon=0.04)")[0].protect(day, rng)
        assert prepared(protected) == metric.evaluate(day, protected)


@every_variant
def test_both_traces_are_left_alone(metric, day):
    noisy = mechanism_named("geo-i")[0].protect(day, np.random.default_rng(0))
    before = pickle.dumps((day, noisy))
    metric.evaluate(day, noisy)
    assert pickle.dumps((day, noisy)) == before


# — declaration —


@every
def test_it_says_what_it_is_and_cites_a_source(cls):
    assert issubclass(cls, Metric)
    assert cls.__doc__.split("\n")[0].endswith(".")
    assert re.search(r"\b(19|20)\d\d\b", cls.source), "a source has a year"
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", cls.name)


@every
def test_its_purpose_range_and_scale_make_sense(cls):
    low, high = cls.bounds
    assert isinstance(cls.purpose, Purpose)
    assert cls.best in ("low", "high")
    assert low < high
    assert low < cls.scale <= high
    assert cls.unit or high < np.inf, "a value without bounds has a unit"


@every
def test_every_option_has_help_and_lengths_and_times_have_a_unit(cls):
    for field in declared(cls):
        assert field.about.help.endswith("."), field.name
        if field.type in (float, float | None):
            assert field.about.unit, field.name


@every_variant
def test_its_text_builds_it_again(metric):
    assert metric_named(str(metric)) == metric
    assert pickle.loads(pickle.dumps(metric)) == metric


def test_a_metric_that_implements_nothing_is_refused():
    from alp.metrics import metric

    with pytest.raises(TypeError, match="must implement evaluate or prepare"):
        metric("hollow")(type("Hollow", (Metric,), {}))
    assert "hollow" not in METRICS


def test_a_metric_that_implements_only_evaluate_can_be_prepared(day, walk):
    class Length(Metric):
        def evaluate(self, real, protected):
            return float(len(protected) - len(real))

    assert Length().prepare(day)(walk) == len(walk) - len(day)
