from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from alp.errors import DataError
from alp.geo import MERCATOR, SPHERE
from alp.trace import Trace
from strategies import traces

SECOND = 1_000_000


def small(**how):
    return Trace("ada", np.arange(4) * SECOND, [1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], **how)


# — columns —


@given(traces())
def test_columns_are_read_only(trace):
    for column in (trace.time_us, trace.time, trace.lat, trace.lon, *trace.points):
        assert not column.flags.writeable


def test_a_trace_is_made_of_copies():
    time_us, lat, lon = np.arange(3), np.zeros(3), np.zeros(3)
    trace = Trace("ada", time_us, lat, lon)
    time_us[:], lat[:], lon[:] = 9, 9, 9
    assert trace == Trace("ada", np.arange(3), np.zeros(3), np.zeros(3))


def test_records_are_sorted_and_repaired():
    trace = Trace("ada", [3, 1, 2, 1], [0.3, 0.1, 91.0, 0.1], [190.0, 1.0, 2.0, 1.0])
    assert (trace.time_us.tolist(), trace.lat.tolist()) == ([1, 3], [0.1, 0.3])
    assert trace.lon.tolist() == [1.0, -170.0]


def test_times_may_be_dates_but_not_floats():
    trace = Trace("ada", np.array(["2016-07-01T00:00:01"], "datetime64[s]"), [0.0], [0.0])
    assert trace.time_us.tolist() == [1_467_331_201 * SECOND]
    assert trace.time[0] == np.datetime64("2016-07-01T00:00:01")
    with pytest.raises(DataError, match="microseconds"):
        Trace("ada", [0.5], [0.0], [0.0])


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(DataError, match=r"'ada' differ in length: \[1, 2\]"):
        Trace("ada", [1, 2], [0.0], [0.0, 1.0])


def test_the_duration_is_from_the_first_record_to_the_last():
    assert small().duration_s == 3.0
    assert Trace("ada", [], [], []).duration_s == 0.0


@given(traces())
def test_points_give_back_the_degrees_they_came_from(trace):
    other = Trace.of_points("u", trace.time_us, trace.points)
    gap = oracles.haversine(trace.lat, trace.lon, other.lat, other.lon)
    assert (gap < 1e-6).all()
    assert ((other.lon >= -180.0) & (other.lon < 180.0)).all()


# — new traces —


@pytest.mark.parametrize(
    "index", [slice(1, 3), np.array([False, True, True, False]), np.array([1, 2])], ids=type
)
def test_selected_records_keep_their_columns(index):
    trace = small(extra={"altitude": np.arange(4)})
    assert trace.points  # computed before, and selected along with the rest
    part = trace.select(index)
    assert part.time_us.tolist() == [SECOND, 2 * SECOND]
    assert (part.lat.tolist(), part.lon.tolist()) == ([2.0, 3.0], [6.0, 7.0])
    assert part.extra["altitude"].tolist() == [1, 2]
    for mine, whole in zip(part.points, trace.points, strict=True):
        np.testing.assert_array_equal(mine, whole[1:3])


def test_another_geometry_keeps_the_degrees():
    trace = small()
    plane = trace.using("mercator")
    assert plane.geometry is MERCATOR
    assert plane.same_records(trace)
    assert plane.points[0][0] == pytest.approx(6_367_000 * np.radians(5.0))
    assert trace.using(SPHERE) is trace


@given(traces(), st.integers(0, 6))
def test_rounded_degrees_are_legal_and_on_the_grid(trace, digits):
    coarse = trace.rounded(digits)
    for column in (coarse.lat, coarse.lon):
        np.testing.assert_array_equal(column, np.round(column, digits))
    assert (np.abs(coarse.lat) <= 90.0).all()
    assert ((coarse.lon >= -180.0) & (coarse.lon < 180.0)).all()
    np.testing.assert_allclose(coarse.lat, trace.lat, rtol=0, atol=0.5 * 10.0**-digits + 1e-12)
    np.testing.assert_array_equal(coarse.time_us, trace.time_us)


def test_rounding_up_to_the_antimeridian_crosses_it():
    assert Trace("ada", [0], [0.0], [179.999]).rounded(2).lon.tolist() == [-180.0]


def test_a_moved_trace_is_new_and_as_far_as_asked():
    trace = small()
    there = trace.moved(np.full(4, 30.0), np.full(4, 40.0))
    gap = oracles.haversine(trace.lat, trace.lon, there.lat, there.lon)
    np.testing.assert_allclose(gap, 50.0, rtol=1e-8)
    assert there.time_us is trace.time_us
    assert trace == small()


def test_joined_traces_are_one_in_order_of_time():
    trace = small(extra={"altitude": np.arange(4)})
    parts = [trace.select(slice(2, 4)), trace.select(slice(0, 2))]
    whole = Trace.joined("ada", parts)
    assert whole == trace
    assert whole.extra["altitude"].tolist() == [0, 1, 2, 3]
    assert len(Trace.joined("ada", [])) == 0
    assert Trace.joined("ada", parts[:1]) is parts[0]


# — the rest —


def test_a_repr_shows_no_position():
    trace = Trace("ada", [0, SECOND], [39.98765, 39.98766], [116.34567, 116.34568])
    shown = repr(trace)
    assert (
        shown
        == "Trace(user='ada', 2 records, 1970-01-01T00:00:00.000000 to 1970-01-01T00:00:01.000000)"
    )
    assert repr(Trace("ada", [], [], [])) == "Trace(user='ada', 0 records)"


def test_traces_are_equal_by_user_times_and_places():
    assert small() == small()
    assert small() != small().select(slice(1, 4))
    assert small() != Trace("bob", small().time_us, small().lat, small().lon)
    assert small() != small().moved(np.ones(4), np.zeros(4))
    assert small() != "ada"


def test_a_trace_has_no_hash():
    with pytest.raises(TypeError, match="unhashable"):
        hash(small())


def test_a_table_has_the_canonical_columns_and_then_the_extra_ones():
    table = small(extra={"altitude": np.arange(4.0)}).to_arrow()
    assert table.schema == pa.schema(
        {
            "user": pa.string(),
            "timestamp": pa.timestamp("us", tz="UTC"),
            "lat": pa.float64(),
            "lon": pa.float64(),
            "altitude": pa.float64(),
        }
    )
    assert table["user"].to_pylist() == ["ada"] * 4
    assert table["lat"].to_pylist() == [1.0, 2.0, 3.0, 4.0]
    assert table["timestamp"].cast(pa.int64()).to_pylist() == small().time_us.tolist()


def test_an_empty_trace_has_a_table_of_the_same_columns():
    table = Trace("ada", [], [], []).to_arrow()
    assert table.schema == small().to_arrow().schema
    assert table.num_rows == 0
