from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alp.errors import ParameterError, UnknownNameError
from alp.params import Choice, Interval, Linear, Log, parse_domain

finite = st.floats(-1e6, 1e6)


# — intervals —


def test_an_interval_holds_its_ends_unless_it_is_open():
    assert 0 in Interval(0, 1)
    assert 1.0 in Interval(0, 1)
    assert 0 not in Interval(0, open_low=True)
    assert math.nextafter(0, 1) in Interval(0, open_low=True)


@pytest.mark.parametrize("value", [float("nan"), math.inf, -math.inf, "1", None, [1], 1j])
def test_no_interval_holds_what_is_no_finite_number(value):
    assert value not in Interval()


@pytest.mark.parametrize("kind", [int, float, np.int32, np.int64, np.float32, np.float64])
def test_an_interval_knows_the_numbers_of_numpy(kind):
    assert kind(3) in Interval(0, 3)
    assert kind(4) not in Interval(0, 3)


def test_an_interval_says_itself_in_words():
    assert str(Interval(0)) == "a number of at least 0"
    assert str(Interval(0, open_low=True)) == "a number above 0"
    assert str(Interval(0, 9)) == "a number from 0 to 9"


# — values —


def test_linear_values_carry_no_dust():
    assert Linear(0.05, 0.95, 0.05).values[5] == 0.3
    assert Linear(0, 1, 0.1).values == tuple(k / 10 for k in range(11))
    assert Linear(5, 500, 5).values == tuple(range(5, 501, 5))


def test_a_step_that_does_not_reach_the_end_stops_before_it():
    assert Linear(0, 10, 4).values == (0, 4, 8)
    assert Linear(3, 3, 1).values == (3,)


@given(low=finite, width=st.floats(0, 1e3), step=st.floats(0.01, 100))
def test_linear_values_rise_by_their_step_within_their_ends(low, width, step):
    values = Linear(low, low + width, step).values
    assert values[0] == pytest.approx(low, abs=1e-9)
    assert values[-1] <= low + width + 1e-6 * step + 1e-9
    assert values[-1] > low + width - step - 1e-9
    np.testing.assert_allclose(np.diff(values), step, rtol=1e-5, atol=1e-9)


@given(low=st.floats(1e-9, 1e3), factor=st.floats(1.001, 1e6), count=st.integers(2, 300))
def test_log_values_rise_by_one_factor_and_hit_both_ends(low, factor, count):
    values = Log(low, low * factor, count).values
    assert (values[0], values[-1]) == (low, low * factor)
    assert len(values) == count
    ratios = np.array(values[1:]) / values[:-1]
    np.testing.assert_allclose(ratios, factor ** (1 / (count - 1)), rtol=1e-9)


def test_the_grid_of_the_paper_has_41_values_ten_of_them_a_tenth_of_a_decade_apart():
    values = Log(0.001, 0.1, 41).values
    assert values[20] == pytest.approx(0.01, rel=1e-12)
    assert Log(5, 7, 1).values == (5.0,)


def test_a_choice_keeps_its_order():
    assert Choice((3, 1, 2)).values == (3, 1, 2)


@pytest.mark.parametrize(
    "domain",
    [
        Linear(0, 10, 0),
        Linear(0, 10, -1),
        Linear(10, 0, 1),
        Log(0, 1, 5),
        Log(-1, 1, 5),
        Log(1, 0.1, 5),
        Log(1, 10, 0),
        Log(1, 10, 2.5),
        Choice(()),
    ],
    ids=str,
)
def test_an_empty_domain_is_said_to_be_empty(domain):
    with pytest.raises(ParameterError, match=rf"the domain {re.escape(str(domain))} is empty"):
        _ = domain.values


@pytest.mark.parametrize("domain", [Linear(0, math.inf, 1), Log(1, math.nan, 3)], ids=str)
def test_an_endless_domain_is_refused(domain):
    with pytest.raises(ParameterError, match="must be finite"):
        _ = domain.values


@pytest.mark.parametrize("domain", [Linear(0, 1e9, 1), Log(1, 10, 10**7)], ids=str)
def test_a_domain_no_search_could_bear_is_refused(domain):
    with pytest.raises(ParameterError, match="has over a million values: use a larger step"):
        _ = domain.values


# — values set by hand —


def test_a_value_outside_what_is_allowed_is_told_with_the_rule_and_the_unit():
    domain = Linear(5, 500, 5, unit="m", allowed=Interval(0))
    domain.check("alpha", "promesse", 3.7)
    with pytest.raises(
        ParameterError,
        match=r"^alpha of promesse must be a number of at least 0 m, but -1 was given$",
    ):
        domain.check("alpha", "promesse", -1)


def test_a_word_must_be_one_of_the_choices():
    domain = Choice(("coarse", "fine"))
    domain.check("grid", "snap", "fine")
    with pytest.raises(
        UnknownNameError, match=r"grid of snap is named 'fien'; did you mean 'fine'"
    ):
        domain.check("grid", "snap", "fien")


# — text —


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("log(0.001,0.1,3)", (0.001, 0.01, 0.1)),
        ("linear(0,500,250)", (0, 250, 500)),
        (" linear( 0 , 2 , 1 ) ", (0, 1, 2)),
        ("7", (7,)),
        ("0,50,100", (0, 50, 100)),
        ("0, linear(50,70,10), 500", (0, 50, 60, 70, 500)),
        ("linear(0,2,1),linear(2,4,1)", (0, 1, 2, 3, 4)),
        ("-1e-3,+2.5E2", (-0.001, 250)),
    ],
)
def test_a_domain_is_read_from_text(text, values):
    assert parse_domain(text).values == pytest.approx(values, rel=1e-12)


def test_a_domain_may_be_words():
    assert parse_domain("coarse, fine").values == ("coarse", "fine")


@pytest.mark.parametrize("domain", [Linear(0, 500, 5), Log(0.001, 0.1, 41), Choice((0.5, 2.0))])
def test_the_text_of_a_domain_reads_back(domain):
    assert parse_domain(str(domain)).values == domain.values


@pytest.mark.parametrize(
    "text",
    [
        "linear(0,500)",
        "linear(0,500,5,6)",
        "log(a,b,c)",
        "log()",
        "linear(0,500,5",
        "linear 0,500,5)",
        "square(1,2,3)",
        "1,,2",
        ",1",
        "linear(0,1,1)linear(2,3,1)",
    ],
)
def test_what_is_no_domain_is_quoted_with_the_forms_there_are(text):
    with pytest.raises(
        ParameterError, match=r"is no domain: write log\(low,high,count\)"
    ) as caught:
        parse_domain(text)
    assert f"'{text}'" in str(caught.value)


@pytest.mark.parametrize("text", ["", "linear(5,1,1)", "1,log(0,1,3)"])
def test_an_empty_domain_is_told_when_it_is_read(text):
    with pytest.raises(ParameterError, match="is empty"):
        parse_domain(text)
