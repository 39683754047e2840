"""CPU time, of this process and of children."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Sequence
from typing import Any


def cpu_s(
    run: Callable[..., Any],
    repeats: int = 5,
    fresh: Callable[[], Any] | None = None,
    *,
    warm: bool = True,
) -> float:
    """Return the least CPU time of `run` after a warm-up.

    `fresh` makes the argument of each run and is not timed. Work that takes seconds and is compiled
    already can do without the warm-up.
    """
    times = []
    for _ in range(repeats + warm):
        given = () if fresh is None else (fresh(),)
        begin = time.process_time()
        run(*given)
        times.append(time.process_time() - begin)
    return min(times[warm:])


def child_cpu_s(command: Sequence[str], repeats: int = 5) -> float:
    """Return the least CPU time of a command, after one run that fills the caches."""
    import resource

    times = []
    for _ in range(repeats + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return min(times[1:])
