"""Speed smoothing: walk a trace and emit a point every α metres."""

from __future__ import annotations

import numpy as np

from alp.kernels._compile import kernel


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

    `chord` is the straight distance of `alpha`; `radius` is the sphere's, or 0 for a plane. The
    first emitted point is the first record.
    """
    room = len(time_us)
    times, points = np.empty(room, np.int64), np.empty((3, room))
    count = _walk(time_us, x, y, z, alpha, chord, radius, times, points)
    if count > room:
        times, points = np.empty(count, np.int64), np.empty((3, count))
        _walk(time_us, x, y, z, alpha, chord, radius, times, points)
        end = count - 1
        return times[:end], points[0, :end], points[1, :end], points[2, :end]
    end = max(count - 1, 0)
    ox, oy, oz = points[0, :end].copy(), points[1, :end].copy(), points[2, :end].copy()
    return times[:end].copy(), ox, oy, oz


@kernel
def _walk(
    time_us: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    z: np.ndarray,
    alpha: float,
    chord: float,
    radius: float,
    times: np.ndarray,
    points: np.ndarray,
) -> int:
    """Write the points after the first, as far as there is room, and return their number.

    The walk keeps the last *emitted* point; while the current record is at least `alpha` away, a
    point at `alpha` on the way to it is emitted with the record's own time.
    """
    limit = chord * chord
    if radius > 0.0:
        keep = np.cos(alpha / radius)
        go = radius * np.sin(alpha / radius)
    else:
        keep, go = 1.0, alpha
    count, room = 0, len(times)
    if len(time_us) == 0:
        return 0
    px, py, pz = x[0], y[0], z[0]
    for i in range(1, len(time_us)):
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
            if count < room:
                times[count] = time_us[i]
                points[0, count], points[1, count], points[2, count] = px, py, pz
            count += 1
            dx, dy, dz = qx - px, qy - py, qz - pz
            square = dx * dx + dy * dy + dz * dz
    return count


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
