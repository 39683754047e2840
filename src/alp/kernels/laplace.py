"""Planar Laplace noise, and moving points on the sphere."""

from __future__ import annotations

import numpy as np

from alp.kernels._compile import kernel


@kernel
def unit_displacements(uniforms: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (east, north) of planar Laplace noise with ε = 1 from three rows of uniforms in [0, 1).

    The radius has the Gamma distribution of shape 2, a sum of two exponentials: two logarithms
    instead of the Lambert function of the paper, and exact in both tails.
    """
    n = uniforms.shape[1]
    east, north = np.empty(n), np.empty(n)
    for i in range(n):
        # 1 − u lies in (0, 1]: log1p keeps the small radii, which log would round away.
        radius = -(np.log1p(-uniforms[0, i]) + np.log1p(-uniforms[1, i]))
        angle = 2.0 * np.pi * uniforms[2, i]
        east[i] = radius * np.cos(angle)
        north[i] = radius * np.sin(angle)
    return east, north


@kernel
def tangents(
    x: np.ndarray, y: np.ndarray, z: np.ndarray, east: np.ndarray, north: np.ndarray, radius: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the displacement (east, north) at each point of the sphere as three columns."""
    n = len(x)
    vx, vy, vz = np.empty(n), np.empty(n), np.empty(n)
    for i in range(n):
        px, py, pz = x[i] / radius, y[i] / radius, z[i] / radius
        level = np.sqrt(px * px + py * py)
        if level > 0.0:
            ex, ey = -py / level, px / level
        else:  # at a pole every direction is as good as another
            ex, ey = 1.0, 0.0
        # North is p × E with E = (ex, ey, 0).
        vx[i] = east[i] * ex - north[i] * pz * ey
        vy[i] = east[i] * ey + north[i] * pz * ex
        vz[i] = north[i] * (px * ey - py * ex)
    return vx, vy, vz


@kernel
def travel(
    x: np.ndarray,
    y: np.ndarray,
    z: np.ndarray,
    vx: np.ndarray,
    vy: np.ndarray,
    vz: np.ndarray,
    scale: float,
    radius: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return each point moved along the great circle of its tangent `scale`·v, |scale·v| metres far.

    p·cos δ + v·sin δ/|v| with δ = |v|/R. Both functions depend on δ² alone; below 0.02 (127 km)
    four terms of their series are exact to the last bit, and need no square root.
    """
    n = len(x)
    ox, oy, oz = np.empty(n), np.empty(n), np.empty(n)
    factor = scale * scale / (radius * radius)
    for i in range(n):
        square = (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]) * factor
        if square < 4e-4:
            keep = 1.0 - square * (0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0)))
            go = scale * (
                1.0 - square * (1.0 / 6.0 - square * (1.0 / 120.0 - square * (1.0 / 5040.0)))
            )
        else:
            delta = np.sqrt(square)
            keep = np.cos(delta)
            go = scale * np.sin(delta) / delta
        ox[i] = x[i] * keep + vx[i] * go
        oy[i] = y[i] * keep + vy[i] * go
        oz[i] = z[i] * keep + vz[i] * go
    return ox, oy, oz
