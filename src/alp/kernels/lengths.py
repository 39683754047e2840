"""From squared straight distances to lengths on the ground."""

from __future__ import annotations

import numpy as np

from alp.kernels._compile import kernel

_SERIES_LIMIT_M = 500_000.0


@kernel
def ground_lengths(squares: np.ndarray, radius: float) -> np.ndarray:
    """Return the arc of each squared chord on a sphere, or its root on a plane (`radius` 0)."""
    n = len(squares)
    out = np.empty(n)
    inverse = 1.0 / (radius * radius) if radius > 0.0 else 0.0
    for i in range(n):
        chord = np.sqrt(squares[i])
        if chord < _SERIES_LIMIT_M or radius == 0.0:
            k = squares[i] * inverse
            out[i] = chord * (1.0 + k * (1.0 / 24.0 + k * (3.0 / 640.0)))
        else:
            out[i] = 2.0 * radius * np.arcsin(min(chord / (2.0 * radius), 1.0))
    return out
