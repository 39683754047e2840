from __future__ import annotations

import json

import pytest

from alp.cli import run
from alp.io import read

FILES = {"town.parquet", "geo-i.parquet", "promesse.parquet", "report.html", ".alp-demo"}
SMALL = ["--users", "3", "--days", "1"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the folder of a small demo."""
    place = tmp_path_factory.mktemp("demo") / "alp-demo"
    assert run(["demo", str(place), *SMALL, "--quiet"]) == 0
    return place


def test_a_demo_writes_the_town_its_protected_versions_and_a_report(folder):
    assert {path.name for path in folder.iterdir()} == FILES
    town, noisy = read(folder / "town.parquet"), read(folder / "geo-i.parquet")
    assert list(town) == ["u000", "u001", "u002"] == list(noisy)
    assert [len(noisy[user]) for user in noisy] == [len(town[user]) for user in town]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "alp demo alp-demo --users 3 --days 1 --seed 0" in page
    assert "http://" not in page


def test_a_demo_prints_a_table_and_where_to_look(folder, capsys):
    assert run(["demo", str(folder), *SMALL]) == 0
    shown = capsys.readouterr()
    for words in ("poi-retrieval", "spatial-distortion (m)", "area-coverage", "all POIs hidden"):
        assert words in shown.out
    for words in ("geo-i", "promesse", "conditional", "empirical", "alpha", "epsilon"):
        assert words in shown.out
    assert "had no POI to hide" in shown.out
    assert "for experiments only" in shown.out
    assert "report.html" in shown.out
    assert shown.err == ""


def test_the_same_demo_again_gives_the_same_files(folder, capsys):
    before = {name: (folder / name).read_bytes() for name in FILES}
    assert run(["demo", str(folder), *SMALL, "--json"]) == 0
    assert before == {name: (folder / name).read_bytes() for name in FILES}
    told = json.loads(capsys.readouterr().out)
    assert told["folder"] == str(folder)
    assert list(told["mechanisms"]) == ["geo-i", "promesse"]
    assert told["mechanisms"]["geo-i"]["users"] == 3
    assert told["mechanisms"]["geo-i"]["seeded"] is True


def test_the_commands_of_the_report_give_the_same_traces(folder, tmp_path):
    again = tmp_path / "geo-i.parquet"
    source = str(folder / "town.parquet")
    assert run(["protect", source, str(again), "-m", "geo-i", "--seed", "0", "--quiet"]) == 0
    assert again.read_bytes() == (folder / "geo-i.parquet").read_bytes()


def test_a_folder_of_somebody_else_is_refused_unless_forced(tmp_path, capsys):
    (tmp_path / "thesis.txt").write_text("years of work")
    assert run(["demo", str(tmp_path), *SMALL]) == 2
    complaint = capsys.readouterr().err
    assert complaint.startswith("alp: error: ")
    assert "--force" in complaint
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
    assert run(["demo", str(tmp_path), *SMALL, "--force", "--quiet"]) == 0
    assert (tmp_path / "thesis.txt").read_text() == "years of work"
    assert {path.name for path in tmp_path.iterdir()} == FILES | {"thesis.txt"}


def test_an_empty_folder_is_used(tmp_path, capsys):
    assert run(["demo", str(tmp_path), "--users", "1", "--days", "1", "--seed", "5", "-q"]) == 0
    assert capsys.readouterr().out == ""
    assert {path.name for path in tmp_path.iterdir()} == FILES


def test_a_file_is_no_folder(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert run(["demo", str(tmp_path / "file"), *SMALL]) == 2
    assert "choose another folder" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--users=0", "--days=-1", "--seed=-3", "--users=2000000"])
def test_impossible_towns_are_refused_before_anything_is_written(tmp_path, capsys, option):
    place = tmp_path / "d"
    assert run(["demo", str(place), option]) == 2
    assert capsys.readouterr().err.startswith("alp: error: ")
    assert not place.exists()
