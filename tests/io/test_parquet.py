"""Parquet: lazily where it is grouped by user, from memory where it is not."""

from __future__ import annotations

import multiprocessing
import os
import pickle
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pytest

from alp.errors import DataError, UnknownNameError
from alp.io import _row_groups, left_out, read
from alp.io._frame import TableSource
from alp.io._row_groups import ParquetSource
from files import START_US, table, write_parquet

START = datetime(2008, 10, 23, 2, 53, 4, 123456, tzinfo=UTC)


@pytest.fixture
def file(tmp_path):
    """Write a table to a file and return its path."""
    return lambda content, name="walk.parquet", **how: write_parquet(
        tmp_path / name, content, **how
    )


def test_a_grouped_file_is_read_lazily(file):
    data = read(file(table()))
    assert isinstance(data.source, ParquetSource)
    assert data.users == ("a", "b", "c")
    assert [data.size(user) for user in data] == [2, 3, 1]
    assert data["b"].time_us.tolist() == [START_US + 2, START_US + 3, START_US + 4]
    np.testing.assert_array_equal(data["b"].lat, np.linspace(39, 40, 6)[2:5])


def test_only_the_row_groups_and_columns_of_a_user_are_read(file, monkeypatch):
    data = read(file(table(altitude=pa.array(range(6)))))
    asked = []

    monkeypatch.setattr(_row_groups, "row_group", _spy(asked))
    data["b"]
    assert asked == [(1, ("timestamp", "lat", "lon")), (2, ("timestamp", "lat", "lon"))]


def _spy(asked):
    real = _row_groups.row_group

    def row_group(file, stamp, group, columns):
        asked.append((group, columns))
        return real(file, stamp, group, columns)

    return row_group


def test_a_file_that_was_replaced_is_not_mistaken_for_the_old_one(file):
    data = read(file(table()))
    old = data["a"]
    new = read(file(table(lat=pa.array([1.0] * 6))))
    assert new["a"].lat.tolist() == [1.0, 1.0]
    assert new["a"] != old
    with pytest.raises(DataError, match="was changed while it was in use"):
        data["a"]


def test_a_users_arrays_hold_no_more_than_the_user(file):
    records = read(file(table())).source.read("c")
    assert records.lat.base is None or records.lat.base.nbytes == records.lat.nbytes


def test_a_source_can_be_sent_and_is_small(file):
    data = read(file(table([f"u{n // 100:03}" for n in range(10_000)]), row_group_size=1000))
    sent = pickle.dumps(data)
    assert len(sent) < 20_000
    assert pickle.loads(sent)["u042"] == data["u042"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:.*fork.*:RuntimeWarning")
def test_a_grouped_file_is_read_in_a_forked_process(file):
    data = read(file(table()))
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(data.source.size, ("b",)).get(timeout=60) == 3
        assert len(pool.apply_async(data.source.read, ("b",)).get(timeout=60)) == 3


def test_a_scattered_file_is_gathered_in_memory(file):
    data = read(file(table(["a", "b", "a", "c", "b", "a"])))
    assert isinstance(data.source, TableSource)
    assert [data.size(user) for user in data] == [3, 2, 1]
    assert data["a"].time_us.tolist() == [START_US, START_US + 2, START_US + 5]


def test_users_grouped_but_not_sorted_are_read_lazily(file):
    data = read(file(table(["b", "b", "a", "a", "a", "c"])))
    assert isinstance(data.source, ParquetSource)
    assert data.users == ("a", "b", "c")


@pytest.mark.parametrize(
    "users",
    [
        pa.array(["1", "1", "2", "2", "2", "3"]).dictionary_encode(),
        pa.array([1, 1, 2, 2, 2, 3], pa.int32()),
        pa.array([1.0, 1.0, 2.0, 2.0, 2.0, 3.0]),
        pa.array(["1", "1", "2", "2", "2", "3"], pa.large_string()),
    ],
    ids=["dictionary", "integer", "float", "large"],
)
def test_users_of_any_type_become_text(file, users):
    data = read(file(table(user=users)))
    assert isinstance(data.source, ParquetSource)
    assert data.users == ("1", "2", "3")
    assert len(data["2"]) == 3


@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC", "Asia/Shanghai", "+05:30"])
def test_timestamps_of_any_unit_and_zone_are_utc(file, unit, zone):
    times = pa.array([START_US] * 6).cast(pa.timestamp("us", tz="UTC"))
    stored = times.cast(pa.timestamp(unit, tz="UTC"), safe=False).cast(pa.int64())
    data = read(file(table(timestamp=stored.cast(pa.timestamp(unit, tz=zone)))))
    assert isinstance(data.source, ParquetSource)
    expected = START_US if unit != "ms" else START_US // 1000 * 1000
    assert data["c"].time_us.tolist() == [expected]


@pytest.mark.parametrize(
    "times",
    [
        pa.array(["2008-10-23T10:53:04.123456+08:00"] * 6),
        pa.array([START_US] * 6),
        pa.array([START_US * 1000] * 6),
        pa.array([START_US / 1e6] * 6),
    ],
    ids=["text", "us", "ns", "float"],
)
def test_times_as_text_or_numbers_are_understood(file, times):
    assert read(file(table(timestamp=times)))["c"].time_us.tolist() == [START_US]


def test_a_date_and_a_time_of_day_are_joined(file):
    path = file(
        table(
            timestamp=None,
            date=pa.array([START.date()] * 6),
            time=pa.array([START.time()] * 6),
        )
    )
    assert read(path)["c"].time_us.tolist() == [START_US]


@pytest.mark.parametrize("kind", [pa.float32(), pa.string(), pa.decimal128(12, 8)])
def test_coordinates_of_any_type_become_numbers(file, kind):
    data = read(file(table(lat=pa.array([39.5] * 6).cast(kind))))
    assert data["c"].lat.tolist() == [39.5]


def test_without_a_user_column_the_file_names_the_user(file):
    data = read(file(table(user=None), "ada.parquet"))
    assert data.users == ("ada",)
    assert len(data["ada"]) == 6


def test_a_folder_of_files_is_read_as_one(file, tmp_path):
    file(table(["a", "a", "b", "b"]), "part-0.parquet")
    file(table(["b", "c"]), "part-1.parquet")
    data = read(tmp_path)
    assert isinstance(data.source, ParquetSource)
    assert [data.size(user) for user in data] == [2, 3, 1]
    assert len(data.source.read("b")) == 3


def test_kept_columns_have_one_type_for_all_users(file):
    path = file(
        table(
            speed=pa.array([1, 2, None, 4, 5, 6]),
            floor=pa.array([1, 2, 3, 4, 5, 6]),
            wifi=pa.array(["x", None, "y", "z", "z", "z"]).dictionary_encode(),
            secret=pa.array(["here"] * 6),
        )
    )
    data = read(path, keep=["speed", "floor", "wifi"])
    assert left_out(data) == ("secret",)
    assert data["a"].extra["speed"].dtype == data["b"].extra["speed"].dtype == np.float64
    assert data["a"].extra["floor"].dtype == np.int64
    assert data["a"].extra["wifi"].tolist() == ["x", None]
    with pytest.raises(UnknownNameError, match="did you mean 'speed'"):
        read(path, keep=["sped"])


def test_the_inputs_own_trajectories_are_numbered(file):
    data = read(file(table(trajectory_id=pa.array([3, 4, 5, 5, 6, 7]))))
    assert data["b"].extra["trace"].tolist() == [5, 5, 6]
    assert isinstance(data.source, ParquetSource)
    named = read(file(table(traj_id=pa.array(["x", "y", "z", "z", "w", None]))))
    assert named["c"].extra["trace"].tolist() == [-1]
    first, second, third = named["b"].extra["trace"].tolist()
    assert first == second != third
