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
        # As many queries as points are most likely the same records, moved.
        hints = self._own_indices if len(queries[0]) == len(self) else _NOTHING
        return nearest(*self._tree, hints, _NOTHING, *queries)
