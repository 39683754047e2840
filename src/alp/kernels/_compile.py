"""The one way kernels are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile `function` for this machine, keep the result on disk, release the GIL in it."""
    compiled: F = njit(cache=True, nogil=True)(function)
    return compiled
