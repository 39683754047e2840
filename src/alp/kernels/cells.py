"""S2 cell identifiers, straight from vectors."""

from __future__ import annotations

import numpy as np

from alp.kernels._compile import kernel

# Hilbert curve: [orientation][2i + j] → position among the four children, and each position's
# change of orientation.
_POSITION = np.array([[0, 1, 3, 2], [0, 3, 1, 2], [2, 3, 1, 0], [2, 1, 3, 0]], np.int64)
_TURN = np.array([1, 0, 0, 3], np.int64)


def _four_levels() -> tuple[np.ndarray, np.ndarray]:
    """Return the curve for four levels at a time: [orientation, 4 bits of i, 4 bits of j]."""
    position = np.empty(4 * 256, np.int64)
    turned = np.empty(4 * 256, np.int64)
    for key in range(4 * 256):
        orientation, i, j, pos = key >> 8, (key >> 4) & 15, key & 15, 0
        for k in (3, 2, 1, 0):
            digit = _POSITION[orientation, 2 * ((i >> k) & 1) + ((j >> k) & 1)]
            pos, orientation = 4 * pos + digit, orientation ^ _TURN[digit]
        position[key], turned[key] = pos, orientation
    return position, turned


_POSITION_4, _ORIENTATION_4 = _four_levels()


@kernel
def cell_ids(x: np.ndarray, y: np.ndarray, z: np.ndarray, level: int) -> np.ndarray:
    """Return the S2 cell at `level` of each vector, of whatever length."""
    n = len(x)
    ids = np.empty(n, np.uint64)
    last = np.uint64(1) << np.uint64(2 * (30 - level))
    mask = ~(last - np.uint64(1)) ^ last
    for p in range(n):
        px, py, pz = x[p], y[p], z[p]
        ax, ay, az = abs(px), abs(py), abs(pz)
        if ax >= ay and ax >= az:
            face = 0 if px >= 0 else 3
            u, v = (py / px, pz / px) if face == 0 else (pz / px, py / px)
        elif ay >= az:
            face = 1 if py >= 0 else 4
            u, v = (-px / py, pz / py) if face == 1 else (pz / py, -px / py)
        else:
            face = 2 if pz >= 0 else 5
            u, v = (-px / pz, -py / pz) if face == 2 else (-py / pz, -px / pz)
        s = 0.5 * np.sqrt(1.0 + 3.0 * u) if u >= 0 else 1.0 - 0.5 * np.sqrt(1.0 - 3.0 * u)
        t = 0.5 * np.sqrt(1.0 + 3.0 * v) if v >= 0 else 1.0 - 0.5 * np.sqrt(1.0 - 3.0 * v)
        i = min(max(int(np.floor(s * 1073741824.0)), 0), 1073741823)
        j = min(max(int(np.floor(t * 1073741824.0)), 0), 1073741823)
        orientation = face & 1
        # 30 levels are seven fours and a two: the two comes first.
        pos = 0
        for k in (29, 28):
            digit = _POSITION[orientation, 2 * ((i >> k) & 1) + ((j >> k) & 1)]
            pos = 4 * pos + digit
            orientation ^= _TURN[digit]
        for k in (24, 20, 16, 12, 8, 4, 0):
            if k + 4 <= 30 - level:
                pos <<= 8
                continue
            key = (orientation << 8) | (((i >> k) & 15) << 4) | ((j >> k) & 15)
            pos = (pos << 8) | _POSITION_4[key]
            orientation = _ORIENTATION_4[key]
        leaf = (np.uint64(face) << np.uint64(61)) | (np.uint64(pos) << np.uint64(1)) | np.uint64(1)
        ids[p] = (leaf & mask) | last
    return ids


@kernel
def count_common(sorted_ids: np.ndarray, ids: np.ndarray) -> tuple[int, int]:
    """Return (number of distinct `ids`, how many of them are in `sorted_ids`)."""
    table = np.zeros(1024, np.uint64)
    at = distinct = 0
    while at < len(ids):
        at, distinct = _fill(table, ids, at, distinct)
        if at < len(ids):
            table = _grown(table)
    common = 0
    for cell in table:
        if cell == 0:
            continue
        low, high = 0, len(sorted_ids)
        while low < high:
            middle = (low + high) // 2
            if sorted_ids[middle] < cell:
                low = middle + 1
            else:
                high = middle
        if low < len(sorted_ids) and sorted_ids[low] == cell:
            common += 1
    return distinct, common


@kernel
def _fill(table: np.ndarray, ids: np.ndarray, at: int, distinct: int) -> tuple[int, int]:
    """Put ids into an open-addressed table until it is half full; return how far that went.

    Traces revisit few cells, so the table is small and stays in the cache. No cell has the id 0.
    """
    mask, shift = len(table) - 1, _shift(len(table))
    previous = np.uint64(0)
    for p in range(at, len(ids)):
        cell = ids[p]
        if cell == previous:
            continue
        previous = cell
        slot = _slot(cell, shift)
        while table[slot] != 0 and table[slot] != cell:
            slot = (slot + 1) & mask
        if table[slot] == 0:
            if 2 * distinct > mask:
                return p, distinct
            table[slot] = cell
            distinct += 1
    return len(ids), distinct


@kernel
def _slot(cell: np.uint64, shift: np.uint64) -> np.int64:
    """Return where to look for a cell first: the top bits of the product, which mix all others."""
    return np.int64((cell * np.uint64(0x9E3779B97F4A7C15)) >> shift)


@kernel
def _shift(size: int) -> np.uint64:
    """Return how far to shift for a table of `size`, a power of two."""
    shift = np.uint64(64)
    while size > 1:
        shift -= np.uint64(1)
        size //= 2
    return shift


@kernel
def _grown(table: np.ndarray) -> np.ndarray:
    """Return a table four times as large with the same cells."""
    larger = np.zeros(4 * len(table), np.uint64)
    mask, shift = len(larger) - 1, _shift(len(larger))
    for cell in table:
        if cell != 0:
            slot = _slot(cell, shift)
            while larger[slot] != 0:
                slot = (slot + 1) & mask
            larger[slot] = cell
    return larger
