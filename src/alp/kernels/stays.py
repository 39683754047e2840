"""Stays: maximal windows of records whose diameter stays below a bound for long enough."""

from __future__ import annotations

import numpy as np

from alp.kernels._compile import kernel


@kernel
def find_stays(
    time_us: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    z: np.ndarray,
    diameter: float,
    stay_us: int,
) -> np.ndarray:
    """Return the windows [start, end) of the stays, one row each.

    The one-pass form of Hariharan and Toyama's rule: a record within `diameter` of the whole
    window joins it; otherwise the window is emitted if it lasted `stay_us`, or else loses every
    record up to the last one that is too far. Only a window too short to be a stay is ever
    shortened, so the scan that finds this last far record also gives the box of what remains:
    the box is exact at every step, and most records are settled by its farthest corner alone.
    Subtraction, product and sum are monotone in IEEE arithmetic, so that shortcut is exact too.
    Where a wide window fails it although nothing is far, a ball around the window serves instead,
    with a margin that covers its rounding.
    """
    n = len(time_us)
    found = np.empty((16, 2), np.int64)
    count = 0
    if n == 0:
        return found[:0]
    limit = diameter * diameter
    nearly = diameter * (1.0 - 1e-9)
    ball = -1.0  # squared radius around (cx, cy, cz); negative while there is none
    cx = cy = cz = 0.0
    start = far = 0
    x0 = x1 = x[0]
    y0 = y1 = y[0]
    z0 = z1 = z[0]
    for j in range(1, n + 1):
        if j < n:
            px, py, pz = x[j], y[j], z[j]
            dx = max(px - x0, x1 - px)
            dy = max(py - y0, y1 - py)
            dz = max(pz - z0, z1 - pz)
            joins = dx * dx + dy * dy + dz * dz <= limit
            if ball >= 0.0:
                dx, dy, dz = px - cx, py - cy, pz - cz
                away = dx * dx + dy * dy + dz * dz
                joins = joins or np.sqrt(away) + np.sqrt(ball) <= nearly
                ball = max(ball, away)
            if joins:
                x0, x1 = min(x0, px), max(x1, px)
                y0, y1 = min(y0, py), max(y1, py)
                z0, z1 = min(z0, pz), max(z1, pz)
                continue
            far = j - 1
            bx0 = bx1 = px
            by0 = by1 = py
            bz0 = bz1 = pz
            while far >= start:
                qx, qy, qz = x[far], y[far], z[far]
                dx, dy, dz = px - qx, py - qy, pz - qz
                if dx * dx + dy * dy + dz * dz > limit:
                    break
                bx0, bx1 = min(bx0, qx), max(bx1, qx)
                by0, by1 = min(by0, qy), max(by1, qy)
                bz0, bz1 = min(bz0, qz), max(bz1, qz)
                far -= 1
            x0, x1, y0, y1, z0, z1 = bx0, bx1, by0, by1, bz0, bz1
            ball = -1.0
            if far < start:
                cx, cy, cz = 0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.5 * (z0 + z1)
                for i in range(start, j + 1):
                    dx, dy, dz = x[i] - cx, y[i] - cy, z[i] - cz
                    ball = max(ball, dx * dx + dy * dy + dz * dz)
                continue
        if j - start > 1 and time_us[j - 1] - time_us[start] >= stay_us:
            if count == len(found):
                larger = np.empty((2 * count, 2), np.int64)
                larger[:count] = found
                found = larger
            found[count, 0] = start
            found[count, 1] = j
            count += 1
            start = j
            if j < n:
                x0 = x1 = x[j]
                y0 = y1 = y[j]
                z0 = z1 = z[j]
        elif j < n:
            start = far + 1
    return found[:count]


@kernel
def window_centroids(
    windows: np.ndarray, x: np.ndarray, y: np.ndarray, z: np.ndarray, radius: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the centre of each window: its mean, brought back to the sphere of `radius` > 0."""
    k = len(windows)
    mx, my, mz = np.empty(k), np.empty(k), np.empty(k)
    for w in range(k):
        start, end = windows[w, 0], windows[w, 1]
        sx = sy = sz = 0.0
        for i in range(start, end):
            sx += x[i] - x[start]  # offsets keep the digits that metres from the centre lose
            sy += y[i] - y[start]
            sz += z[i] - z[start]
        size = end - start
        cx, cy, cz = x[start] + sx / size, y[start] + sy / size, z[start] + sz / size
        if radius > 0.0:
            length = np.sqrt(cx * cx + cy * cy + cz * cz)
            scale = radius / length if length > 0.0 else 1.0
            cx, cy, cz = cx * scale, cy * scale, cz * scale
        mx[w], my[w], mz[w] = cx, cy, cz
    return mx, my, mz
