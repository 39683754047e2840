"""Tables in memory."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from alp.errors import DataError
from alp.io import left_out, read
from alp.trace import Dataset, Trace

TIMES = [datetime(2008, 10, 23, 2, 53, second, 7, tzinfo=UTC) for second in range(3)]
COLUMNS = {
    "uid": ["042", "042", "7"],
    "time": TIMES,
    "latitude": [39.0, 39.5, 40.0],
    "lng": [116.0, 116.5, 117.0],
    "speed": [1, 2, 3],
}


def pandas_with_index():
    return pd.DataFrame(COLUMNS).set_index("time")


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame(COLUMNS),
        pandas_with_index(),
        pd.DataFrame(COLUMNS).astype({"uid": "category"}),
        pl.DataFrame(COLUMNS),
        pl.LazyFrame(COLUMNS),
        pa.table(COLUMNS),
        pa.table(COLUMNS).to_batches()[0],
        pa.table(COLUMNS).to_reader(),
    ],
    ids=["pandas", "index", "category", "polars", "lazy", "table", "batch", "reader"],
)
def test_any_table_is_read(table):
    data = read(table, keep=["speed"])
    assert data.users == ("042", "7")
    assert data["042"].lat.tolist() == [39.0, 39.5]
    assert data["042"].extra["speed"].tolist() == [1, 2]
    assert data["7"].time_us.tolist() == [int(TIMES[2].timestamp()) * 1_000_000 + 7]


def test_a_zone_with_a_fixed_offset_becomes_utc():
    times = pa.array([0, 1, 2]).cast(pa.timestamp("us", tz="+05:30"))
    assert read(pa.table(COLUMNS | {"time": times}))["7"].time_us.tolist() == [2]


def test_a_table_is_not_changed():
    frame = pd.DataFrame(COLUMNS)
    before = frame.copy()
    read(frame)
    pd.testing.assert_frame_equal(frame, before)


def test_users_that_pandas_made_floats_are_whole():
    frame = pd.DataFrame(COLUMNS | {"uid": [1.0, 1.0, np.nan]}).loc[[0, 1] * 10 + [2]]
    data = read(frame)
    assert data.users == ("1",)
    assert data.source.damage == {"unreadable": 1}


def test_what_is_left_out_is_told():
    assert left_out(read(pl.DataFrame(COLUMNS))) == ("speed",)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (pl.DataFrame(COLUMNS).drop("latitude"), "the table: no latitude column among 'uid'"),
        (pl.DataFrame(COLUMNS).clear(), "the table holds no records"),
        (pd.DataFrame(COLUMNS | {"uid": ["a", 2, 3.5]}), "a column mixes types"),
        (pl.DataFrame(COLUMNS).with_columns(latitude=116.0), "beyond ±90° in 3 of 3 rows"),
        (7, "cannot be read from a int"),
        ({"lat": [1], "lon": [2]}, "Trace objects by user"),
    ],
)
def test_a_table_without_traces_is_refused(table, words):
    with pytest.raises(DataError) as caught:
        read(table)
    assert words in str(caught.value)


def test_traces_are_wrapped_and_a_dataset_is_returned_as_it_is():
    trace = Trace("a", [1, 2], [3.0, 4.0], [5.0, 6.0], geometry="mercator")
    for given in (trace, [trace], {"a": trace}):
        data = read(given)
        assert data["a"] == trace
        assert data.geometry.name == "mercator"
    assert read(data) is data
    assert read(data, geometry="sphere").geometry.name == "sphere"
    assert isinstance(data, Dataset)
    assert left_out(data) == ()
