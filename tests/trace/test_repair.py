"""Repair: what is dropped, wrapped, sorted and counted."""

from __future__ import annotations

import numpy as np
import pytest

from alp.errors import DataError
from alp.trace import Records, Repairs, repair


def records(time, lat, lon, **how):
    return Records(np.array(time, np.int64), np.array(lat, float), np.array(lon, float), **how)


def test_clean_records_are_returned_as_they_are():
    clean = records([1, 2], [3, 4], [5, 6])
    mended, found = repair(clean)
    assert mended is clean
    assert not found
    assert str(found) == "nothing to repair"


def test_places_that_are_none_are_dropped():
    mended, found = repair(
        records(range(5), [np.nan, 1, np.inf, 91, -90], [1, np.nan, 1, 1, 1], unreadable=2)
    )
    assert mended.time_us.tolist() == [4]
    assert found == {"unreadable": 2, "not_finite": 3, "out_of_range": 1}


def test_longitudes_are_wrapped():
    mended, found = repair(records([1, 2, 3], [0, 0, 0], [180, 190, -180]))
    assert mended.lon.tolist() == [-180, -170, -180]
    assert found == {"wrapped": 1}  # 180 is another name of −180


def test_records_are_sorted_and_equal_times_keep_their_order():
    mended, found = repair(records([3, 1, 3, 1], [1, 2, 3, 4], [0] * 4, extra={"n": np.arange(4)}))
    assert mended.extra["n"].tolist() == [1, 3, 0, 2]
    assert found == {"out_of_order": 2}


def test_an_exact_duplicate_is_dropped_wherever_it_stands_among_equal_times():
    mended, found = repair(
        records([1, 1, 1, 1, 2], [5, 6, 5, 6, 5], [0] * 5, extra={"n": np.arange(5)})
    )
    assert mended.extra["n"].tolist() == [0, 1, 4]
    assert found == {"duplicate": 2}


def test_strict_names_the_place_and_every_kind():
    with pytest.raises(DataError, match=r"^here: 1 with a latitude .*; 1 exact duplicates"):
        repair(records([1, 1, 2], [5, 5, 99], [0] * 3), strict=True, where="here")


def test_a_sum_of_repairs_is_repairs():
    both = Repairs(wrapped=1) + Repairs(wrapped=1, duplicate=3)
    assert isinstance(both, Repairs)
    assert (
        str(both) == "2 with a longitude beyond ±180° and wrapped; 3 exact duplicates and dropped"
    )


def test_the_input_is_left_alone():
    lon = np.array([190.0, 10.0])
    repair(Records(np.array([2, 1]), np.zeros(2), lon))
    assert lon.tolist() == [190.0, 10.0]
