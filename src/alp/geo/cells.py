"""Location → S2 cell identifier at a level."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from alp.geo.geometry import SPHERE, Floats, Points


def cell_ids(vectors: Points, level: int) -> NDArray[np.uint64]:
    """Return the S2 cell of each vector at `level`, 0 to 30."""
    from alp.kernels.cells import cell_ids as compute

    return compute(*vectors, level)


def cell_tokens(lat: Floats, lon: Floats, level: int) -> list[str]:
    """Return S2 tokens, as other tools print them.

    >>> import numpy as np
    >>> cell_tokens(np.array([39.9042]), np.array([116.4074]), 15)
    ['35f052b9c']
    """
    points = SPHERE.to_points(np.asarray(lat, float), np.asarray(lon, float))
    return [f"{cell:016x}".rstrip("0") for cell in cell_ids(points, level)]
