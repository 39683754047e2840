"""`python -m benchmarks.memory N`: protect one user of N records, print the peak in megabytes."""

from __future__ import annotations

import sys
from pathlib import Path

import alp
from benchmarks.data import long_life
from benchmarks.scaling import FIVE_STATES


def main() -> None:
    """Protect the user with five states to choose from."""
    trace = long_life(int(sys.argv[1]))
    alp.protect(trace, "geo-i", domain=FIVE_STATES["geo-i"], search="grid", seed=0)
    print(_peak_kb() / 1_000)


def _peak_kb() -> float:
    status = Path("/proc/self/status")
    if status.exists():
        # Linux gives a child the peak of its parent in getrusage; this one is its own.
        lines = status.read_text(encoding="utf-8").splitlines()
        return next(1.024 * float(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1_000 if sys.platform == "darwin" else 1.024 * peak


if __name__ == "__main__":
    main()
