"""Choosing records that are far enough apart in time."""

from __future__ import annotations

import numpy as np

from alp.kernels._compile import kernel


@kernel
def far_enough(time_us: np.ndarray, gap_us: int) -> np.ndarray:
    """Return a mask of the first record and each at least `gap_us` after the last one kept."""
    kept = np.zeros(len(time_us), np.bool_)
    if len(time_us) == 0:
        return kept
    kept[0] = True
    last = time_us[0]
    for i in range(1, len(time_us)):
        if time_us[i] - last >= gap_us:
            kept[i] = True
            last = time_us[i]
    return kept


@kernel
def rolling_starts(time_us: np.ndarray, span_us: int) -> np.ndarray:
    """Return where batches start: at a record more than `span_us` after its batch's first."""
    starts = np.zeros(len(time_us), np.bool_)
    if len(time_us) == 0:
        return starts
    starts[0] = True
    first = time_us[0]
    for i in range(1, len(time_us)):
        if time_us[i] - first > span_us:
            starts[i] = True
            first = time_us[i]
    return starts
