"""Planar Laplace noise, and moving points on the sphere."""

from __future__ import annotations

import numpy as np

from alp.kernels._compile import kernel

_SERIES_LIMIT = 4e-4  # δ² up to which four terms are exact to the last bit: 127 km


@kernel
def unit_displacements(uniforms: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (east, north) of planar Laplace noise, ε = 1, from three rows of uniforms in [0, 1).

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
def unit_displacements_by_inverse(uniforms: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the same noise from two rows of uniforms, by the inverse of the radius's distribution.

    The paper's way. Its Lambert function is inaccurate near the branch point; r − ln(1 + r) =
    −ln(1 − p) is the same equation, and Newton's method solves it to the last bits.
    """
    n = uniforms.shape[1]
    east, north = np.empty(n), np.empty(n)
    for i in range(n):
        level = -np.log1p(-uniforms[0, i])
        radius = level + np.sqrt(2.0 * level)
        for _ in range(30):
            if radius <= 0.0:
                break
            value = radius - np.log1p(radius)
            if radius < 1e-3:  # the series keeps the digits that the difference loses
                value = (
                    radius * radius * (0.5 - radius * (1.0 / 3.0 - radius * (0.25 - 0.2 * radius)))
                )
            step = (value - level) * (1.0 + radius) / radius
            radius -= step
            if abs(step) <= 1e-15 * radius:
                break
        angle = 2.0 * np.pi * uniforms[1, i]
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
    """Return each point moved |scale·v| metres along the great circle of its tangent v.

    p·cos δ + v·sin δ/|v| with δ = |scale·v|/R. Both functions are series in δ², which need no
    square root; far moves are computed in full.
    """
    n = len(x)
    ox, oy, oz = np.empty(n), np.empty(n), np.empty(n)
    factor = scale * scale / (radius * radius)
    farthest = 0.0
    for i in range(n):  # without a branch, so that it is vectorised
        square = (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]) * factor
        keep = 1.0 - square * (0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0)))
        go = scale * (1.0 - square * (1.0 / 6.0 - square * (1.0 / 120.0 - square * (1.0 / 5040.0))))
        ox[i] = x[i] * keep + vx[i] * go
        oy[i] = y[i] * keep + vy[i] * go
        oz[i] = z[i] * keep + vz[i] * go
        farthest = max(farthest, square)
    if farthest > _SERIES_LIMIT:
        for i in range(n):
            square = (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]) * factor
            if square > _SERIES_LIMIT:
                delta = np.sqrt(square)
                keep, go = np.cos(delta), scale * np.sin(delta) / delta
                ox[i] = x[i] * keep + vx[i] * go
                oy[i] = y[i] * keep + vy[i] * go
                oz[i] = z[i] * keep + vz[i] * go
    return ox, oy, oz
