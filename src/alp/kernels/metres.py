"""From degrees to metres, and from squared straight distances to lengths on the ground."""

from __future__ import annotations

import numpy as np

from alp.kernels._compile import kernel

_SERIES_LIMIT_M = 500_000.0


@kernel
def vectors(
    lat: np.ndarray, lon: np.ndarray, radius: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the vectors from the Earth's centre to places in degrees."""
    n = len(lat)
    x, y, z = np.empty(n), np.empty(n), np.empty(n)
    for i in range(n):
        phi, lam = np.radians(lat[i]), np.radians(lon[i])
        level = radius * np.cos(phi)
        x[i] = level * np.cos(lam)
        y[i] = level * np.sin(lam)
        z[i] = radius * np.sin(phi)
    return x, y, z


@kernel
def path_length(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> float:
    """Return the sum of the straight distances between consecutive points."""
    total = 0.0
    for i in range(1, len(x)):
        dx, dy, dz = x[i] - x[i - 1], y[i] - y[i - 1], z[i] - z[i - 1]
        total += np.sqrt(dx * dx + dy * dy + dz * dz)
    return total


@kernel
def ground_lengths(squares: np.ndarray, radius: float) -> np.ndarray:
    """Return the arc of each squared chord on a sphere, or its root on a plane (`radius` 0)."""
    n = len(squares)
    out = np.empty(n)
    inverse = 1.0 / (radius * radius) if radius > 0.0 else 0.0
    longest = 0.0
    for i in range(n):  # without a branch, so that it is vectorised
        k = squares[i] * inverse
        out[i] = np.sqrt(squares[i]) * (1.0 + k * (1.0 / 24.0 + k * (3.0 / 640.0)))
        longest = max(longest, squares[i])
    if radius > 0.0 and longest > _SERIES_LIMIT_M * _SERIES_LIMIT_M:
        for i in range(n):
            if squares[i] > _SERIES_LIMIT_M * _SERIES_LIMIT_M:
                half = min(np.sqrt(squares[i]) / (2.0 * radius), 1.0)
                out[i] = 2.0 * radius * np.arcsin(half)
    return out
