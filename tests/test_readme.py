"""What the README shows works as it stands."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from alp.cli import run
from alp.io import open_writer
from alp.town import Town

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    line.partition("#")[0].removeprefix("$ ").strip()
    for block in re.findall(r"```\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines()
    if line.removeprefix("$ ").startswith("alp ")
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with open_writer("traces.csv") as writer:
        for trace in Town(users=2, days=1, seed=3).dataset().values():
            writer.write(trace)
    return tmp_path


def test_the_readme_shows_commands():
    assert len(COMMANDS) >= 8


def test_every_command_runs_in_order(folder, capsys):
    for command in COMMANDS:
        arguments = shlex.split(command)[1:]
        force = ["--force"] if arguments[0] == "protect" else []
        assert run(arguments + force) == 0, (command, capsys.readouterr().err)


def test_the_python_example_runs(folder):
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "states were tried" in done.stdout


def test_every_page_it_points_to_is_there():
    root = Path(__file__).parents[1]
    for name in re.findall(r"\]\(([^)]+)\)", README):
        assert (root / name).is_file(), name
