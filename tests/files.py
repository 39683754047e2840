"""Builders of small files and tables for the tests of readers."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

START_US = 1_224_730_384_123_456  # 2008-10-23T02:53:04.123456Z


def csv_rows(times, head="user,timestamp,lat,lon"):
    """Return a CSV with one row for each time as it is written."""
    lines = [f"a,{time},39.9,{116 + n / 100}" for n, time in enumerate(times)]
    return "\n".join([head, *lines]) + "\n"


def table(users=("a", "a", "b", "b", "b", "c"), **columns):
    """Return a well-formed table, with `columns` replaced or added; None drops one."""
    n = len(users)
    whole = {
        "user": pa.array(users),
        "timestamp": pa.array(range(START_US, START_US + n)).cast(pa.timestamp("us", tz="UTC")),
        "lat": pa.array(np.linspace(39, 40, n)),
        "lon": pa.array(np.linspace(116, 117, n)),
    } | columns
    return pa.table({name: column for name, column in whole.items() if column is not None})


def write_text(path, text):
    """Write text, or bytes as they are, and return the path."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def write_parquet(path, content, **how):
    """Write a table in row groups of two, and return the path."""
    pq.write_table(content, path, **{"row_group_size": 2} | how)
    return path
