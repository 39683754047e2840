"""Rows of the table, and the page they make."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

HEAD = """# Benchmarks

Repeat with `make bench`, or `python -m benchmarks --quick` for a first impression;
`python -m benchmarks --write docs/benchmarks.md` makes this page anew.

Times are CPU time of one thread after a warm-up, the least of several runs; of a tuning, the
median over ten seeds. Everything is measured in one run on one machine, but for the times of the
authors' code: they were taken on another machine, and the row "yardstick" tells roughly how that
machine compares with this one. The authors' code evaluates a state anew each time it comes back to
it, ALP once. A ratio above 1 says how many times less ALP needs than its peer.

Peers do not always do the same work. The staypoints of trackintel lie within a distance of their
first record, stays within a diameter of each other. A k-d tree is asked in a plane, where it is at
its best and the Earth is flat, and with the vectors that ALP uses, where its distances are checked
to agree with ours to a nanometre. Vectors have a bad case: asked from outside a dense stay, the
tree of scipy takes ever longer up to some 200,000 records of this user, and 20 times less at
400,000. The ratio at 100,000 tells of that case, not of ALP: take the plane's.

The day has 2,880 records, one each 30 s, between home, work and lunch. Each tuning begins with a
trace of which nothing has been computed.
"""
LIBRARIES = ("numpy", "numba", "scipy", "trackintel", "s2geometry", "s2sphere")
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    ours: str
    peer: str = ""
    ratio: float | None = None

    def __str__(self) -> str:
        beside = f" | {self.peer}" if self.peer else ""
        return f"{self.what}: {self.ours}{beside}{self.factor and f' | {self.factor}'}"

    @property
    def factor(self) -> str:
        """The ratio with as many digits as mean something."""
        if self.ratio is None:
            return ""
        return f"{self.ratio:,.0f}×" if self.ratio >= 10 else f"{self.ratio:.2g}×"


def compared(what: str, ours_s: float, peer: str, peer_s: float) -> Row:
    """Return the row of two times for the same work."""
    return Row(what, duration(ours_s), f"{peer}: {duration(peer_s)}", peer_s / ours_s)


def absent(what: str, peer: str, ours: str = "") -> Row:
    """Return the row of a peer that cannot be asked."""
    return Row(what, ours, f"{peer} is not installed: left out")


def duration(seconds: float) -> str:
    """Return a time in the unit that suits it.

    >>> duration(0.00123)
    '1.23 ms'
    """
    size, unit = next((u for u in UNITS if seconds >= u[0]), UNITS[-1])
    value = seconds / size
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


def page(rows: Sequence[Row]) -> str:
    """Return the Markdown page."""
    lines = [HEAD, "| what | ours | peer | ratio |", "|---|--:|--:|--:|"]
    lines += [f"| {r.what} | {r.ours} | {r.peer} | {r.factor} |" for r in rows]
    return "\n".join([*lines, "", "Measured on:", "", *_machine(), ""])


def _machine() -> list[str]:
    facts = [
        f"- {_processor()}, {os.cpu_count()} cores, {platform.system()}",
        f"- {platform.python_implementation()} {platform.python_version()}",
    ]
    for library in LIBRARIES:
        try:
            facts.append(f"- {library} {version(library)}")
        except PackageNotFoundError:
            facts.append(f"- {library}: not installed")
    return facts


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.machine()
