"""Which POIs of one set are found again in another, within a threshold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from alp.places.stays import Pois


class PoiMatcher:
    """The real POIs, sorted once; many sets of retrieved ones are matched against them."""

    def __init__(self, real: Pois, threshold_m: float, *, overlap: bool = False) -> None:
        self.real = real
        self.overlap = overlap
        self._limit = real.geometry.chord(threshold_m)
        self._order = np.argsort(real.points[0], kind="stable")
        self._sorted = tuple(column[self._order] for column in real.points)

    def near_counts(self, retrieved: Pois) -> tuple[int, int]:
        """Return retrieved POIs with a real one in reach, and real ones with a retrieved one.

        As `counts` does, but without the pairs; times are not looked at.
        """
        from alp.kernels.matching import count_near

        found = count_near(*self._sorted, *retrieved.points, self._limit)
        if not found:
            return 0, 0
        order = np.argsort(retrieved.points[0])
        others = (column[order] for column in retrieved.points)
        return found, count_near(*others, *self.real.points, self._limit)

    def pairs(self, retrieved: Pois) -> NDArray[np.int64]:
        """Return rows (retrieved, real) of all POIs within the threshold of each other.

        The first row of each retrieved POI is its nearest real one.
        """
        from alp.kernels.matching import find_pairs

        found: NDArray[np.int64] = find_pairs(
            *self._sorted, self._order, *retrieved.points, self._limit
        )
        if self.overlap and len(found):
            i, j = found[:, 0], found[:, 1]
            together = (retrieved.first_us[i] <= self.real.last_us[j]) & (
                self.real.first_us[j] <= retrieved.last_us[i]
            )
            found = self._nearest_first(found[together], retrieved)
        return found

    def _nearest_first(self, pairs: NDArray[np.int64], retrieved: Pois) -> NDArray[np.int64]:
        """Return the pairs with each retrieved POI's nearest real one first again."""
        i, j = pairs[:, 0], pairs[:, 1]
        columns = zip(retrieved.points, self.real.points, strict=True)
        squares = np.sum([(found[i] - real[j]) ** 2 for found, real in columns], axis=0)
        return pairs[np.lexsort((j, squares, i))]

    def counts(self, pairs: NDArray[np.int64]) -> tuple[int, int, int]:
        """Return retrieved POIs with a real one, real ones retrieved, real ones nearest to some."""
        from alp.kernels.matching import pair_counts

        return pair_counts(pairs, len(self.real))

    def largest_matching(self, pairs: NDArray[np.int64]) -> int:
        """Return how many pairs can be chosen so that none shares a POI."""
        from alp.kernels.matching import maximum_matching

        return maximum_matching(pairs, len(self.real))
