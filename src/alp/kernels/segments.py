"""Distances from points to the segments of a path: great-circle arcs, or straight lines."""

from __future__ import annotations

import numpy as np

from alp.kernels._compile import kernel
from alp.kernels.nearest import box_square, build_tree


@kernel
def segment_square(
    radius: float,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    px: float,
    py: float,
    pz: float,
) -> float:
    """Return the squared straight distance from p to the nearest point of the segment a–b."""
    dx, dy, dz = bx - ax, by - ay, bz - az
    ex, ey, ez = px - ax, py - ay, pz - az
    fx, fy, fz = px - bx, py - by, pz - bz
    ends = min(ex * ex + ey * ey + ez * ez, fx * fx + fy * fy + fz * fz)
    if radius == 0.0:
        square = dx * dx + dy * dy + dz * dz
        along = ex * dx + ey * dy + ez * dz
        if square == 0.0 or along <= 0.0 or along >= square:
            return ends
        share = along / square
        gx, gy, gz = ex - share * dx, ey - share * dy, ez - share * dz
        return min(gx * gx + gy * gy + gz * gz, ends)
    # n is the normal of the plane of the arc; differences keep the digits of short segments.
    nx, ny, nz = ay * dz - az * dy, az * dx - ax * dz, ax * dy - ay * dx
    square = nx * nx + ny * ny + nz * nz
    if square == 0.0:
        return ends
    after_a = (ny * az - nz * ay) * ex + (nz * ax - nx * az) * ey + (nx * ay - ny * ax) * ez
    before_b = (ny * bz - nz * by) * fx + (nz * bx - nx * bz) * fy + (nx * by - ny * bx) * fz
    if after_a <= 0.0 or before_b >= 0.0:
        return ends
    off = nx * ex + ny * ey + nz * ez
    off_square = min(off * off / square, radius * radius)  # squared distance to the plane
    # The arc whose sine is off/R has the squared chord 2R²(1 − cos), written without cancellation.
    return min(2.0 * off_square / (1.0 + np.sqrt(1.0 - off_square / (radius * radius))), ends)


@kernel
def neighbour_segment_squares(
    radius: float,
    rx: np.ndarray,
    ry: np.ndarray,
    rz: np.ndarray,
    vertices: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    z: np.ndarray,
) -> np.ndarray:
    """Return squared distances to one segment each, the authors' way.

    The segment joins the point's nearest vertex and the nearer of that vertex's two neighbours.
    """
    m, last = len(x), len(rx) - 1
    squares = np.empty(m)
    for q in range(m):
        v = vertices[q]
        px, py, pz = x[q], y[q], z[q]
        other = v
        if v > 0:
            other = v - 1
        if v < last:
            ax, ay, az = px - rx[v + 1], py - ry[v + 1], pz - rz[v + 1]
            bx, by, bz = px - rx[other], py - ry[other], pz - rz[other]
            if other == v or ax * ax + ay * ay + az * az < bx * bx + by * by + bz * bz:
                other = v + 1
        squares[q] = segment_square(
            radius, rx[v], ry[v], rz[v], rx[other], ry[other], rz[other], px, py, pz
        )
    return squares


@kernel
def build_segment_tree(
    radius: float, x: np.ndarray, y: np.ndarray, z: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return segments in leaf order (two end points a row), node boxes and node ranges.

    The tree is that of the segments' middles with boxes grown around the whole segments. An arc
    leaves the box of its ends by its sagitta at most.
    """
    n = len(x) - 1
    middles = np.empty((3, n))
    for i in range(n):
        middles[0, i] = 0.5 * (x[i] + x[i + 1])
        middles[1, i] = 0.5 * (y[i] + y[i + 1])
        middles[2, i] = 0.5 * (z[i] + z[i + 1])
    _, order, boxes, ranges, _ = build_tree(middles[0], middles[1], middles[2])
    ends = np.empty((n, 6))
    for i in range(n):
        s = order[i]
        ends[i, 0], ends[i, 1], ends[i, 2] = x[s], y[s], z[s]
        ends[i, 3], ends[i, 4], ends[i, 5] = x[s + 1], y[s + 1], z[s + 1]
    nodes = len(boxes)
    for node in range(nodes - 1, -1, -1):
        for axis in range(3):
            low, high = np.inf, -np.inf
            if 2 * node + 2 < nodes:
                low = min(boxes[2 * node + 1, axis], boxes[2 * node + 2, axis])
                high = max(boxes[2 * node + 1, 3 + axis], boxes[2 * node + 2, 3 + axis])
            else:
                for i in range(ranges[node, 0], ranges[node, 1]):
                    bulge = 1e-6  # a micrometre covers the rounding of what follows
                    if radius > 0.0:
                        dx = ends[i, 3] - ends[i, 0]
                        dy = ends[i, 4] - ends[i, 1]
                        dz = ends[i, 5] - ends[i, 2]
                        quarter = 0.25 * (dx * dx + dy * dy + dz * dz)
                        bulge += radius - np.sqrt(max(radius * radius - quarter, 0.0))
                    low = min(low, min(ends[i, axis], ends[i, 3 + axis]) - bulge)
                    high = max(high, max(ends[i, axis], ends[i, 3 + axis]) + bulge)
            boxes[node, axis], boxes[node, 3 + axis] = low, high
    return ends, boxes, ranges


@kernel
def nearest_segment_squares(
    radius: float,
    ends: np.ndarray,
    boxes: np.ndarray,
    ranges: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    z: np.ndarray,
) -> np.ndarray:
    """Return the squared distance from each point to the nearest of all segments."""
    m = len(x)
    squares = np.empty(m)
    first_leaf = len(boxes) // 2
    stack = np.empty(64, np.int64)
    bounds = np.empty(64)
    at = 0
    for q in range(m):
        px, py, pz = x[q], y[q], z[q]
        e = ends[at]
        best = segment_square(radius, e[0], e[1], e[2], e[3], e[4], e[5], px, py, pz)
        top = 1
        stack[0] = 0
        bounds[0] = 0.0
        while top > 0:
            top -= 1
            node, near = stack[top], bounds[top]
            while near < best and node < first_leaf:
                left = 2 * node + 1
                near = box_square(boxes, left, px, py, pz)
                far = box_square(boxes, left + 1, px, py, pz)
                node = left
                if far < near:
                    near, far = far, near
                    node = left + 1
                if far < best:
                    stack[top] = 2 * left + 1 - node
                    bounds[top] = far
                    top += 1
            if near >= best:
                continue
            for i in range(ranges[node, 0], ranges[node, 1]):
                e = ends[i]
                square = segment_square(radius, e[0], e[1], e[2], e[3], e[4], e[5], px, py, pz)
                if square < best:
                    best = square
                    at = i
        squares[q] = best
    return squares
