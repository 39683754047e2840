"""Speed smoothing: walk a trace and emit a point every α metres."""

from __future__ import annotations

import numpy as np

from alp.kernels._compile import kernel


@kernel
def path_length(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> float:
    """Return the sum of the straight distances between consecutive points."""
    total = 0.0
    for i in range(1, len(x)):
        dx, dy, dz = x[i] - x[i - 1], y[i] - y[i - 1], z[i] - z[i - 1]
        total += np.sqrt(dx * dx + dy * dy + dz * dz)
    return total


@kernel
def smooth(
    time_us: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    z: np.ndarray,
    alpha: float,
    chord: float,
    radius: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return times and points emitted every `alpha` metres, the first and the last left out.

    The walk keeps the last *emitted* point; while the current record is at least `alpha` away, a
    point at `alpha` on the way to it is emitted with the record's own time. `chord` is the straight
    distance of `alpha`; `radius` is the sphere's, or 0 for a plane.
    """
    n = len(time_us)
    room = 64
    ot = np.empty(room, np.int64)
    ox, oy, oz = np.empty(room), np.empty(room), np.empty(room)
    limit = chord * chord
    if radius > 0.0:
        keep = np.cos(alpha / radius)
        go = radius * np.sin(alpha / radius)
    else:
        keep, go = 1.0, alpha
    count = 0
    if n == 0:
        return ot[:0], ox[:0], oy[:0], oz[:0]
    px, py, pz = x[0], y[0], z[0]
    for i in range(1, n):
        qx, qy, qz = x[i], y[i], z[i]
        dx, dy, dz = qx - px, qy - py, qz - pz
        square = dx * dx + dy * dy + dz * dz
        while square >= limit:
            if radius > 0.0:
                # The part of the way that is tangent at p. Dividing by |p|² rather than R² keeps
                # rounding from growing: over a few flights it would leave the sphere.
                along = (px * dx + py * dy + pz * dz) / (px * px + py * py + pz * pz)
                tx, ty, tz = dx - along * px, dy - along * py, dz - along * pz
                length = np.sqrt(tx * tx + ty * ty + tz * tz)
                if length < 1e-6:  # antipodes: every direction leads there
                    tx, ty, tz = (-py, px, 0.0) if abs(pz) < 0.9 * radius else (0.0, -pz, py)
                    length = np.sqrt(tx * tx + ty * ty + tz * tz)
                step = go / length
                px, py, pz = px * keep + tx * step, py * keep + ty * step, pz * keep + tz * step
            else:
                step = alpha / np.sqrt(square)
                px, py, pz = px + dx * step, py + dy * step, pz + dz * step
            if count == room:
                room *= 2
                gt = np.empty(room, np.int64)
                gx, gy, gz = np.empty(room), np.empty(room), np.empty(room)
                gt[:count], gx[:count], gy[:count], gz[:count] = ot, ox, oy, oz
                ot, ox, oy, oz = gt, gx, gy, gz
            ot[count] = time_us[i]
            ox[count], oy[count], oz[count] = px, py, pz
            count += 1
            dx, dy, dz = qx - px, qy - py, qz - pz
            square = dx * dx + dy * dy + dz * dz
    # The first record is the first emitted point: it and the last emitted one are dropped.
    end = max(count - 1, 0)
    return ot[:end], ox[:end], oy[:end], oz[:end]


@kernel
def spread_evenly(time_us: np.ndarray) -> np.ndarray:
    """Return as many times, evenly from the first to the last; two or fewer stay as they are."""
    m = len(time_us)
    if m < 3:
        return time_us
    out = np.empty(m, np.int64)
    first, last = time_us[0], time_us[m - 1]
    step = (last - first) / (m - 1)
    for i in range(m):
        out[i] = min(first + np.int64(np.round(i * step)), last)
    return out


@kernel
def spread_evenly_ms(time_us: np.ndarray) -> np.ndarray:
    """Return evenly spread times as the authors' code does: whole milliseconds, rounded up."""
    m = len(time_us)
    if m < 3:
        return time_us
    out = np.empty(m, np.int64)
    first = time_us[0] // 1000
    step = (time_us[m - 1] // 1000 - first) / (m - 1)
    for i in range(m):
        out[i] = 1000 * (first + np.int64(np.ceil(i * step)))
    return out
