"""What a protection says of itself holds for the files it writes."""

import json
import os

import numpy as np
import pytest

import alp
from alp.cli import run
from alp.io import open_writer
from alp.town import Town, day


@pytest.fixture
def town(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with open_writer("town.csv") as writer:
        for trace in Town(users=2, days=2, seed=5).dataset().values():
            writer.write(trace)
    return tmp_path


def json_of(capsys, *arguments):
    assert run([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("per", ["100", "2h", "day"])
def test_hidden_users_are_counted_on_all_that_is_released_of_them(capsys, town, per):
    arguments = ("-m", "promesse", "--per", per, "--seed", "1")
    report = json_of(capsys, "protect", "town.csv", "out.csv", *arguments)
    measured = json_of(capsys, "evaluate", "town.csv", "out.csv")["traces"]
    for claimed, found in zip(report["users"], measured, strict=True):
        assert claimed["values"] == pytest.approx(found["values"])
    hidden = sum(trace["values"]["poi-retrieval"] == 0 for trace in measured)
    assert report["summary"]["users_all_hidden"] == hidden


@pytest.mark.parametrize("jitter_m", [0.0, 3.0, 6.0])
def test_a_day_at_home_comes_out_empty(make_stay, jitter_m):
    tuned = alp.tune(make_stay(minutes=24 * 60, jitter_m=jitter_m), "promesse", seed=1)
    assert tuned.suppressed


def test_one_or_two_points_are_published_only_on_the_users_word(make_walk):
    walk = make_walk(length_m=250.0)
    assert len(alp.tune(walk, "promesse", fixed={"alpha": 100}).protected) == 1
    assert len(alp.tune(walk, "promesse", domain={"alpha": "100,200"}).protected) == 0
    fixed = {"min_points": 1}
    tuned = alp.tune(walk, "promesse", domain={"alpha": "100,110"}, fixed=fixed)
    assert len(tuned.protected) == 1


@pytest.mark.parametrize("name", ["town.csv", "link.csv", "hard.csv", "./town.csv"])
def test_the_input_is_never_written_over(capsys, town, name):
    os.symlink("town.csv", "link.csv")
    os.link("town.csv", "hard.csv")
    before = (town / "town.csv").read_bytes()
    assert run(["protect", "town.csv", name, "-m", "promesse", "--force"]) == 2
    assert "are one file" in capsys.readouterr().err
    assert (town / "town.csv").read_bytes() == before


def test_a_report_is_not_written_over_the_output(capsys, town):
    arguments = ("-m", "promesse", "--report", "out.csv")
    assert run(["protect", "town.csv", "out.csv", *arguments]) == 2
    assert "are one file" in capsys.readouterr().err


def test_no_theorem_is_claimed_for_a_release_with_other_columns(day):
    extra = {"speed": np.ones(len(day))}
    trace = alp.Trace(day.user, day.time_us, day.lat, day.lon, extra=extra)
    fixed = {"epsilon": 0.01}
    assert alp.tune(day, "geo-i", fixed=fixed).guarantee.label.value == "formal"
    assert alp.tune(trace, "geo-i", fixed=fixed).guarantee.label.value == "empirical"


def test_a_tracker_that_lies_still_takes_no_longer(capsys):
    """Equal places are searched once: with a look at every copy this would take minutes."""
    n = 60_000
    still = alp.Trace("u", np.arange(n) * 1_000_000, np.full(n, 45.0), np.full(n, 7.0))
    moved = alp.tune(still, "geo-i", fixed={"epsilon": 0.01}, seed=1)
    assert moved.values["spatial-distortion"] == pytest.approx(200, rel=0.02)


def test_what_was_protected_can_be_written_from_python(tmp_path):
    result = alp.protect(day(seed=1), "promesse", fixed={"alpha": 100})
    alp.write(result.data, tmp_path / "out.parquet")
    assert alp.read(tmp_path / "out.parquet")["u"] == result.data["u"]
    with pytest.raises(alp.AlpError, match="exists"):
        alp.write(result.data, tmp_path / "out.parquet")


def test_the_sampling_interval_is_exact(capsys, tmp_path):
    n = 50
    trace = alp.Trace("u", np.arange(n) * 300_000_000, np.full(n, 45.0), 7 + np.arange(n) * 0.01)
    alp.write(trace, tmp_path / "five.csv")
    assert json_of(capsys, "inspect", str(tmp_path / "five.csv"))["median_interval_s"] == 300.0


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("alpha", [5, 10, 20, 25, 40, 50, 100, 200])
def test_reported_values_are_those_of_the_file_to_the_last_bit(capsys, town, alpha, suffix):
    """Records exactly as far apart as a stay is wide are where a last bit would tell."""
    arguments = ("-m", "promesse", "--set", f"alpha={alpha}")
    report = json_of(capsys, "protect", "town.csv", f"out.{suffix}", *arguments)
    measured = json_of(capsys, "evaluate", "town.csv", f"out.{suffix}")["traces"]
    assert [b["values"] for b in report["batches"]] == [t["values"] for t in measured]


def test_a_bounding_box_does_not_go_round_the_world(capsys, tmp_path):
    lon = np.array([179.9, 179.99, -179.98, -179.9])
    trace = alp.Trace("u", np.arange(4) * 60_000_000, np.full(4, -17.5), lon)
    alp.write(trace, tmp_path / "fiji.csv")
    box = json_of(capsys, "inspect", str(tmp_path / "fiji.csv"))["bounding_box"]
    assert (box["west"], box["east"]) == pytest.approx((179.9, -179.9))
