"""The worked examples of CONTRIBUTING.md work as they stand."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from alp.town import day

ROOT = Path(__file__).parents[1]


@pytest.fixture
def workplace(tmp_path):
    """Return a folder with the two examples in files of their own and a trace to try them on."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    mechanism, metric = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "my_mechanism.py").write_text(mechanism)
    (tmp_path / "my_metric.py").write_text(metric)
    from alp.io import open_writer

    for name, users in (("traces.csv", ["u"]), ("two.csv", ["u", "v"])):
        with open_writer(tmp_path / name) as writer:
            for user in users:
                writer.write(day(seed=1, user=user))
    return tmp_path


def alp(folder, *arguments):
    command = [sys.executable, "-c", "from alp.cli import main; main()", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_example_mechanism_is_tuned_by_name(workplace):
    found = alp(
        workplace,
        "tune",
        "traces.csv",
        "-m",
        "translation",
        "--plugin",
        "my_mechanism.py",
        "--json",
    )
    (batch,) = found["batches"]
    assert 100 <= batch["parameters"]["length"] <= 2000
    assert batch["evaluations"] == 20
    assert batch["values"]["poi-retrieval"] == 0


def test_the_example_metric_is_an_objective_by_name(workplace):
    found = alp(
        workplace,
        *("tune", "traces.csv", "-m", "promesse", "--plugin", "my_metric.py", "--json"),
        *("-o", "minimise poi-retrieval", "-o", "maximise completeness"),
    )
    (batch,) = found["batches"]
    assert batch["values"]["completeness"] == batch["protected_records"] / batch["records"]


def test_plugins_reach_worker_processes(workplace):
    both = ("--plugin", "my_mechanism.py", "--plugin", "my_metric.py", "--json", "--seed", "1")
    one, two = (
        alp(
            workplace,
            *("tune", "two.csv", "-m", "translation", "--metric", "completeness", *both),
            *("--workers", workers),
        )
        for workers in ("1", "2")
    )
    assert one == two


def test_the_examples_work_in_python(workplace):
    script = """
import alp
alp.load_plugins(["my_mechanism.py", "my_metric.py"])
tuned = alp.tune(alp.read("traces.csv")["u"], "translation", ["maximise completeness"], seed=1)
assert tuned.values["completeness"] == 1.0, tuned
assert tuned.parameters["length"] == 2000.0, tuned
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=workplace, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
