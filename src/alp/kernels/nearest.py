"""Exact nearest neighbours: an implicit k-d tree with a box per node.

The tree is a complete binary tree in heap order (children of k: 2k+1, 2k+2). Its leaves hold at
most `LEAF` consecutive points of the reordered columns. A search starts from a bound the caller
knows (a point's own original, or the last answer), which prunes nearly everything at once.
"""

from __future__ import annotations

import numpy as np

from alp.kernels._compile import kernel

LEAF = 8


@kernel
def build_tree(
    x: np.ndarray, y: np.ndarray, z: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return points in leaf order, their indices, node boxes, node ranges, each index's place."""
    n = len(x)
    points = np.empty((n, 3))
    for i in range(n):
        points[i, 0], points[i, 1], points[i, 2] = x[i], y[i], z[i]
    order = np.arange(n)
    leaves = 1
    while leaves * LEAF < n:
        leaves *= 2
    nodes = 2 * leaves - 1
    boxes = np.empty((nodes, 6))
    ranges = np.empty((nodes, 2), np.int64)
    ranges[0, 0], ranges[0, 1] = 0, n
    for node in range(nodes):
        start, end = ranges[node, 0], ranges[node, 1]
        for axis in range(3):
            low, high = np.inf, -np.inf
            for i in range(start, end):
                value = points[order[i], axis]
                low, high = min(low, value), max(high, value)
            boxes[node, axis], boxes[node, 3 + axis] = low, high
        if 2 * node + 2 >= nodes:
            continue
        axis = 0
        for other in range(1, 3):
            if (
                boxes[node, 3 + other] - boxes[node, other]
                > boxes[node, 3 + axis] - boxes[node, axis]
            ):
                axis = other
        middle = (start + end) // 2
        _select(order, points, axis, start, end, middle)
        ranges[2 * node + 1, 0], ranges[2 * node + 1, 1] = start, middle
        ranges[2 * node + 2, 0], ranges[2 * node + 2, 1] = middle, end
    sorted_points = np.empty((n, 3))
    place_of = np.empty(n, np.int64)
    for node in range(nodes // 2, nodes):
        for i in range(ranges[node, 0], ranges[node, 1]):
            sorted_points[i] = points[order[i]]
            place_of[order[i]] = i
    return sorted_points, order, boxes, ranges, place_of


@kernel
def _select(
    order: np.ndarray, points: np.ndarray, axis: int, start: int, end: int, middle: int
) -> None:
    """Reorder `order[start:end]` until what a sort would put at `middle` is there."""
    low, high = start, end - 1
    while low < high:
        a, b, c = (
            points[order[low], axis],
            points[order[(low + high) // 2], axis],
            points[order[high], axis],
        )
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = low, high
        while i <= j:
            while points[order[i], axis] < pivot:
                i += 1
            while points[order[j], axis] > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            return


@kernel
def box_square(boxes: np.ndarray, node: int, px: float, py: float, pz: float) -> float:
    """Return the squared distance from a point to a node's box, 0 inside."""
    dx = max(max(boxes[node, 0] - px, px - boxes[node, 3]), 0.0)
    dy = max(max(boxes[node, 1] - py, py - boxes[node, 4]), 0.0)
    dz = max(max(boxes[node, 2] - pz, pz - boxes[node, 5]), 0.0)
    return dx * dx + dy * dy + dz * dz


@kernel
def nearest(
    points: np.ndarray,
    order: np.ndarray,
    boxes: np.ndarray,
    ranges: np.ndarray,
    place_of: np.ndarray,
    hints: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    z: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return for each query the squared distance to its nearest point, and that point's index.

    `hints` holds one index per query that is likely near, or nothing: then each search starts from
    the answer of the query before. Among points at the same distance the smallest index wins, so
    the answer does not depend on the hints.
    """
    m = len(x)
    squares = np.empty(m)
    indices = np.empty(m, np.int64)
    first_leaf = len(boxes) // 2
    stack = np.empty(64, np.int64)
    bounds = np.empty(64)
    index = 0
    for q in range(m):
        px, py, pz = x[q], y[q], z[q]
        if len(hints) > 0:
            index = hints[q]
        at = place_of[index]
        dx, dy, dz = px - points[at, 0], py - points[at, 1], pz - points[at, 2]
        best = dx * dx + dy * dy + dz * dz
        top = 1
        stack[0] = 0
        bounds[0] = 0.0
        while top > 0:
            top -= 1
            node, near = stack[top], bounds[top]
            while near <= best and node < first_leaf:
                left = 2 * node + 1
                near = box_square(boxes, left, px, py, pz)
                far = box_square(boxes, left + 1, px, py, pz)
                node = left
                if far < near:
                    near, far = far, near
                    node = left + 1
                if far <= best:
                    stack[top] = 2 * left + 1 - node
                    bounds[top] = far
                    top += 1
            if near > best:
                continue
            for i in range(ranges[node, 0], ranges[node, 1]):
                dx, dy, dz = px - points[i, 0], py - points[i, 1], pz - points[i, 2]
                square = dx * dx + dy * dy + dz * dz
                if square < best or (square == best and order[i] < index):
                    best = square
                    index = order[i]
        squares[q] = best
        indices[q] = index
    return squares, indices
