"""Sampling: fewer records of a trace."""

from __future__ import annotations

import re

import numpy as np

from alp.errors import ParameterError
from alp.trace import Trace

_UNITS_S = {"ms": 0.001, "s": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_DURATION = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(ms|s|min|m|h|d)\s*")


def parse_duration(text: str) -> float:
    """Return seconds.

    >>> parse_duration("30s"), parse_duration("1.5h")
    (30.0, 5400.0)
    """
    match = _DURATION.fullmatch(text)
    if not match:
        raise ParameterError(f"'{text}' is no duration: write a number and ms, s, min, h or d")
    return float(match[1]) * _UNITS_S[match[2]]


def sample_every(trace: Trace, gap_s: float) -> Trace:
    """Return the first record and then each that is at least `gap_s` after the last one kept."""
    from alp.kernels.sampling import far_enough

    if not len(trace) or gap_s <= 0:
        return trace
    return trace.select(np.flatnonzero(far_enough(trace.time_us, round(gap_s * 1e6))))
