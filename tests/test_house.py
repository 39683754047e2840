"""What no linter checks."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted([*ROOT.glob("src/**/*.py"), *ROOT.glob("tests/**/*.py")])


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_file_is_one_idea_of_at_most_300_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


def modules_after(statement):
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_alp_brings_in_nothing_heavy():
    heavy = {"numpy", "numba", "polars", "pyarrow", "pandas", "scipy", "rich", "typer"}
    assert not heavy & modules_after("import alp")


def test_the_command_line_answers_without_compiling_or_reading_anything():
    heavy = {"numba", "polars", "pyarrow", "numpy"}
    assert not heavy & modules_after("import alp.cli._app")


def test_the_layers_name_every_folder():
    layers = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for path in (ROOT / "src" / "alp").iterdir():
        name = path.stem
        if not name.startswith("_") and name != "py":
            assert name in layers, f"{name} has no place in the layers of pyproject.toml"
