"""Dataset: traces by user, read when asked for."""

from __future__ import annotations

import numpy as np
import pytest

from alp.errors import DataError, UnknownNameError
from alp.trace import Dataset, MemorySource, Records, Repairs, Trace


def trace(user, n=3, **how):
    return Trace(user, np.arange(n), np.zeros(n), np.arange(n) / 10, **how)


def test_a_dataset_maps_users_in_order_to_traces():
    data = Dataset.of([trace("b"), trace("a", 2)])
    assert list(data) == ["a", "b"]
    assert data["a"] == trace("a", 2)
    assert [data.size(user) for user in data] == [2, 3]


def test_two_traces_of_one_user_are_refused():
    with pytest.raises(DataError, match="join them first"):
        Dataset.of([trace("a"), trace("a")])


def test_an_unknown_user_is_a_key_error_and_lists_the_known_ones_when_selecting():
    data = Dataset.of([trace("a"), trace("b")])
    with pytest.raises(KeyError):
        data["c"]
    with pytest.raises(UnknownNameError, match="known: a, b"):
        data.only(["c"])
    assert data.only(["b"]).users == ("b",)


def test_what_was_repaired_is_summed_once_per_user_with_what_the_source_lost():
    raw = Records(np.array([2, 1]), np.zeros(2), np.array([190.0, 0.0]))
    source = MemorySource({"a": raw, "b": raw}, Repairs(unreadable=4))
    data = Dataset(source)
    assert data.repairs == {"unreadable": 4}
    for user in ("a", "a", "b"):
        data[user]
    assert isinstance(data.repairs, Repairs)
    assert data.repairs == {"unreadable": 4, "wrapped": 2, "out_of_order": 2}


def test_the_geometry_is_kept_and_can_be_changed():
    data = Dataset.of([trace("a", geometry="mercator")])
    assert data["a"].geometry.name == "mercator"
    assert data.using("sphere")["a"].geometry.name == "sphere"
