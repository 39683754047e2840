from __future__ import annotations

import numpy as np
import pytest

import oracles
from alp.geo import GEOMETRIES, geometry_named
from alp.geo.cells import cell_ids, cell_tokens


@pytest.mark.parametrize("geometry", list(GEOMETRIES))
def test_cells_are_the_same_in_every_geometry(geometry):
    rng = np.random.default_rng(81)
    lat, lon = rng.uniform(-80, 80, 500), rng.uniform(-180, 180, 500)
    g = geometry_named(geometry)
    found = cell_ids(g.vectors(g.to_points(lat, lon)), 15)
    assert found.tolist() == [oracles.s2_cell(a, o, 15) for a, o in zip(lat, lon, strict=True)]


def test_tokens_are_hexadecimal_without_trailing_zeros():
    lat, lon = np.array([0.0, 90.0, 46.5197]), np.array([0.0, 0.0, 6.6323])
    assert cell_tokens(lat, lon, 15) == ["100000004", "500000004", "478c2e324"]
    assert cell_tokens(lat, lon, 0) == ["1", "5", "5"]


def test_keeping_half_of_the_cells_covers_two_thirds():
    cells = 0.01 * np.arange(10)
    whole, half = (cells, cells), (cells[::2], cells[::2])
    assert oracles.coverage(whole, half, 15) == oracles.coverage(half, whole, 15) == 2 / 3
    assert oracles.coverage(whole, whole, 15) == 1.0
    assert oracles.coverage(whole, ([], []), 15) == 0.0
    assert oracles.coverage(([], []), ([], []), 15) is None
