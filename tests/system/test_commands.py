"""The commands as people use them, in process."""

import json

import numpy as np
import pytest

import alp
from alp.cli import run
from alp.io import open_writer
from alp.town import Town


@pytest.fixture
def town(tmp_path, monkeypatch):
    """Return a folder with a small town in it, and stand in it."""
    monkeypatch.chdir(tmp_path)
    with open_writer("town.csv") as writer:
        for trace in Town(users=3, days=2, seed=5).dataset().values():
            writer.write(trace)
    return tmp_path


def output_of(capsys, *arguments):
    assert run(list(arguments)) == 0
    captured = capsys.readouterr()
    return captured.out


def json_of(capsys, *arguments):
    return json.loads(output_of(capsys, *arguments, "--json"))


def test_protect_writes_what_evaluate_measures(capsys, town):
    report = json_of(capsys, "protect", "town.csv", "out.parquet", "-m", "geo-i", "--seed", "1")
    measured = json_of(capsys, "evaluate", "town.csv", "out.parquet")
    for batch, trace in zip(report["batches"], measured["traces"], strict=True):
        assert batch["user"] == trace["user"]
        assert batch["protected_records"] == trace["protected_records"]
        assert batch["values"] == pytest.approx(trace["values"])


def test_tune_prints_the_rows_of_the_product_page(capsys, town):
    found = json_of(capsys, "tune", "town.csv", "-m", "promesse", "--per", "day")
    assert len(found["batches"]) >= 6
    keys = {
        *("user", "batch", "records", "parameters", "cost", "values"),
        *("evaluations", "feasible", "guarantee"),
    }
    for batch in found["batches"]:
        assert keys <= batch.keys()
    assert found["summary"]["batches"] == len(found["batches"])


def test_evaluate_prints_traces_and_a_summary(capsys, town):
    found = json_of(capsys, "evaluate", "town.csv", "town.csv", "--metric", "area-coverage")
    assert [t["values"] for t in found["traces"]] == [{"area-coverage": 1.0}] * 3
    summary = {"mean": 1, "median": 1, "p25": 1, "p75": 1, "p95": 1, "defined": 3}
    assert found["summary"] == {"area-coverage": summary}


def test_a_user_who_is_missing_counts_as_an_empty_output(capsys, town):
    lines = (town / "town.csv").read_text().splitlines(keepends=True)
    (town / "some.csv").write_text("".join(row for row in lines if not row.startswith("u001")))
    found = json_of(capsys, "evaluate", "town.csv", "some.csv")
    missing = next(t for t in found["traces"] if t["user"] == "u001")
    assert missing["protected_records"] == 0
    assert missing["values"]["spatial-distortion"] is None
    assert missing["values"]["area-coverage"] == 0
    assert found["summary"]["spatial-distortion"]["defined"] == 2


@pytest.mark.parametrize("mechanism", ["geo-i", "promesse", "drop"])
def test_the_same_seed_gives_the_same_bytes_with_any_number_of_workers(capsys, town, mechanism):
    files = []
    for workers in ("1", "2"):
        name = f"out{workers}.parquet"
        arguments = ("-m", mechanism, "--seed", "3", "--per", "day", "--workers", workers)
        output_of(capsys, "protect", "town.csv", name, *arguments, "--report", f"{name}.json")
        files.append(((town / name).read_bytes(), (town / f"{name}.json").read_bytes()))
    assert files[0] == files[1]


def test_without_a_seed_no_two_outputs_are_alike(capsys, town):
    for name in ("a.csv", "b.csv"):
        output_of(capsys, "protect", "town.csv", name, "-m", "geo-i", "--set", "epsilon=0.01")
    a, b = (alp.read(name)["u000"] for name in ("a.csv", "b.csv"))
    assert np.mean(a.lat == b.lat) < 0.01


def test_released_noise_lies_on_the_grid(capsys, town):
    output_of(capsys, "protect", "town.csv", "out.csv", "-m", "geo-i", "--set", "epsilon=0.01")
    rows = (town / "out.csv").read_text().splitlines()[1:]
    for row in rows[::50]:
        for number in row.split(",")[2:]:
            assert len(number.partition(".")[2]) <= 6


def test_a_person_reads_shares_guarantee_and_seed(capsys, town):
    text = output_of(capsys, "protect", "town.csv", "out.csv", "-m", "geo-i", "--seed", "1")
    for words in (
        "Users with all POIs hidden",
        "had no POI to hide",
        "were released raw",
        "conditional",
        "Seeded: for experiments only",
        "Written: out.csv",
    ):
        assert words in text


def test_a_report_holds_the_same_rows_in_every_form(capsys, town):
    import pyarrow.csv
    import pyarrow.parquet

    for kind in ("json", "csv", "parquet"):
        arguments = ("-m", "promesse", "--report", f"r.{kind}", "--force")
        output_of(capsys, "protect", "town.csv", "out.csv", *arguments)
    rows = json.loads((town / "r.json").read_text())["batches"]
    for table in (pyarrow.csv.read_csv("r.csv"), pyarrow.parquet.read_table("r.parquet")):
        assert table["parameter.alpha"].to_pylist() == [r["parameters"]["alpha"] for r in rows]
        assert table["value.area-coverage"].to_pylist() == [
            r["values"]["area-coverage"] for r in rows
        ]


def test_other_columns_stay_at_home_unless_asked_for(capsys, town):
    rows = (town / "town.csv").read_text().splitlines()
    wide = [rows[0] + ",wifi,speed", *(row + ",HomeNet,1.5" for row in rows[1:])]
    (town / "wide.csv").write_text("\n".join(wide) + "\n")
    arguments = ("-m", "geo-i", "--set", "epsilon=0.01", "--force")
    text = output_of(capsys, "protect", "wide.csv", "out.csv", *arguments)
    assert "Columns left out: wifi, speed" in text
    assert "HomeNet" not in (town / "out.csv").read_text()
    output_of(capsys, "protect", "wide.csv", "out.csv", *arguments, "--keep-column", "speed")
    header, first = (town / "out.csv").read_text().splitlines()[:2]
    assert header == "user,timestamp,lat,lon,speed"
    assert first.endswith(",1.5")


def test_a_column_cannot_be_kept_where_records_are_new(capsys, town):
    rows = (town / "town.csv").read_text().splitlines()
    wide = [rows[0] + ",speed", *(row + ",1.5" for row in rows[1:])]
    (town / "wide.csv").write_text("\n".join(wide) + "\n")
    status = run(["protect", "wide.csv", "out.csv", "-m", "promesse", "--keep-column", "speed"])
    assert status == 2
    assert "promesse makes new records" in capsys.readouterr().err
    assert not (town / "out.csv").exists()


def test_quiet_says_nothing(capsys, town):
    assert output_of(capsys, "protect", "town.csv", "out.csv", "-m", "promesse", "--quiet") == ""


def test_sampling_and_profile_change_what_is_tuned(capsys, town):
    found = json_of(
        capsys, "tune", "town.csv", "-m", "geo-i", "--sample", "5min", "--profile", "paper2016"
    )
    assert found["summary"]["geometry"] == "mercator"
    assert found["summary"]["per"] == "24h"
    assert found["summary"]["search"] == "annealing"
    assert found["batches"][0]["records"] <= 289


def test_inspect_tells_what_is_there_and_what_is_wrong(capsys, town):
    with (town / "town.csv").open("a") as file:
        file.write("u000,2016-07-05T00:00:00Z,NaN,2\n")
    facts = json_of(capsys, "inspect", "town.csv")
    assert facts["users"] == 3
    assert facts["median_interval_s"] == 30.0
    assert facts["repairs"] == {"not_finite": 1}
    assert facts["pois"] > 6
    assert "sampling interval" in output_of(capsys, "inspect", "town.csv")


def test_list_shows_every_parameter_with_domain_unit_and_source(capsys):
    text = output_of(capsys, "list")
    for words in ("geo-i", "epsilon", "log(0.001,0.1,41)", "1/m", "poi-retrieval", "annealing"):
        assert words in text
    found = json_of(capsys, "list", "mechanisms")
    assert {m["name"] for m in found["mechanisms"]} >= {"geo-i", "promesse", "drop"}


def test_help_and_version_answer(capsys):
    assert "protect" in output_of(capsys, "--help")
    assert output_of(capsys, "--version").startswith("alp ")


def test_only_the_users_asked_for_are_protected(capsys, town):
    output_of(capsys, "protect", "town.csv", "out.csv", "-m", "promesse", "--user", "u001")
    assert list(alp.read("out.csv")) == ["u001"]


def test_a_file_in_which_everything_was_suppressed_can_be_evaluated(capsys, town):
    lines = [f"u,2016-07-01T{h:02d}:{m:02d}:00Z,45.0,7.0\n" for h in range(9) for m in range(60)]
    (town / "home.csv").write_text("user,timestamp,lat,lon\n" + "".join(lines))
    for name in ("out.csv", "out.parquet"):
        text = output_of(capsys, "protect", "home.csv", name, "-m", "promesse")
        assert "1 (100\u00a0%) were suppressed" in text
        found = json_of(capsys, "evaluate", "home.csv", name)
        (trace,) = found["traces"]
        assert trace["protected_records"] == 0
        assert trace["values"] == {
            "poi-retrieval": 0.0,
            "spatial-distortion": None,
            "area-coverage": 0.0,
        }
