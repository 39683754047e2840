"""What it costs to begin: the import and the help page."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from benchmarks.clock import child_cpu_s
from benchmarks.table import Row, duration

CALLS = {
    "start-up: `import alp`": ("-c", "import alp"),
    "start-up: `alp --help`": ("-c", "from alp.cli import main; main()", "--help"),
}


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield CPU time of new processes, beside that of Python alone."""
    repeats = 2 if quick else 8
    bare = f"Python alone: {duration(child_cpu_s([sys.executable, '-c', 'pass'], repeats))}"
    for what, arguments in CALLS.items():
        yield Row(what, duration(child_cpu_s([sys.executable, *arguments], repeats)), bare)
