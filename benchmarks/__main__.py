"""Run the benchmarks, print the table, and write it to a page if asked."""

from __future__ import annotations

import argparse
import os
import time
import warnings
from importlib import import_module
from pathlib import Path

# One thread everywhere, said before any library that has threads is imported.
for _library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"
os.environ["POLARS_MAX_THREADS"] = "1"

SUBJECTS = (
    "tuning",
    "stays",
    "noise",
    "cells",
    "distortion",
    "evaluation",
    "scaling",
    "startup",
    "throughput",
)


def main() -> None:
    """Measure what was asked for, all of it by default."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=", ".join(SUBJECTS))
    parser.add_argument("--quick", action="store_true", help="fewer repeats and smaller inputs")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="also write this Markdown page")
    asked = parser.parse_args()
    unknown = [name for name in asked.subjects if name not in SUBJECTS]
    if unknown:
        parser.error(f"no subject is named '{unknown[0]}'; known: {', '.join(SUBJECTS)}")
    warnings.simplefilter("ignore")  # those of the peers would hide the progress

    from benchmarks.table import Row, page

    rows: list[Row] = []
    begin = time.monotonic()
    for subject in asked.subjects or SUBJECTS:
        print(f"{subject}:", flush=True)
        for row in import_module(f"benchmarks.{subject}").measure(quick=asked.quick):
            print(f"  {row}", flush=True)
            rows.append(row)
    print(f"took {time.monotonic() - begin:.0f} s\n")
    text = page(rows)
    print(text)
    if asked.write:
        asked.write.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
