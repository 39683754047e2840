"""The one way kernels are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function` for this machine, keep the result on disk, release the GIL in it."""
    compiled: Callable[..., Any] = njit(cache=True, nogil=True)(function)
    return compiled
