"""Which points of one set lie within a threshold of another set."""

from __future__ import annotations

import numpy as np

from alp.kernels._compile import kernel


@kernel
def _first_from(x: np.ndarray, value: float) -> int:
    """Return the first index of the sorted `x` that is not below `value`."""
    low, high = 0, len(x)
    while low < high:
        middle = (low + high) // 2
        if x[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def count_near(
    x: np.ndarray,
    y: np.ndarray,
    z: np.ndarray,
    px: np.ndarray,
    py: np.ndarray,
    pz: np.ndarray,
    limit: float,
) -> int:
    """Return how many points of the second set have one of the first within `limit`.

    The first set comes sorted by x. One is enough, so the copies of a place that is visited every
    day are not gone through.
    """
    count = 0
    square_limit = limit * limit
    for i in range(len(px)):
        low = _first_from(x, px[i] - limit)
        while low < len(x) and x[low] <= px[i] + limit:
            dx, dy, dz = px[i] - x[low], py[i] - y[low], pz[i] - z[low]
            if dx * dx + dy * dy + dz * dz <= square_limit:
                count += 1
                break
            low += 1
    return count


@kernel
def find_pairs(
    x: np.ndarray,
    y: np.ndarray,
    z: np.ndarray,
    order: np.ndarray,
    px: np.ndarray,
    py: np.ndarray,
    pz: np.ndarray,
    limit: float,
) -> np.ndarray:
    """Return rows (i, j): point i of the second set is within `limit` of point j of the first.

    The first set comes sorted by x, with `order` its original indices. The nearest j is the first
    of each i's rows; of equally near ones the smallest.
    """
    pairs = np.empty((16, 2), np.int64)
    count = 0
    square_limit = limit * limit
    for i in range(len(px)):
        low = _first_from(x, px[i] - limit)
        first = count
        nearest = np.inf
        while low < len(x) and x[low] <= px[i] + limit:
            dx, dy, dz = px[i] - x[low], py[i] - y[low], pz[i] - z[low]
            square = dx * dx + dy * dy + dz * dz
            if square <= square_limit:
                if count == len(pairs):
                    larger = np.empty((2 * count, 2), np.int64)
                    larger[:count] = pairs
                    pairs = larger
                j = order[low]
                pairs[count, 0], pairs[count, 1] = i, j
                if square < nearest or (square == nearest and j < pairs[first, 1]):
                    nearest = square
                    pairs[count, 1] = pairs[first, 1]
                    pairs[first, 1] = j
                count += 1
            low += 1
    return pairs[:count]


@kernel
def pair_counts(pairs: np.ndarray, real: int) -> tuple[int, int, int]:
    """Return how many i occur, how many j occur, and how many j are some i's nearest."""
    hit = np.zeros(real, np.bool_)
    named = np.zeros(real, np.bool_)
    found = hits = names = 0
    previous = -1
    for row in range(len(pairs)):
        i, j = pairs[row, 0], pairs[row, 1]
        if i != previous:
            found += 1
            previous = i
            if not named[j]:
                named[j] = True
                names += 1
        if not hit[j]:
            hit[j] = True
            hits += 1
    return found, hits, names


@kernel
def maximum_matching(pairs: np.ndarray, real: int) -> int:
    """Return the size of a largest set of pairs that share no point (augmenting paths)."""
    count = len(pairs)
    partner = np.full(real, -1)  # the row of the pair that holds each j
    seen = np.full(real, -1)
    left = pairs[count - 1, 0] + 1 if count else 0
    begin = np.zeros(left + 1, np.int64)
    for row in range(count):
        begin[pairs[row, 0] + 1] += 1
    for i in range(left):
        begin[i + 1] += begin[i]
    size = 0
    visited = np.empty(real, np.int64)
    stack = np.empty(left + 1, np.int64)
    cursor = begin[:left].copy()
    for root in range(left):
        top = met = 0
        stack[0] = root
        cursor[root] = begin[root]
        while top >= 0:
            i = stack[top]
            if cursor[i] == begin[i + 1]:
                top -= 1
                continue
            row = cursor[i]
            cursor[i] += 1
            j = pairs[row, 1]
            if seen[j] == root or seen[j] == left:
                continue
            seen[j] = root
            visited[met] = j
            met += 1
            if partner[j] >= 0:
                top += 1
                stack[top] = pairs[partner[j], 0]
                cursor[stack[top]] = begin[stack[top]]
                continue
            # A free j: hand each point on the stack the pair it stopped at.
            for k in range(top + 1):
                row = cursor[stack[k]] - 1
                partner[pairs[row, 1]] = row
            size += 1
            break
        if top < 0:  # nothing that this search has met leads anywhere, now or later
            for k in range(met):
                seen[visited[k]] = left
    return size
