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
def distinct(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first index of each distinct point, and which of these each point equals.

    A tracker that lies still repeats one place without end, and a search that must find the
    smallest index among equals would look at every copy. The columns come as their bits (int64).
    """
    n = len(x)
    size = 16
    while size < 2 * n:
        size *= 2
    table = np.full(size, -1)
    firsts, equal = np.empty(n, np.int64), np.empty(n, np.int64)
    count = 0
    for i in range(n):
        mixed = (x[i] * 0x2545F4914F6CDD1D + y[i]) * 0x2545F4914F6CDD1D + z[i]
        mixed = (mixed ^ (mixed >> 29)) * 0x2545F4914F6CDD1D
        slot = (mixed ^ (mixed >> 32)) & (size - 1)
        while table[slot] >= 0:
            j = firsts[table[slot]]
            if x[i] == x[j] and y[i] == y[j] and z[i] == z[j]:
                break
            slot = (slot + 1) & (size - 1)
        if table[slot] < 0:
            table[slot] = count
            firsts[count] = i
            count += 1
        equal[i] = table[slot]
    return firsts[:count].copy(), equal


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
        x0 = y0 = z0 = np.inf
        x1 = y1 = z1 = -np.inf
        for i in range(start, end):
            px, py, pz = points[i, 0], points[i, 1], points[i, 2]
            x0, x1 = min(x0, px), max(x1, px)
            y0, y1 = min(y0, py), max(y1, py)
            z0, z1 = min(z0, pz), max(z1, pz)
        boxes[node, 0], boxes[node, 1], boxes[node, 2] = x0, y0, z0
        boxes[node, 3], boxes[node, 4], boxes[node, 5] = x1, y1, z1
        if 2 * node + 2 >= nodes:
            continue
        axis = 0
        if y1 - y0 > x1 - x0:
            axis = 1
        if z1 - z0 > max(x1 - x0, y1 - y0):
            axis = 2
        middle = (start + end) // 2
        _select(points, order, axis, start, end, middle)
        ranges[2 * node + 1, 0], ranges[2 * node + 1, 1] = start, middle
        ranges[2 * node + 2, 0], ranges[2 * node + 2, 1] = middle, end
    place_of = np.empty(n, np.int64)
    for i in range(n):
        place_of[order[i]] = i
    return points, order, boxes, ranges, place_of


@kernel
def _select(
    points: np.ndarray, order: np.ndarray, axis: int, start: int, end: int, middle: int
) -> None:
    """Reorder [start, end) until what a sort along `axis` would put at `middle` is there."""
    low, high = start, end - 1
    while low < high:
        a, b, c = points[low, axis], points[(low + high) // 2, axis], points[high, axis]
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = low, high
        while i <= j:
            while points[i, axis] < pivot:
                i += 1
            while points[j, axis] > pivot:
                j -= 1
            if i <= j:
                for k in range(3):  # points move with their indices, so that they are read in order
                    points[i, k], points[j, k] = points[j, k], points[i, k]
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
def visiting_order(
    boxes: np.ndarray, x: np.ndarray, y: np.ndarray, z: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return queries in an order in which neighbours follow each other, and where each begins.

    They are sorted by the subtree, ten levels down, that is nearest in each step. In a large tree
    the search of one query then finds what it needs where the one before has left it: in the cache.
    """
    n = len(x)
    levels, nodes = 0, 1
    while levels < 10 and 2 * nodes <= (len(boxes) + 1) // 2:
        levels += 1
        nodes *= 2
    keys = np.empty(n, np.int64)
    starts = np.zeros(nodes + 1, np.int64)
    for q in range(n):
        px, py, pz = x[q], y[q], z[q]
        node = 0
        for _ in range(levels):
            left = box_square(boxes, 2 * node + 1, px, py, pz)
            right = box_square(boxes, 2 * node + 2, px, py, pz)
            node = 2 * node + 1 + (right < left)
        keys[q] = node - (nodes - 1)
        starts[keys[q] + 1] += 1
    for k in range(nodes):
        starts[k + 1] += starts[k]
    turns, entries = np.empty(n, np.int64), np.empty(n, np.int64)
    for q in range(n):
        turns[starts[keys[q]]] = q
        entries[starts[keys[q]]] = keys[q] + nodes - 1
        starts[keys[q]] += 1
    return turns, entries


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
    entries: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    z: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return for each query the squared distance to its nearest point, and that point's index.

    `hints` holds one index per query that is likely near, or nothing: then each search starts from
    the answer of the query before. `entries` holds the node where each search begins and from
    which it climbs, or nothing: then all begin at the root. Among points at the same distance the
    smallest index wins, so the answer depends on neither.
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
        entry = entries[q] if len(entries) > 0 else 0
        top = 1
        stack[0] = entry
        bounds[0] = 0.0
        while top > 0 or entry > 0:
            if top > 0:
                top -= 1
                node, near = stack[top], bounds[top]
            else:  # this subtree is done: its sibling is next, then that of their parent
                node = ((entry - 1) ^ 1) + 1
                entry = (entry - 1) // 2
                near = box_square(boxes, node, px, py, pz)
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
