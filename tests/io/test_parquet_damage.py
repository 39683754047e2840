"""Parquet: what is repaired and what is refused."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from alp.errors import DataError
from alp.io import read
from files import START_US, table, write_parquet

START = datetime(2008, 10, 23, 2, 53, 4, 123456, tzinfo=UTC)


@pytest.fixture
def file(tmp_path):
    """Write a table to a file and return its path."""
    return lambda content, name="walk.parquet", **how: write_parquet(
        tmp_path / name, content, **how
    )


# — damage —


def long(**columns):
    n = 100
    return table(["a"] * 50 + ["b"] * 50, **columns), n


def holed(values, place, value=None):
    values = list(values)
    values[place] = value
    return values


def test_rows_without_time_or_user_are_dropped_and_counted(file):
    times = holed([START_US + n for n in range(100)], 7)
    users = holed(["a"] * 50 + ["b"] * 50, 60)
    path = file(
        table(
            ["a"] * 100,
            user=pa.array(users),
            timestamp=pa.array(times).cast(pa.timestamp("us", tz="UTC")),
        ),
        row_group_size=30,
    )
    data = read(path)
    assert len(data["a"]) + len(data["b"]) == 98
    assert data.repairs == {"unreadable": 2}


def test_a_null_or_impossible_latitude_is_left_to_the_repair(file):
    lat = holed(holed([39.0] * 100, 3), 4, 91.0)
    data = read(file(table(["a"] * 100, lat=pa.array(lat))))
    assert len(data["a"]) == 98
    assert data.repairs == {"not_finite": 1, "out_of_range": 1}


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"lat": pa.array([116.3] * 6)}, "latitude is beyond ±90° in 6 of 6 rows, first at row 0"),
        ({"lat": pa.array([np.nan] * 6)}, "latitude is no number in 6 of 6 rows"),
        ({"lat": pa.array(["x"] * 6)}, "latitude is no number in 6 of 6 rows"),
        ({"lat": None}, "no latitude column among 'user', 'timestamp', 'lon'"),
        ({"timestamp": pa.array(["noon"] * 6)}, "the time 'noon' at row 0 cannot be read"),
        ({"timestamp": pa.nulls(6, pa.timestamp("us"))}, "the time cannot be read in 6 of 6 rows"),
    ],
)
def test_a_wrong_column_is_refused(file, columns, words):
    path = file(table(**columns))
    with pytest.raises(DataError) as caught:
        read(path)
    assert words in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("columns", "row"),
    [
        ({"lat": pa.array(holed([39.0] * 100, 41))}, 41),
        ({"lat": pa.array(holed([39.0] * 100, 17, 95.0))}, 17),
        ({"user": pa.array(holed(["a"] * 100, 5))}, 5),
    ],
)
def test_strict_names_the_row(file, columns, row):
    path = file(table(["a"] * 100, **columns))
    with pytest.raises(DataError, match=f"first at row {row}: .*leave out --strict"):
        read(path, strict=True)


@pytest.mark.parametrize("content", [b"", b"user,time,lat,lon\n", b"PAR1" + b"\0" * 50])
def test_what_is_called_parquet_and_is_not_is_refused(tmp_path, content):
    path = tmp_path / "walk.parquet"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"walk.parquet is not a Parquet file, or is cut short"):
        read(path)


def test_an_empty_table_is_refused(file):
    with pytest.raises(DataError, match="holds no records"):
        read(file(table([])))


def test_a_damaged_row_group_is_told_when_it_is_met(file):
    path = file(table(), compression="zstd")
    data = read(path)
    offset = pq.read_metadata(path).row_group(1).column(2).data_page_offset
    content = bytearray(path.read_bytes())
    content[offset : offset + 40] = b"\xff" * 40
    stamp = path.stat()
    path.write_bytes(content)
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert len(data["a"]) == 2
    with pytest.raises(DataError, match=r"walk.parquet cannot be read: .*; give a whole"):
        data["b"]
