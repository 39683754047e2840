"""What every mechanism promises, over the registry: a new one is tested by being there."""

from __future__ import annotations

import copy
import pickle
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from alp.geo import GEOMETRIES
from alp.mechanisms import MECHANISMS, Mechanism, mechanism_named
from alp.objectives import parse_objective
from alp.params import Domain, Space, declared
from alp.trace import Trace
from strategies import LOCAL_KINDS, random_traces, traces

every = pytest.mark.parametrize(
    "cls", [MECHANISMS[name] for name in MECHANISMS], ids=list(MECHANISMS)
)
both = pytest.mark.parametrize("geometry", list(GEOMETRIES))
NEAR = ("empty", "one", "equal_times", "one_place", "walk", "stays")


def protect(mechanism, trace, seed=1):
    return mechanism.protect(trace, np.random.default_rng(seed))


def a_parameter(cls):
    """Return the name and a value of something that can be tuned."""
    dimensions = Space.of(cls).dimensions
    if not dimensions:
        pytest.skip(f"{cls.name} has nothing to tune")
    return dimensions[0].name, dimensions[0].values[0]


def as_bytes(trace):
    return b"|".join(column.tobytes() for column in (trace.time_us, trace.lat, trace.lon))


def assert_legal(trace):
    """Check that the trace could be published: sorted, finite, on the Earth."""
    assert len(trace.time_us) == len(trace.lat) == len(trace.lon)
    assert all(len(column) == len(trace) for column in trace.extra.values())
    assert (np.diff(trace.time_us) >= 0).all()
    assert (np.abs(trace.lat) <= 90).all()
    assert ((trace.lon >= -180) & (trace.lon < 180)).all()
    assert all(np.isfinite(column).all() for column in trace.points)


# — protection —


@every
@both
def test_equal_generators_give_equal_bytes_and_others_do_not(cls, geometry, make_day):
    day = make_day(geometry=geometry)
    first, again, other = (as_bytes(protect(cls(), day, seed)) for seed in (1, 1, 2))
    assert first == again
    assert (first != other) == cls.random


@every
@both
def test_the_input_is_left_alone(cls, geometry, make_day):
    day = make_day(geometry=geometry)
    before = as_bytes(day), [column.tobytes() for column in day.points]
    protect(cls(), day)
    assert (as_bytes(day), [column.tobytes() for column in day.points]) == before


@every
@both
def test_the_output_is_legal_and_keeps_user_and_geometry(cls, geometry):
    for trace in random_traces(31, 100, kinds=NEAR, geometry=geometry):
        protected = protect(cls(), trace)
        assert_legal(protected)
        assert (protected.user, protected.geometry) == (trace.user, trace.geometry)


@every
@settings(max_examples=50)
@given(data=st.data())
def test_the_output_of_any_trace_is_legal(cls, data):
    trace = data.draw(traces(kinds=(*LOCAL_KINDS, "empty", "one", "poles")))
    assert_legal(protect(cls(), trace))


@every
@both
def test_an_empty_trace_comes_out_empty(cls, geometry):
    empty = Trace("u", [], [], [], geometry=geometry)
    assert len(protect(cls(), empty)) == 0


@every
@both
def test_a_single_record_is_no_trouble(cls, geometry):
    for place in ((0.0, 0.0), (90.0, 0.0), (-90.0, 12.0), (10.0, -180.0)):
        protected = protect(cls(), Trace("u", [5], [place[0]], [place[1]], geometry=geometry))
        assert_legal(protected)
        assert len(protected) <= 1


@every
@pytest.mark.parametrize("turn", [-180.0, -116.4, 63.57, 63.6, 179.0])
def test_turning_the_earth_turns_the_output_with_it(cls, turn, make_day):
    day = make_day()
    turned = Trace(day.user, day.time_us, day.lat, day.lon + turn)
    here, there = protect(cls(), day), protect(cls(), turned)
    np.testing.assert_array_equal(here.time_us, there.time_us)
    apart_m = oracles.haversine(here.lat, here.lon + turn, there.lat, there.lon)
    assert apart_m.max() < 0.25  # a released place lies on a grid of degrees


@every
@both
def test_a_trace_over_the_pole_comes_out_legal(cls, geometry):
    for trace in random_traces(32, 30, kinds=("poles",), geometry=geometry, size=10):
        assert_legal(protect(cls(), trace))


@every
def test_shuffled_records_come_out_as_sorted_ones(cls, day):
    order = np.random.default_rng(0).permutation(len(day))
    shuffled = Trace(day.user, day.time_us[order], day.lat[order], day.lon[order])
    assert as_bytes(protect(cls(), shuffled)) == as_bytes(protect(cls(), day))


@every
@both
def test_every_value_of_the_domain_is_accepted(cls, geometry, make_day):
    day = make_day(geometry=geometry, step_s=120.0)
    space = Space.of(cls, allow_raw=True)
    for position, dimension in enumerate(space.dimensions):
        for index in range(len(dimension.values)):
            state = [0] * len(space.dimensions)
            state[position] = index
            assert_legal(protect(cls(**space.configuration(tuple(state))), day))


@every
def test_the_raw_value_publishes_the_trace_as_it_is(cls, day):
    for field in declared(cls):
        if isinstance(field.about, Domain) and field.about.raw is not None:
            assert protect(cls(**{field.name: field.about.raw}), day).same_records(day)


@every
def test_equal_draws_give_equal_outputs(cls, day):
    mechanism = cls()
    draws = mechanism.draw(day, np.random.default_rng(3))
    assert mechanism.apply(day, draws) == mechanism.apply(day, draws)
    assert_legal(mechanism.apply(day, draws))


@every
def test_what_is_tuned_is_what_is_released_but_for_the_grid(cls, day):
    """Draws, applied, give what protect gives from the same generator, to some centimetres."""
    mechanism = cls()
    tried = mechanism.apply(day, mechanism.draw(day, np.random.default_rng(1)))
    released = protect(mechanism, day, 1)
    np.testing.assert_array_equal(tried.time_us, released.time_us)
    apart_m = oracles.haversine(tried.lat, tried.lon, released.lat, released.lon)
    assert apart_m.max() < 0.1


@every
def test_one_that_calls_itself_not_random_draws_nothing(cls, day):
    rng = np.random.default_rng(1)
    before = rng.bit_generator.state
    cls().protect(day, rng)
    assert (rng.bit_generator.state == before) == (not cls.random)


# — declaration —


@every
def test_it_says_what_it_is_and_cites_a_source(cls):
    assert issubclass(cls, Mechanism)
    assert cls.__doc__.split("\n")[0].endswith(".")
    assert re.search(r"\b(19|20)\d\d\b", cls.source), "a source has a year"
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", cls.name)


@every
def test_every_parameter_has_help_and_a_unit(cls):
    for field in declared(cls):
        assert field.about.help.endswith("."), field.name
        shares = field.about.allowed.low >= 0 and field.about.allowed.high <= 1
        assert field.about.unit or field.type is not float or shares, field.name


@every
def test_its_default_lies_in_its_domain_and_the_domain_tells_which_end_hides_more(cls):
    for field in declared(cls):
        if isinstance(field.about, Domain):
            assert min(field.about.values) <= field.default <= max(field.about.values)
            assert field.about.private in ("low", "high")
            assert field.about.raw not in field.about.values


@every
def test_its_own_objectives_can_be_read(cls):
    assert all(parse_objective(sentence) for sentence in cls.objectives)


@every
def test_its_promise_is_a_positive_number_or_none(cls, day):
    promise = cls().epsilon_per_m(day)
    assert promise is None or promise > 0


@every
def test_it_is_a_value(cls):
    """Equal fields make equal mechanisms; a copy remembers what the user set."""
    name, value = a_parameter(cls)
    made = cls(**{name: value})
    assert made == cls(**{name: value}) != cls()
    for again in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
        assert again == made
        assert again.given == made.given == {name}
    with pytest.raises(AttributeError):
        setattr(made, name, 1.0)


@every
def test_it_is_found_by_name_with_what_was_set_by_hand(cls):
    assert mechanism_named(cls.name) == (cls(), {})
    name, value = a_parameter(cls)
    wanted = cls(**{name: value})
    for given_as in (f"{cls.name}({name}={value!r})", wanted):
        assert mechanism_named(given_as) == (wanted, {name: value})
    assert mechanism_named(cls.name, {name: value}) == (wanted, {name: value})
