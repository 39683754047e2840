from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from alp.geo import SPHERE
from alp.kernels.cells import cell_ids, count_common

TOKENS = [
    (0.0, 0.0, "100000004"),
    (39.9042, 116.4074, "35f052b9c"),
    (46.5197, 6.6323, "478c2e324"),
    (-33.8688, 151.2093, "6b12ae3fc"),
    (37.7749, -122.4194, "8085809ec"),
    (-17.0, 179.9999, "6e1fdf564"),
    (-17.0, -179.9999, "71e020a9c"),
    (90.0, 0.0, "500000004"),
    (89.99, 45.0, "455555504"),
]


def ids_of(lat, lon, level):
    return cell_ids(*SPHERE.to_points(np.atleast_1d(lat), np.atleast_1d(lon)), level)


@pytest.fixture(scope="module")
def sample():
    """Return 20,000 places uniform on the sphere, and a level for each."""
    rng = np.random.default_rng(41)
    lat = np.degrees(np.arcsin(rng.uniform(-1, 1, 20_000)))
    return lat, rng.uniform(-180, 180, 20_000), rng.integers(0, 31, 20_000)


@pytest.fixture(scope="module")
def found(sample):
    """Return the kernel's cell of each place of the sample."""
    lat, lon, levels = sample
    out = np.empty(len(lat), np.uint64)
    for level in range(31):
        out[levels == level] = ids_of(lat[levels == level], lon[levels == level], level)
    return out.tolist()


@pytest.mark.parametrize(("lat", "lon", "token"), TOKENS)
def test_known_places_have_their_known_tokens(lat, lon, token):
    (cell,) = ids_of(lat, lon, 15)
    assert f"{cell:016x}".rstrip("0") == token
    assert oracles.s2_cell(lat, lon, 15) == cell


def test_random_places_have_the_cells_of_google_s2(sample, found):
    s2 = pytest.importorskip("s2geometry")
    for lat, lon, level, cell in zip(*(c.tolist() for c in sample), found, strict=True):
        leaf = s2.S2CellId(s2.S2LatLng.FromDegrees(lat, lon))
        assert leaf.parent(level).id() == cell


def test_random_places_have_the_cells_of_s2sphere(sample, found):
    s2 = pytest.importorskip("s2sphere")
    for lat, lon, level, cell in zip(*(c.tolist() for c in sample), found, strict=True):
        leaf = s2.CellId.from_lat_lng(s2.LatLng.from_degrees(lat, lon))
        assert leaf.parent(level).id() == cell


def test_random_places_have_the_cells_of_the_plain_definition(sample, found):
    for lat, lon, level, cell in zip(*(c.tolist() for c in sample), found, strict=True):
        assert oracles.s2_cell(lat, lon, level) == cell


@given(lat=st.floats(-90, 90), lon=st.floats(-180, 180))
def test_a_cell_lies_in_its_parent_at_every_level(lat, lon):
    child = int(ids_of(lat, lon, 30)[0])
    for level in range(29, -1, -1):
        last = 1 << (2 * (30 - level))
        assert int(ids_of(lat, lon, level)[0]) == (child & -last) | last


def test_the_length_of_a_vector_does_not_matter(sample):
    points = SPHERE.to_points(*sample[:2])
    unit = tuple(column / 2**20 for column in points)
    np.testing.assert_array_equal(cell_ids(*points, 15), cell_ids(*unit, 15))


def test_axes_and_corners_of_the_cube_have_legal_cells():
    corners = np.array(np.meshgrid([-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]))
    vectors = corners.reshape(3, -1)
    vectors = vectors[:, np.abs(vectors).sum(axis=0) > 0]
    for level in (0, 15, 30):
        cells = cell_ids(*vectors, level)
        assert ((cells >> np.uint64(61)) < 6).all()
        assert (cells & (~cells + np.uint64(1)) == np.uint64(1 << 2 * (30 - level))).all()


def test_no_places_have_no_cells():
    assert ids_of(np.empty(0), np.empty(0), 15).shape == (0,)


@given(st.lists(st.integers(1, 40)), st.lists(st.integers(1, 40)), st.sampled_from([0, 30, 58]))
def test_common_cells_are_counted_like_sets(first, second, shift):
    known = np.array(sorted({a << shift for a in first}), np.uint64)
    ids = np.array([b << shift for b in second], np.uint64)
    assert count_common(known, ids) == (len(set(second)), len(set(first) & set(second)))


def test_the_cells_of_a_day_are_counted_like_sets(day):
    cells = cell_ids(*day.points, 15)
    moved = cell_ids(*day.moved(*np.random.default_rng(2).normal(0, 300, (2, len(day)))).points, 15)
    distinct, common = count_common(np.unique(cells), moved)
    assert (distinct, common) == (len(set(moved)), len(set(cells) & set(moved)))
    dice = 2 * common / (len(set(cells)) + distinct)
    assert 0 < dice < 1
