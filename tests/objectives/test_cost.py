import pytest
from hypothesis import given
from hypothesis import strategies as st

from alp.objectives import Cost, parse_objective

LABELS = ("poi-retrieval", "spatial-distortion", "area-coverage")
VALUES = st.fixed_dictionaries(
    {
        "poi-retrieval": st.none() | st.floats(0, 2),
        "spatial-distortion": st.none() | st.floats(0, 1e7),
        "area-coverage": st.none() | st.floats(0, 1),
    }
)


def cost_of(*sentences):
    return Cost([parse_objective(sentence) for sentence in sentences])


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"poi-retrieval": 0.0, "spatial-distortion": 0.0}, 0.0),
        ({"poi-retrieval": 0.5, "spatial-distortion": 100.0}, 0.7),
        ({"poi-retrieval": 1.7, "spatial-distortion": 9e9}, 2.0),
        ({"poi-retrieval": None, "spatial-distortion": None}, 2.0),
    ],
)
def test_the_cost_is_that_of_algorithm_2(values, expected):
    cost = cost_of("minimise poi-retrieval", "minimise spatial-distortion scale 500")
    assert cost(values) == pytest.approx(expected)


def test_maximising_costs_what_is_missing():
    assert cost_of("maximise area-coverage")({"area-coverage": 0.75}) == pytest.approx(0.25)


def test_undefined_is_worst_whether_lowered_or_raised():
    cost = cost_of("maximise area-coverage", "minimise poi-retrieval")
    assert cost({"area-coverage": None, "poi-retrieval": None}) == 2.0


@given(VALUES, st.floats(0.1, 100))
def test_scaling_all_weights_changes_nothing(values, factor):
    plain = cost_of("min poi-retrieval", "max area-coverage weight 3")
    scaled = cost_of(f"min poi-retrieval weight {factor}", f"max area-coverage weight {3 * factor}")
    assert scaled(values) == pytest.approx(plain(values), rel=1e-9, abs=1e-12)


@given(VALUES, VALUES)
def test_any_state_within_the_limits_beats_any_that_is_not(a, b):
    cost = cost_of(
        "min spatial-distortion", "max area-coverage", "poi-retrieval <= 0.1", "area-coverage > 0.2"
    )
    if cost.feasible(a) and not cost.feasible(b):
        assert cost(a) < cost(b)


@given(VALUES)
def test_the_cost_stays_in_its_range(values):
    wishes = cost_of("min poi-retrieval", "max area-coverage weight 5")
    assert 0 <= wishes(values) <= wishes.count
    limited = cost_of("min poi-retrieval", "area-coverage >= 0.5")
    assert 0 <= limited(values) <= 2 * limited.count * (1 + 1e-6)


@given(VALUES)
def test_an_infinite_limit_changes_nothing_for_defined_values(values):
    cost = cost_of("min poi-retrieval", "spatial-distortion <= inf")
    if values["spatial-distortion"] is not None:
        assert cost(values) == cost_of("min poi-retrieval")(values)


def test_a_strict_limit_is_broken_at_its_bound():
    at_bound = {"poi-retrieval": 0.1}
    assert cost_of("poi-retrieval <= 0.1").feasible(at_bound)
    assert not cost_of("poi-retrieval < 0.1").feasible(at_bound)


def test_a_worse_violation_costs_more():
    cost = cost_of("poi-retrieval <= 0.5")
    prices = [cost({"poi-retrieval": v}) for v in (0.5, 0.6, 0.9, 1.4, 1.9)]
    assert prices == sorted(set(prices))
    assert cost({"poi-retrieval": None}) == 2.0


def test_without_objectives_every_state_is_as_good():
    assert Cost([])({}) == 0.0
    assert Cost([]).feasible({})
