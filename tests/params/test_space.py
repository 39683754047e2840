from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Annotated

import numpy as np
import pytest

from alp.errors import ParameterError, UnknownNameError
from alp.params import Choice, Dimension, Interval, Linear, Log, Option, Space


@dataclass(frozen=True, kw_only=True)
class Blur:
    """A plug-in with two parameters to tune, a whole number among them, and an option."""

    name = "blur"

    width: Annotated[
        float, Linear(10, 30, 10, unit="m", private="high", raw=0.0, allowed=Interval(0))
    ] = 10.0
    passes: Annotated[int, Log(1, 100, 3, private="low", allowed=Interval(1))] = 1
    kind: Annotated[str, Option("A word.")] = "soft"


def values(space):
    return {dimension.name: dimension.values for dimension in space.dimensions}


def test_a_space_is_the_product_of_the_declared_domains():
    space = Space.of(Blur)
    assert values(space) == {"width": (10, 20, 30), "passes": (1, 10, 100)}
    assert space.size == 9
    assert space.configuration((2, 0)) == {"width": 30, "passes": 1}


def test_every_configuration_of_a_space_makes_a_plug_in():
    space = Space.of(Blur, domains={"passes": "linear(1,9,4)"}, allow_raw=True)
    for state in product(*(range(len(d.values)) for d in space.dimensions)):
        made = Blur(**space.configuration(state))
        assert isinstance(made.passes, int)


def test_a_fixed_parameter_is_taken_out():
    space = Space.of(Blur, fixed={"width": 20})
    assert values(space) == {"passes": (1, 10, 100)}
    nothing = Space.of(Blur, fixed={"width": 20, "passes": 1})
    assert nothing.dimensions == ()
    assert nothing.size == 1
    assert nothing.configuration(()) == {}


@pytest.mark.parametrize(
    ("domain", "wanted"),
    [
        ("linear(5,15,5)", (5, 10, 15)),
        ("100,50,0", (0, 50, 100)),
        ("0,linear(50,60,10),50", (0, 50, 60)),
        (Choice((3, 1)), (1, 3)),
        (Choice(tuple(np.array([3, 1]))), (1, 3)),
        (Linear(1, 2, 1), (1, 2)),
    ],
    ids=str,
)
def test_a_given_domain_replaces_the_declared_one_in_rising_order(domain, wanted):
    space = Space.of(Blur, domains={"width": domain})
    assert values(space) == {"width": wanted, "passes": (1, 10, 100)}
    assert space.dimensions[0].private == "high", "what hides more is the parameter's own"


def test_the_raw_value_is_tuned_only_where_it_is_allowed():
    assert 0.0 not in values(Space.of(Blur))["width"]
    assert values(Space.of(Blur, allow_raw=True))["width"] == (0, 10, 20, 30)
    assert values(Space.of(Blur, domains={"width": "5,7"}, allow_raw=True))["width"] == (5, 7)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        (
            {"domains": {"widht": "1,2"}},
            r"tunable parameter of blur is named 'widht'; did you mean",
        ),
        ({"domains": {"kind": "a,b"}}, r"named 'kind' .*known: passes, width"),
        ({"domains": {"width": "-5,5"}}, r"width of blur must be .* 0 m, but -5.0 was given"),
        ({"domains": {"width": "wide,narrow"}}, r"width of blur must be .*, but 'wide' was given"),
        ({"domains": {"width": "linear(0,1)"}}, "is no domain"),
        ({"domains": {"width": "nan"}}, "but nan was given"),
        ({"domains": {"width": "1"}, "fixed": {"width": 1}}, "both set and given a domain"),
    ],
)
def test_what_cannot_be_tuned_so_is_told(how, words):
    with pytest.raises((ParameterError, UnknownNameError), match=words):
        Space.of(Blur, **how)


def test_the_most_private_state_ranks_first():
    space = Space.of(Blur)
    states = list(product(range(3), range(3)))
    best = min(states, key=space.privacy_rank)
    assert space.configuration(best) == {"width": 30, "passes": 1}
    worst = max(states, key=space.privacy_rank)
    assert space.configuration(worst) == {"width": 10, "passes": 100}


def test_a_parameter_that_does_not_say_what_hides_more_ranks_all_values_equal():
    plain = Dimension("x", (1, 2, 3))
    assert [plain.privacy_rank(i) for i in range(3)] == [0, 0, 0]
    assert [Dimension("x", (1, 2), "low").privacy_rank(i) for i in range(2)] == [0, 1]
    assert [Dimension("x", (1, 2), "high").privacy_rank(i) for i in range(2)] == [1, 0]


def test_a_state_of_the_wrong_length_is_a_defect_and_not_a_configuration():
    with pytest.raises(ValueError, match="zip"):
        Space.of(Blur).configuration((0,))
