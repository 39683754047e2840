"""Geolife's folders of .plt files."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from alp.errors import DataError, OutputError, ParameterError, UnknownNameError
from alp.io import left_out, read, write_geolife
from alp.trace import Trace

HEADER = "Geolife trajectory\nWGS 84\nAltitude is in Feet\nReserved 3\n0,2,255,My Track\n0\n"
START_US = 1_224_730_384_000_000  # 2008-10-23T02:53:04Z


def line(second, lat="39.9", feet="492"):
    return f"{lat},116.{second:02},0,{feet},39744.12,2008-10-23,02:53:{second:02}"


def plt(*lines, end="\r\n"):
    return HEADER.replace("\n", end) + "".join(text + end for text in lines)


@pytest.fixture
def root(tmp_path):
    """Lay out two users, one with two trajectories."""
    files = {
        "Data/000/Trajectory/20081023025304.plt": plt(line(4), line(5)),
        "Data/000/Trajectory/20081023025310.plt": plt(line(10, feet="-777")),
        "Data/042/Trajectory/20081023025304.plt": plt(line(4), end="\n"),
        "Data/042/labels.txt": "Start Time\tEnd Time\tTransportation Mode\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return tmp_path


@pytest.mark.parametrize("folder", ["", "Data"])
def test_the_data_folder_and_the_one_around_it_are_read(root, folder):
    data = read(root / folder)
    assert data.users == ("000", "042")
    assert data["000"].time_us.tolist() == [START_US, START_US + 1_000_000, START_US + 6_000_000]
    assert data["000"].lon.tolist() == [116.04, 116.05, 116.10]
    assert not data.repairs


def test_one_users_folder_and_one_file_are_read(root):
    assert read(root / "Data" / "042").users == ("042",)
    file = root / "Data" / "042" / "Trajectory" / "20081023025304.plt"
    assert len(read(file)["20081023025304"]) == 1


def test_every_file_is_a_trajectory(root):
    assert read(root)["000"].extra["trace"].tolist() == [0, 0, 1]


def test_the_altitude_is_left_out_unless_kept(root):
    assert left_out(read(root)) == ("altitude",)
    data = read(root, keep=["altitude"])
    np.testing.assert_array_equal(data["000"].extra["altitude"], [492, 492, np.nan])
    with pytest.raises(UnknownNameError, match="altitude"):
        read(root, keep=["speed"])


def test_files_are_read_when_a_user_is_asked_for(root):
    data = pickle.loads(pickle.dumps(read(root)))
    (root / "Data/042/Trajectory/20081023025304.plt").unlink()
    assert len(data["000"]) == 3
    assert data.size("000") == 3
    with pytest.raises(DataError, match=r"042/Trajectory/.*\.plt cannot be read: No such file"):
        data["042"]


def damaged(root, *lines):
    good = [line(n) for n in range(40)]
    (root / "Data/042/Trajectory/20081023025304.plt").write_text(plt(*good, *lines))
    return root


def test_unreadable_lines_are_dropped_and_counted(root):
    data = read(damaged(root, "junk", line(41, lat=""), line(42).replace("2008", "never"), ""))
    assert len(data["042"]) == 40
    assert data.repairs == {"unreadable": 2, "not_finite": 1}
    assert data["042"].extra["trace"].tolist() == [0] * 40


def test_an_impossible_latitude_is_left_to_the_repair(root):
    data = read(damaged(root, line(41, lat="400.166667")))
    assert len(data["042"]) == 40
    assert data.repairs == {"out_of_range": 1}


def test_many_unreadable_lines_are_an_error_at_the_first(root):
    data = read(damaged(root, *["junk"] * 5))
    with pytest.raises(DataError, match=r"\.plt: line 47 cannot be read, nor can 4 more"):
        data["042"]


def test_swapped_coordinates_are_an_error(root):
    data = read(damaged(root, *[line(50, lat="116.3")] * 9))
    with pytest.raises(DataError, match="beyond ±90° or no number in 9 of the user's 49 lines"):
        data["042"]


def test_strict_refuses_an_unreadable_line(root):
    data = read(damaged(root, "junk"), strict=True)
    with pytest.raises(DataError, match=r"line 47 cannot be read, .* leave out --strict"):
        data["042"]


def test_a_file_without_records_is_a_user_without_records(root):
    (root / "Data/042/Trajectory/20081023025304.plt").write_text(HEADER)
    assert len(read(root)["042"]) == 0


def test_fixed_columns_cannot_be_renamed(root):
    with pytest.raises(ParameterError, match="columns are fixed"):
        read(root, columns={"lat": "y"})


def test_a_folder_without_trajectories_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"holds no <user>/Trajectory/\*.plt"):
        read(tmp_path, format="geolife")


# — writing —


def days(user="ada"):
    time = START_US + np.arange(5) * 43_200_000_000
    return Trace(user, time, np.linspace(39, 40, 5) / 3, np.linspace(116, 117, 5) / 3)


def test_what_was_written_is_read_back(tmp_path):
    traces = {user: days(user) for user in ("042", "ada")}
    write_geolife(traces, tmp_path / "out")
    data = read(tmp_path / "out", strict=True)
    assert data.users == ("042", "ada")
    assert all(data[user] == traces[user] for user in traces)


def test_a_file_holds_a_day_and_is_named_after_its_first_record(tmp_path):
    write_geolife({"ada": days()}, tmp_path / "out")
    files = sorted((tmp_path / "out/ada/Trajectory").iterdir())
    assert [file.name for file in files] == [
        "20081023025304.plt",
        "20081024025304.plt",
        "20081025025304.plt",
    ]
    lines = files[0].read_text().splitlines()
    assert len(lines) == 6 + 2
    assert lines[6] == "13.0,38.666666666666664,0,-777,39744.1201851852,2008-10-23,02:53:04"


def test_the_altitude_is_written_where_it_was_kept(root, tmp_path):
    data = read(root, keep=["altitude"])
    write_geolife(data, tmp_path / "out")
    back = read(tmp_path / "out", keep=["altitude"])
    np.testing.assert_array_equal(back["000"].extra["altitude"], [492, 492, np.nan])


def test_a_user_that_is_no_folder_name_is_refused_and_nothing_is_left(tmp_path):
    for user in ("../up", "a/b", "..", ""):
        with pytest.raises(OutputError, match="cannot name a folder"):
            write_geolife({"ada": days(), user: days(user)}, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_holds_something_is_not_replaced(tmp_path):
    write_geolife({"ada": days()}, tmp_path / "out")
    with pytest.raises(OutputError, match="exists; choose another name"):
        write_geolife({"ada": days()}, tmp_path / "out")
    with pytest.raises(OutputError, match="does not exist"):
        write_geolife({"ada": days()}, tmp_path / "nowhere" / "out")
