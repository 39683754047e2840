"""Distances from points to a path, indexed once and asked many times."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from alp.geo.geometry import Floats, Geometry, Points

Mode = Literal["vertex", "segment_ref", "polyline"]
_NOTHING = np.empty(0, np.int64)
LARGE = 100_000
"""Points from which a tree outgrows the nearer caches, and queries are better sorted first."""


class PathIndex:
    """A path's points and segments, indexed for exact nearest-neighbour distances."""

    def __init__(self, points: Points, geometry: Geometry) -> None:
        self.points = points
        self.geometry = geometry

    def __len__(self) -> int:
        return len(self.points[0])

    @cached_property
    def _tree(self) -> tuple[Any, ...]:
        from alp.kernels.nearest import build_tree, distinct

        firsts, equal = distinct(*(np.ascontiguousarray(c).view(np.int64) for c in self.points))
        if len(firsts) == len(self):
            return build_tree(*self.points)
        points, order, boxes, ranges, place_of = build_tree(*(c[firsts] for c in self.points))
        return points, firsts[order], boxes, ranges, place_of[equal]

    @cached_property
    def _segment_tree(self) -> tuple[Any, ...]:
        from alp.kernels.segments import build_segment_tree

        return build_segment_tree(self.geometry.radius_m, *self.points)

    @cached_property
    def _own_indices(self) -> NDArray[np.int64]:
        return np.arange(len(self))

    def distances(self, queries: Points, mode: Mode = "vertex") -> Floats:
        """Return metres from each query to the path, which must not be empty."""
        from alp.kernels import segments

        radius = self.geometry.radius_m
        if mode == "polyline" and len(self) > 1:
            squares = segments.nearest_segment_squares(radius, *self._segment_tree, *queries)
        else:
            squares, vertices = self.nearest(queries)
            if mode == "segment_ref" and len(self) > 1:
                squares = segments.neighbour_segment_squares(
                    radius, *self.points, vertices, *queries
                )
        return self.geometry.lengths(squares)

    def nearest(self, queries: Points) -> tuple[Floats, NDArray[np.int64]]:
        """Return squared straight distances to the nearest vertices, and their indices."""
        from alp.kernels.nearest import nearest, visiting_order

        if min(len(queries[0]), len(self)) >= LARGE:
            turns, entries = visiting_order(self._tree[2], *queries)
            x, y, z = (column[turns] for column in queries)
            found = nearest(*self._tree, _NOTHING, entries, x, y, z)
            squares, indices = np.empty(len(turns)), np.empty(len(turns), np.int64)
            squares[turns], indices[turns] = found
            return squares, indices
        hints, entries = self._guess(queries)
        found = nearest(*self._tree, hints, entries, *queries)
        if len(queries[0]) == len(self) and len(self):
            self._memory.keep(queries, found[1])
        return found

    @cached_property
    def _memory(self) -> _Memory:
        return _Memory(self.points)

    def _guess(self, queries: Points) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return an index that is likely near each query, and the node to begin with, if known."""
        if len(queries[0]) != len(self):
            return _NOTHING, _NOTHING
        answers = self._memory.nearest_to(queries)
        if answers is None:
            return self._own_indices, _NOTHING  # most likely these are the same records, moved
        return answers, self._leaf_of[answers]

    @cached_property
    def _leaf_of(self) -> NDArray[np.int64]:
        """The leaf that holds each point."""
        _, _, boxes, ranges, place_of = self._tree
        first = len(boxes) // 2
        sizes = ranges[first:, 1] - ranges[first:, 0]
        return np.repeat(np.arange(first, len(boxes)), sizes)[place_of]


class _Memory:
    """Earlier answers: to the same records, moved a little less far, the answers are much alike.

    They only tell where to begin, never what the answer is.
    """

    def __init__(self, points: Points) -> None:
        most = self._most = min(64, max(4, 2_000_000 // len(points[0])))
        self._picked = np.linspace(0, len(points[0]) - 1, 8).astype(np.int64)
        self._own = self._sample(points)
        self._samples = np.empty((most, *self._own.shape))
        self._answers: list[NDArray[np.int64]] = []
        self._kept = 0

    def _sample(self, points: Points) -> Floats:
        return np.array([column[self._picked] for column in points])

    def keep(self, queries: Points, answers: NDArray[np.int64]) -> None:
        """Remember what was found, in the place of the oldest if there is no other."""
        slot = self._kept % self._most
        self._samples[slot] = self._sample(queries)
        if slot == len(self._answers):
            self._answers.append(answers)
        else:
            self._answers[slot] = answers
        self._kept += 1

    def nearest_to(self, queries: Points) -> NDArray[np.int64] | None:
        """Return the answers to the most similar queries, or None if the records are nearer."""
        if not self._answers:
            return None
        sample = self._sample(queries)
        gaps = np.abs(self._samples[: len(self._answers)] - sample).sum(axis=(1, 2))
        best = int(gaps.argmin())
        return self._answers[best] if gaps[best] < np.abs(self._own - sample).sum() else None
