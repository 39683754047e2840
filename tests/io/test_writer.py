"""Writing: exact, whole or not at all, never over another file unasked."""

from __future__ import annotations

import errno
import gc
import io
import os
from unittest import mock

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alp.errors import OutputError
from alp.io import check_output, open_writer, parquet, read, written_whole
from alp.trace import Trace

SUFFIXES = [".csv", ".tsv", ".csv.gz", ".parquet"]


def walk(user="ada", n=5, **extra):
    rng = np.random.default_rng(n)
    time = 1_224_730_384_123_456 + np.arange(n) * 1_000_001
    return Trace(user, time, rng.uniform(-90, 90, n), rng.uniform(-180, 180, n), extra=extra)


def write(path, *traces, **how):
    with open_writer(path, **how) as writer:
        for trace in traces:
            writer.write(trace)
    return path


def same(one, other):
    """Tell whether two traces are equal to the bit."""
    return one.user == other.user and all(
        getattr(one, name).tobytes() == getattr(other, name).tobytes()
        for name in ("time_us", "lat", "lon")
    )


# — what was written is read back —

_users = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1)
_rows = st.tuples(
    st.integers(-62_135_596_800_000_000, 253_402_300_799_999_999),  # the years 1 to 9999
    st.floats(-90, 90),
    st.floats(-180, 180, exclude_max=True),
)


@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(max_examples=40)
@given(users=st.dictionaries(_users, st.lists(_rows, min_size=1, max_size=20), min_size=1))
def test_any_trace_comes_back_to_the_bit(tmp_path_factory, suffix, users):
    traces = [Trace(user, *zip(*rows, strict=True)) for user, rows in sorted(users.items())]
    path = write(tmp_path_factory.mktemp("written") / f"out{suffix}", *traces)
    data = read(path, strict=True)
    assert data.users == tuple(sorted(users))
    assert all(same(data[trace.user], trace) for trace in traces)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_kept_columns_are_written_and_the_trace_number_is_not(tmp_path, suffix):
    trace = walk(speed=np.array([1.5, np.nan, 3, 4, 5]), wifi=np.array(list("abcde"), object))
    extra = {**trace.extra, "trace": np.arange(5)}
    numbered = Trace("ada", trace.time_us, trace.lat, trace.lon, extra=extra)
    data = read(write(tmp_path / f"out{suffix}", numbered), keep=["speed", "wifi"])
    back = data["ada"].extra
    assert set(back) == {"speed", "wifi"}
    np.testing.assert_array_equal(back["speed"], trace.extra["speed"])
    assert back["wifi"].tolist() == list("abcde")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_user_without_the_kept_columns_has_empty_ones(tmp_path, suffix):
    text = np.array(["x", None, "y", "z", "z"], object)
    path = write(tmp_path / f"out{suffix}", walk("a", wifi=text), walk("b"))
    assert read(path, keep=["wifi"])["b"].extra["wifi"].tolist() == [None] * 5


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_equal_traces_give_equal_bytes(tmp_path, suffix):
    one, two = (
        write(tmp_path / f"{name}{suffix}", walk("a"), walk("b", 70)).read_bytes() for name in "xy"
    )
    assert one == two


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_empty_trace_writes_no_row(tmp_path, suffix):
    path = write(tmp_path / f"out{suffix}", walk("a"), walk("b", 0), walk("c"))
    assert read(path).users == ("a", "c")


def test_nothing_but_empty_traces_writes_a_header_alone(tmp_path):
    path = write(tmp_path / "out.csv", walk("a", 0))
    assert path.read_text() == "user,timestamp,lat,lon\n"
    assert pq.read_table(write(tmp_path / "out.parquet")).column_names == [
        "user",
        "timestamp",
        "lat",
        "lon",
    ]


def test_csv_is_plain_text_in_utc(tmp_path):
    trace = Trace("042", [1_224_730_384_000_000], [39.9], [-0.1])
    text = write(tmp_path / "out.csv", trace).read_text()
    assert text == "user,timestamp,lat,lon\n042,2008-10-23T02:53:04.000000Z,39.9,-0.1\n"


def test_parquet_is_canonical(tmp_path):
    schema = pq.read_schema(write(tmp_path / "out.parquet", walk()))
    assert [str(field.type) for field in schema] == [
        "string",
        "timestamp[us, tz=UTC]",
        "double",
        "double",
    ]


def test_row_groups_have_one_size_however_traces_come(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "_ROWS", 10)
    path = write(tmp_path / "out.parquet", walk("a", 3), walk("b", 28), walk("c", 4))
    metadata = pq.read_metadata(path)
    groups = [metadata.row_group(n).num_rows for n in range(metadata.num_row_groups)]
    assert groups == [10, 10, 10, 5]
    assert same(read(path)["b"], walk("b", 28))


def test_degrees_are_rounded_where_asked(tmp_path):
    trace = Trace("a", [0], [39.123456], [116.987654])
    back = read(write(tmp_path / "out.csv", trace, digits=3))["a"]
    assert (back.lat[0], back.lon[0]) == (39.123, 116.988)


# — whole or not at all —


def fail(path, error, *traces):
    with open_writer(path, force=True) as writer:
        for trace in traces:
            writer.write(trace)
        raise error


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_nothing_is_left_of_a_failure(tmp_path, suffix, monkeypatch):
    monkeypatch.setattr(parquet, "_ROWS", 2)
    with pytest.raises(ZeroDivisionError):
        fail(tmp_path / f"out{suffix}", ZeroDivisionError, walk())
    gc.collect()  # a late close must not write, nor complain
    assert list(tmp_path.iterdir()) == []


def test_the_old_file_stays_until_the_new_one_is_whole(tmp_path):
    path = write(tmp_path / "out.csv", walk("old"))
    with pytest.raises(KeyboardInterrupt):
        fail(path, KeyboardInterrupt, walk("new"))
    assert read(path).users == ("old",)
    with open_writer(path, force=True) as writer:
        writer.write(walk("new"))
        assert read(path).users == ("old",)
    assert read(path).users == ("new",)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("call", ["os.fsync", "os.replace"])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_full_disk_is_told_and_leaves_nothing(tmp_path, suffix, call):
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with (
        mock.patch(call, side_effect=full),
        pytest.raises(OutputError, match="cannot be written: No space left on device"),
    ):
        write(tmp_path / f"out{suffix}", walk())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_write_that_fails_is_told(tmp_path, suffix, monkeypatch):
    full = io.FileIO("/dev/full", "wb")
    monkeypatch.setattr("pathlib.Path.open", lambda *_: full)
    monkeypatch.setattr(parquet, "_ROWS", 1)
    with pytest.raises(OutputError, match="No space left on device"):
        write(tmp_path / f"out{suffix}", walk())


def test_a_link_stays_a_link(tmp_path):
    target = write(tmp_path / "true.csv", walk("old"))
    link = tmp_path / "link.csv"
    link.symlink_to(target)
    write(link, walk("new"), force=True)
    assert link.is_symlink()
    assert read(target).users == ("new",)


def test_a_writer_writes_only_within_its_with_statement(tmp_path):
    writer = open_writer(tmp_path / "out.csv")
    with pytest.raises(OutputError, match="not open"):
        writer.write(walk())


def test_any_file_can_be_written_whole(tmp_path):
    path = tmp_path / "report.json"
    with written_whole(path) as part:
        part.write_text("{}")
        assert not path.exists()
    assert path.read_text() == "{}"
    with pytest.raises(OutputError, match="Not a directory"), written_whole(path) as part:
        (part / "x").write_text(part.write_text("[") and "")
    assert path.read_text() == "{}"
    assert list(tmp_path.iterdir()) == [path]


# — told early —


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("there.csv", "exists; choose another name, or replace it with --force"),
        ("folder.csv", "is a folder"),
        ("nowhere/out.csv", "nowhere does not exist"),
        ("there.csv/out.csv", "is not a folder"),
        ("out.xyz", "the suffix '.xyz', which tells no format"),
        ("out", "no suffix"),
        ("out.plt", "the suffix '.plt'"),
        ("pipe.csv", "no regular file"),
    ],
)
def test_a_place_that_cannot_be_written_is_told_before_any_work(tmp_path, name, words):
    (tmp_path / "there.csv").write_text("")
    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(OutputError) as caught:
        check_output(tmp_path / name)
    assert words in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no POSIX permissions here")
def test_a_folder_without_permission_is_told(tmp_path):
    with (
        mock.patch("os.access", return_value=False),  # root may write anywhere
        pytest.raises(OutputError, match="is not writable"),
    ):
        check_output(tmp_path / "out.csv")


def test_force_replaces_and_a_format_can_be_named(tmp_path):
    (tmp_path / "there.csv").write_text("")
    check_output(tmp_path / "there.csv", force=True)
    path = write(tmp_path / "out.dat", walk(), format="csv")
    assert read(path, format="csv").users == ("ada",)
    with pytest.raises(OutputError, match="'geolife' cannot be written as one file"):
        check_output(tmp_path / "out.x", format="geolife")


def test_other_suffixes_may_be_asked_for(tmp_path):
    check_output(tmp_path / "report.json", suffixes=(".json", ".csv"))
    with pytest.raises(OutputError, match=r"must end in one of: .json, .csv"):
        check_output(tmp_path / "report.html", suffixes=(".json", ".csv"))
