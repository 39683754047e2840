"""CSV and TSV: what is recognised, what is repaired and what is refused."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from alp.errors import DataError, ParameterError, UnknownNameError
from alp.io import left_out, read
from files import csv_rows, write_text

START_US = 1_224_730_384_000_000  # 2008-10-23T02:53:04Z


@pytest.fixture
def file(tmp_path):
    """Write text to a file and return its path."""
    return lambda text, name="walk.csv": write_text(tmp_path / name, text)


# — what is recognised —


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_out(file, delimiter):
    text = "user,timestamp,lat,lon\na,2008-10-23T02:53:04Z,39.9,116.3\n".replace(",", delimiter)
    trace = read(file(text))["a"]
    assert (trace.lat[0], trace.lon[0], trace.time_us[0]) == (39.9, 116.3, START_US)


@pytest.mark.parametrize(
    "header",
    [
        "UID,DateTime,Latitude,Longitude",
        "User ID,recorded_at,position_lat,position_long",
        "device-id,ts,y,x",
        "taxi,t,LAT,Lng",
        " id , time , lat , lon ",
    ],
)
def test_common_names_are_recognised(file, header):
    data = read(file(f"{header}\n007,2008-10-23 02:53:04,39.9,116.3\n"))
    assert data.users == ("007",)
    assert data["007"].time_us[0] == START_US


def test_a_column_can_be_named(file):
    path = file("who,when,north,east\na,2008-10-23 02:53:04,39.9,116.3\n")
    columns = {"user": "who", "timestamp": "when", "lat": "North", "lon": "east"}
    assert read(path, columns=columns)["a"].lat[0] == 39.9


def test_without_a_user_column_the_file_names_the_user(file):
    assert read(file("time,lat,lon\n2008-10-23 02:53:04,1,2\n", "ada.v2.csv")).users == ("ada.v2",)


def test_a_separate_date_and_time_are_joined(file):
    trace = read(file("id,date,time,lat,lon\na,2008-10-23,02:53:04,39.9,116.3\n"))["a"]
    assert trace.time_us[0] == START_US


def test_a_time_beside_a_date_that_is_whole_is_taken_alone(file):
    path = file("id,date,time,lat,lon\na,2008-10-22,2008-10-23T02:53:04Z,39.9,116.3\n")
    assert read(path)["a"].time_us[0] == START_US


@pytest.mark.parametrize(
    ("text", "time_us"),
    [
        ("2008-10-23T02:53:04Z", START_US),
        ("2008-10-23 02:53:04", START_US),
        ("2008-10-23T02:53:04.123456Z", START_US + 123_456),
        ("2008-10-23T10:53:04.5+08:00", START_US + 500_000),
        ("2008-10-23 10:53:04+0800", START_US),
        ("2008-10-23T10:53:04+08", START_US),
        ("2008-10-23 02:53:04 UTC", START_US),
        ("2008/10/23 02:53:04", START_US),
        ("2008/10/23 02:53", START_US - 4_000_000),
        ("23/10/2008 02:53:04", START_US),
        ("10/23/2008 02:53:04", START_US),
        ("10/23/2008 02:53:04 AM", START_US),
        ("23.10.2008 02:53:04", START_US),
        ("20081023T025304Z", START_US),
        ("20081023025304", START_US),
        ("1224730384", START_US),
        ("1224730384.25", START_US + 250_000),
        ("1224730384123", START_US + 123_000),
        ("1224730384123456", START_US + 123_456),
        ("1224730384123456789", START_US + 123_456),
        ("1.224730384e9", START_US),
    ],
)
def test_a_time_is_read_to_the_microsecond(file, text, time_us):
    assert read(file(csv_rows([text])))["a"].time_us.tolist() == [time_us]


def test_a_dotted_date_has_its_day_first(file):
    trace = read(file(csv_rows(["03.04.2009 00:00:00"])))["a"]
    assert str(trace.time[0]).startswith("2009-04-03")


def test_one_day_beyond_twelve_anywhere_settles_the_order(file):
    times = ["03/04/2009 00:00:00"] * 300 + ["13/04/2009 00:00:00"]
    trace = read(file(csv_rows(times)))["a"]
    assert str(trace.time[0]).startswith("2009-04-03")


def test_fractions_and_offsets_may_vary_within_one_format(file):
    times = ["2008-10-23T02:53:04Z", "2008-10-23T02:53:04.5Z", "2008-10-23T10:53:05+08:00"]
    assert np.diff(read(file(csv_rows(times)))["a"].time_us).tolist() == [500_000] * 2


def test_a_byte_order_mark_blank_lines_and_windows_line_ends_are_no_matter(file):
    text = "\ufeff\r\n" + csv_rows(["2008-10-23T02:53:04Z"]).replace("\n", "\r\n") + "\r\n\r\n"
    data = read(file(text))
    assert len(data["a"]) == 1
    assert not data.repairs


def test_quoted_users_may_hold_delimiters_quotes_and_line_ends(file):
    path = file('user,time,lat,lon\n"a, ""b""\nc",2008-10-23 02:53:04,1,2\n')
    assert read(path).users == ('a, "b"\nc',)


def test_decimal_commas_are_understood_between_semicolons(file):
    trace = read(file("time;lat;lon\n2008-10-23 02:53:04;39,9;116,3\n", "a.csv"))["a"]
    assert (trace.lat[0], trace.lon[0]) == (39.9, 116.3)


def test_a_compressed_file_is_read(file):
    data = read(file(gzip.compress(csv_rows(["2008-10-23 02:53:04"]).encode()), "ada.csv.gz"))
    assert data.users == ("a",)


def test_a_file_without_header_needs_numbered_columns(file):
    path = file("042,2008-10-23 02:53:04,39.9,116.3\n")
    with pytest.raises(DataError, match=r"no header: line 1 .*--column user=1"):
        read(path)
    columns = {"user": "1", "timestamp": "2", "lat": "3", "lon": "4"}
    assert read(path, columns=columns).users == ("042",)


def test_a_name_that_is_a_number_is_no_value(file):
    data = read(file("user,time,lat,lon,2008\na,1,1,1,5\n"), keep=["2008"])
    assert data["a"].extra["2008"].tolist() == [5]


def test_times_that_are_missing_at_first_are_found_later(file):
    times = [""] * 150 + ["2008-10-23T02:53:04Z"] * 2000
    data = read(file(csv_rows(times).replace("\n\n", "\n")))
    assert data.source.damage == {"unreadable": 150}


def test_users_are_sorted_and_scattered_rows_gathered_in_order(file):
    lines = "b,3,1,1\na,2,1,1\nb,1,1,1\na,4,1,1\n"
    data = read(file("user,time,lat,lon\n" + lines))
    assert data.users == ("a", "b")
    assert data["a"].time_us.tolist() == [2_000_000, 4_000_000]
    assert data["b"].time_us.tolist() == [1_000_000, 3_000_000]
    assert data.repairs["out_of_order"] == 1


# — other columns —


def test_other_columns_are_left_out_unless_kept(file):
    path = file("user,time,lat,lon,speed,wifi,code\na,1,1,2,3.5,home,007\na,2,1,2,,work,008\n")
    assert left_out(read(path)) == ("speed", "wifi", "code")
    data = read(path, keep=["speed", "wifi", "code"])
    extra = data["a"].extra
    assert left_out(data) == ()
    np.testing.assert_array_equal(extra["speed"], [3.5, np.nan])
    assert extra["wifi"].tolist() == ["home", "work"]
    assert extra["code"].tolist() == ["007", "008"]


def test_a_kept_column_that_is_missing_lists_the_columns(file):
    with pytest.raises(UnknownNameError, match=r"'sped'; did you mean 'speed'\?"):
        read(file("user,time,lat,lon,speed\na,1,1,2,3\n"), keep=["sped"])


@pytest.mark.parametrize("name", ["lat", "LAT", "user", "trace"])
def test_what_is_protected_cannot_be_kept_as_it_was(file, name):
    with pytest.raises(ParameterError, match="cannot be kept beside its like"):
        read(file("user,time,lat,lon,trace\na,1,1,2,3\n"), keep=[name])


@pytest.mark.parametrize("name", ["trace", "trace_id", "trajectory", "TrajectoryId", "traj_id"])
def test_the_inputs_own_trajectories_are_numbered(file, name):
    path = file(f"user,time,lat,lon,{name}\na,1,1,2,7\na,2,1,2,7\na,3,1,2,9\n")
    assert read(path)["a"].extra["trace"].tolist() == [7, 7, 9]


def test_trajectories_with_names_get_numbers(file):
    path = file("user,time,lat,lon,trace\na,1,1,2,x\na,2,1,2,y\na,3,1,2,x\na,4,1,2,\n")
    first, second, third, none = read(path)["a"].extra["trace"].tolist()
    assert first == third != second
    assert none == -1
