from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alp.errors import ParameterError
from alp.mechanisms.drop import Drop
from strategies import traces


def dropped(trace, keep, seed=1):
    return Drop(keep=keep).protect(trace, np.random.default_rng(seed))


def test_to_keep_with_probability_one_is_to_keep_all_and_zero_is_to_keep_none(day):
    assert dropped(day, 1.0) == day
    assert len(dropped(day, 0.0)) == 0


@given(trace=traces(), shares=st.tuples(st.floats(0, 1), st.floats(0, 1)), seed=st.integers(0, 99))
def test_what_a_smaller_share_keeps_a_larger_one_keeps_too(trace, shares, seed):
    draws = Drop().draw(trace, np.random.default_rng(seed))
    less, more = (Drop(keep=share).apply(trace, draws) for share in sorted(shares))
    kept = [set(zip(t.time_us, t.lat, t.lon, strict=True)) for t in (less, more, trace)]
    assert kept[0] <= kept[1] <= kept[2]


@pytest.mark.parametrize("keep", [0.05, 0.5, 0.95])
def test_the_share_that_is_kept_is_that_asked_for(day, keep):
    kept = np.array([len(dropped(day, keep, seed)) for seed in range(20)])
    error = np.sqrt(keep * (1 - keep) / (20 * len(day)))
    assert abs(kept.sum() / (20 * len(day)) - keep) < 4 * error


def test_records_are_kept_independently_of_each_other(day):
    kept = np.isin(day.time_us, dropped(day, 0.5).time_us)
    both = np.mean(kept[1:] & kept[:-1])
    assert both == pytest.approx(0.25, abs=4 * np.sqrt(0.25 * 0.75 / len(day)))


def test_kept_records_are_unchanged(day):
    kept = dropped(day, 0.3)
    index = np.flatnonzero(np.isin(day.time_us, kept.time_us))
    assert kept == day.select(index)


@pytest.mark.parametrize("keep", [-0.1, 1.1, float("nan"), "half"])
def test_what_is_no_probability_is_refused(keep):
    with pytest.raises(ParameterError, match=r"keep of drop must be a number from 0 to 1, but"):
        Drop(keep=keep)
