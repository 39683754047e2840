"""CSV and TSV: what is repaired and what is refused."""

from __future__ import annotations

import pytest

from alp.errors import DataError, ParameterError, UnknownNameError
from alp.io import read
from files import csv_rows, write_text

START_US = 1_224_730_384_000_000  # 2008-10-23T02:53:04Z


@pytest.fixture
def file(tmp_path):
    """Write text to a file and return its path."""
    return lambda text, name="walk.csv": write_text(tmp_path / name, text)


# — what is repaired —


def many(count, *damaged, head="user,time,lat,lon"):
    """Return a file of `count` good rows, then the damaged ones."""
    good = [f"a,{n},39.9,{n / 1000}" for n in range(count)]
    return "\n".join([head, *good, *damaged]) + "\n"


def test_damaged_rows_are_dropped_and_counted(file):
    data = read(file(many(100, "a,?,39,116", ",100,39,116", "a,101,,116", "a,102,x,1", "junk")))
    assert data.source.damage == {"unreadable": 3}
    assert len(data["a"]) == 100
    assert data.repairs == {"unreadable": 3, "not_finite": 2}


def test_infinite_and_impossible_places_are_left_to_the_repair(file):
    data = read(file(many(100, "a,100,inf,1", "a,101,NaN,1", "a,102,91,1", "a,103,1,181")))
    assert data["a"].lon[-1] == -179
    assert data.repairs == {"not_finite": 2, "out_of_range": 1, "wrapped": 1}


@pytest.mark.parametrize("first", ["a", "a,0", "a,0,1,1,5,5,5"])
def test_the_first_row_may_be_damaged(file, first):
    data = read(file(many(20).replace("lon\n", f"lon\n{first}\n")))
    assert len(data["a"]) == (21 if first.endswith("5") else 20)


def test_a_stray_quotation_mark_swallows_nothing(file):
    data = read(file(many(200).replace("a,150,39.9", 'a,"150,39.9')))
    assert len(data["a"]) == 199
    assert data.source.damage == {"unreadable": 1}


def test_a_broken_byte_damages_its_row_alone(file):
    text = many(50, "a\xff,50,1,1", "a,5\xff,1,1", "a,52,1,1\0").encode("latin-1")
    data = read(file(text))
    assert data.users == ("a",)
    assert data.source.damage == {"unreadable": 2}
    assert data.repairs["not_finite"] == 0
    list(data.values())
    assert data.repairs["not_finite"] <= 1


def test_a_line_cut_within_its_time_is_damage_and_no_other_format(file):
    text = csv_rows(["2008-10-23T02:53:04Z"] * 20) + "a,2008-10-23T02:53"
    assert read(file(text)).source.damage == {"unreadable": 1}


def test_a_row_with_too_many_fields_is_read_as_far_as_the_header_goes(file):
    assert len(read(file(many(5, "a,100,39,116,9,9")))["a"]) == 6


# — what is refused —


def refusal(path, **how):
    with pytest.raises(DataError) as caught:
        list(read(path, **how).values())
    message = str(caught.value)
    assert str(path) in message
    assert "\n" not in message
    return message.removeprefix(str(path))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        (" \n\n", "is empty"),
        ("user,time,lat,lon\n", "holds no records"),
        ("user,time,lat,lon\n\n\n", "holds no records"),
        ("user,time,lon\na,1,1\n", "no latitude column among 'user', 'time', 'lon'"),
        ("user,time,lat\na,1,1\n", "--column lon=NAME"),
        ("user,lat,lon\na,1,1\n", "no time column"),
        (b"user,time,lat,lon\nJos\xe9,1,1,1\n", "save it as UTF-8"),
        ("user,time,lat,lon\na,1,1,1\n".encode("utf-16"), "UTF-16; save it as UTF-8"),
        (b"PAR1\0\0\0", "is not text"),
        (b"\x1f\x8bnot really", "cannot be read"),
        ('user,time,lat,lon\n"a,1,1,1\n', "a quotation mark is not closed"),
    ],
)
def test_a_file_that_is_no_table_of_records_is_refused_in_one_line(file, text, words):
    assert words in refusal(file(text))


def test_a_time_that_cannot_be_read_is_shown_with_its_line(file):
    message = refusal(file(csv_rows(["noon", "night"])))
    assert "the time 'noon' at line 2 cannot be read" in message


def test_a_tenth_of_unreadable_times_is_an_error(file):
    message = refusal(file(many(9, "a,soon,39,116")))
    assert "the time cannot be read in 1 of 10 rows, first at line 11 ('soon')" in message


def test_a_half_of_missing_latitudes_is_an_error_and_less_is_repaired(file):
    message = refusal(file(many(2, "a,9,,116", "a,10,NaN,116")))
    assert "latitude is no number in 2 of 4 rows, first at line 4" in message
    assert "--column lat=NAME" in message
    assert len(read(file(many(3, "a,9,,116", "a,10,NaN,116")))["a"]) == 3


def test_an_error_tells_how_many_rows_are_damaged_in_all(file):
    message = refusal(file(many(16, "a,soon,39,1", "a,later,39,1", "a,1,x,1")))
    assert "the time cannot be read in 2 of 19 rows (3 are damaged in all)" in message


def test_swapped_coordinates_are_an_error_that_says_so_without_a_position(file):
    path = file("user,time,lat,lon\n" + "".join(f"a,{n},116.3,39.9\n" for n in range(5)))
    message = refusal(path)
    assert "latitude is beyond ±90° in 5 of 5 rows, first at line 2: are latitude" in message
    assert "116" not in message


@pytest.mark.parametrize("text", ["116.3121", "39.9 116.3", "POINT(116.3 39.9)", "-116,3121"])
@pytest.mark.parametrize("strict", [False, True])
def test_no_message_shows_what_may_be_a_degree(file, text, strict):
    good = ["2008-10-23T02:53:04Z"] * (50 if strict else 3)
    message = refusal(file(csv_rows([*good, f'"{text}"'])), strict=strict)
    assert "the time cannot be read in 1 of" in message
    assert "116" not in message
    assert "39.9" not in message


@pytest.mark.parametrize(
    ("times", "line"),
    [
        (["2008-10-23T02:53:04Z"] * 3 + ["2008/10/23 02:53:05"], 5),
        (["2008-10-23T02:53:04Z"] * 300 + ["23/10/2008 02:53:05"], 302),
        (["2008-10-23T02:53:04Z"] * 300 + ["1224730384"], 302),
        (["2008-10-23T02:53:04Z"] * 300 + ["2008-10-23T02:53:04"], 302),
        (["1224730384"] * 300 + ["1224730384000"], 302),
        (["1224730384000"] * 300 + ["1224730384"], 302),
        (["1224730384"] * 300 + ["2008-10-23"], 302),
    ],
)
def test_mixed_time_formats_are_refused_at_the_first_line_that_differs(file, times, line):
    message = refusal(file(csv_rows(times)))
    assert "written in several ways" in message
    assert f"at line {line} '{times[-1]}'" in message


def test_days_and_months_that_cannot_be_told_apart_are_refused(file):
    assert "days or months" in refusal(file(csv_rows(["03/04/2009 00:00:00"])))


def test_an_impossible_date_is_damage_and_no_other_format(file):
    data = read(file(csv_rows(["2008-10-23T02:53:04Z"] * 20 + ["2008-02-30T02:53:04Z"])))
    assert data.source.damage == {"unreadable": 1}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("a,soon,39,116", "the time cannot be read in 1 of 101 rows, first at line 102 ('soon')"),
        ("a,1,,116", "latitude is no number in 1 of 101 rows, first at line 102"),
        ("a,1,91,116", "latitude is beyond ±90° in 1 of 101 rows, first at line 102"),
        (",1,39,116", "the user is empty in 1 of 101 rows, first at line 102"),
        ("a,0,39.9,0.0", "exact duplicates"),
    ],
)
def test_strict_refuses_any_damage(file, row, words):
    message = refusal(file(many(100, row)), strict=True)
    assert words in message
    assert "leave out --strict" in message


def test_a_line_is_told_rightly_after_a_quoted_line_end(file):
    path = file('user,time,lat,lon\n"a\nb",1,1,1\nc,2,,1\n')
    assert "first at line 4" in refusal(path)


def test_two_roles_in_one_column_are_refused(file):
    with pytest.raises(ParameterError, match="three different columns"):
        read(file("time,lat,lon\n1,1,1\n"), columns={"lon": "lat"})


def test_an_unknown_canonical_name_is_refused(file):
    with pytest.raises(UnknownNameError, match="no canonical column is named 'altitude'"):
        read(file("time,lat,lon\n1,1,1\n"), columns={"altitude": "lat"})
