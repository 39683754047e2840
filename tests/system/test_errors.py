"""What a person gets wrong: one line that says what, where and what to do, and nothing left."""

import os

import pytest

from alp.cli import run

ROWS = [f"u,2016-07-01T00:{m:02d}:00Z,{45 + m * 1e-3:.4f},{7 + m * 1e-3:.4f}" for m in range(60)]
HEADER = "user,timestamp,lat,lon"


def csv(*rows, header=HEADER):
    return "\n".join([header, *rows]) + "\n"


GOOD = csv(*ROWS)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.csv").write_text(GOOD)
    return tmp_path


def complain(capsys, folder, *arguments):
    """Run a command that must fail; return its one line and check that nothing was left behind."""
    before = sorted(os.listdir(folder))
    status = run(list(arguments))
    captured = capsys.readouterr()
    assert status == 2, captured.err
    assert captured.out == ""
    assert captured.err.startswith("alp: error: ")
    assert captured.err.count("\n") == 1
    assert "Traceback" not in captured.err
    assert sorted(os.listdir(folder)) == before
    return captured.err


PROTECT = ("protect", "in.csv", "out.csv", "-m", "promesse")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", ["in.csv", "empty"]),
        (csv(), ["in.csv", "no records"]),
        (csv(*[r.replace(",45", ",y45") for r in ROWS]), ["in.csv", "lat", "line 2"]),
        (csv(*ROWS, header="user,timestamp,north,east"), ["in.csv", "--column lat="]),
        (csv(*[r.replace(",45", ",145") for r in ROWS]), ["in.csv", "90", "line 2", "--column"]),
        (csv(*[r.replace("2016-07", "2016-77") for r in ROWS]), ["in.csv", "line 2", "time"]),
        (
            csv(*ROWS[:30], *[r.replace("2016-07-01T", "01/07/2016 ") for r in ROWS[30:]]),
            ["in.csv", "line 32", "several ways"],
        ),
    ],
    ids=["empty", "header only", "no numbers", "no lat", "lat over 90", "bad time", "mixed time"],
)
def test_a_bad_file_is_named_with_place_and_remedy(capsys, folder, content, words):
    (folder / "in.csv").write_text(content)
    line = complain(capsys, folder, *PROTECT)
    for word in words:
        assert word in line
    assert "45.0" not in line
    assert "145" not in line


def test_a_missing_file_is_named(capsys, folder):
    assert "in.csv does not exist" in complain(capsys, folder, *PROTECT)


def test_a_text_file_called_parquet_is_no_parquet(capsys, folder):
    (folder / "in.parquet").write_text(GOOD)
    line = complain(capsys, folder, "protect", "in.parquet", "out.csv", "-m", "promesse")
    assert "in.parquet" in line
    assert "Parquet" in line


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-m", "promese"], "did you mean 'promesse'"),
        (["-m", "promesse", "--metric", "poi-retreival"], "did you mean 'poi-retrieval'"),
        (["-m", "promesse", "--set", "alpa=3"], "did you mean 'alpha'"),
        (["-m", "promesse", "--set", "alpha=-1"], "alpha of promesse must be a number of at least"),
        (["-m", "promesse", "--set", "alpha"], "--set takes NAME=VALUE"),
        (["-m", "promesse", "--domain", "alpha="], "is empty"),
        (["-m", "promesse", "--domain", "alpha=linear(5,1,1)"], "is empty"),
        (["-m", "promesse", "-o", "minimize poi-retrieva"], "did you mean 'poi-retrieval'"),
        (["-m", "promesse", "-o", "make it nice"], "is no objective"),
        (["-m", "promesse", "--per", "fortnight"], "--per must be"),
        (["-m", "promesse", "--search", "gird"], "did you mean 'grid'"),
        (["-m", "promesse", "--profile", "paper"], "did you mean 'paper2016'"),
        (["-m", "promesse", "--no-such-option"], "--no-such-option"),
        (["-m", "promesse", "--workers", "0"], "--workers"),
        (["-m", "promesse", "--seed", "x"], "--seed"),
        (["-m", "promesse", "--plugin", "none.py"], "none.py is no file"),
        (["-m", "promesse", "--report", "report.txt"], "a report ends in .json"),
        (["-m", "promesse", "--keep-column", "altitude"], "altitude"),
        (["-m", "promesse", "--user", "nobody"], "nobody"),
        ([], "--mechanism"),
    ],
)
def test_a_wrong_word_is_answered_with_the_right_one(capsys, folder, arguments, words):
    assert words in complain(capsys, folder, "protect", "good.csv", "out.csv", *arguments)


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("nowhere/out.csv", "does not exist"),
        ("good.csv", "--force"),
        ("good.csv/out.csv", "not a folder"),
        (".", "is a folder"),
        ("out.xyz", ".xyz"),
        ("/proc/out.csv", "/proc/out.csv cannot be written"),
    ],
)
def test_an_output_that_cannot_be_written_is_said_before_the_work(capsys, folder, output, words):
    assert words in complain(capsys, folder, "protect", "good.csv", output, "-m", "promesse")
    assert (folder / "good.csv").read_text() == GOOD


def test_a_report_that_exists_is_not_overwritten(capsys, folder):
    line = complain(
        capsys,
        folder,
        *("protect", "good.csv", "out.csv", "-m", "promesse", "--report", "good.csv"),
    )
    assert "--force" in line


def test_a_fault_of_ours_has_another_status_and_shows_no_data(capsys, folder, monkeypatch):
    import alp.engine.local as local

    def broken(trace, settings):
        raise ValueError(f"position {trace.lat[0]}")

    monkeypatch.setattr(local, "protect_user", broken)
    assert run(["protect", "good.csv", "out.csv", "-m", "promesse"]) == 1
    captured = capsys.readouterr()
    assert captured.err == (
        "alp: error: internal fault (ValueError); run again with --debug for the details\n"
    )
    assert not (folder / "out.csv").exists()


def test_damaged_rows_are_repaired_and_counted_or_refused(capsys, folder):
    rows = [*ROWS, "u,2016-07-01T02:00:00Z,NaN,7", ROWS[3], "u,2016-07-01T02:01:00Z,91,7"]
    (folder / "in.csv").write_text(csv(*rows))
    assert run([*PROTECT, "--set", "alpha=0"]) == 0
    out = capsys.readouterr().out
    assert "1 without a finite coordinate" in out
    assert "1 exact duplicates" in out
    assert "1 with a latitude beyond" in out
    assert (folder / "out.csv").read_text().count("\n") == 61
    line = complain(capsys, folder, *PROTECT, "--force", "--strict")
    assert "in.csv" in line
    assert "--strict" in line


def test_strangers_in_the_protected_file_are_an_error(capsys, folder):
    (folder / "other.csv").write_text(GOOD.replace("u,", "v,"))
    assert "matched by name" in complain(capsys, folder, "evaluate", "good.csv", "other.csv")
