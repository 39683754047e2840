from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from alp.errors import UnknownNameError
from alp.geo import GEOMETRIES, MERCATOR, SPHERE, geometry_named
from alp.geo.geometry import wrap
from strategies import KINDS, random_traces

both = pytest.mark.parametrize("geometry", list(GEOMETRIES.values()), ids=str)
lats = st.floats(-89.99, 89.99)
lons = st.floats(-180, 179.999999)
# Exactly a pole has a cosine of 6e-17 in floating point, so every place has a longitude.
PLACES = [(0.0, 0.0), (0.0, -180.0), (45.0, 7.0), (70.0, 179.9), (-70.0, -30.0)]


def column(value):
    return np.array([value], float)


# — degrees and back —


@both
@given(lat=lats, lon=lons)
def test_degrees_come_back_from_points(geometry, lat, lon):
    back = geometry.to_degrees(geometry.to_points(column(lat), column(lon)))
    assert oracles.haversine(lat, lon, *(float(c[0]) for c in back)) < 1e-6
    assert -180.0 <= back[1][0] < 180.0


@both
def test_random_places_are_where_the_oracle_puts_them(geometry):
    rng = np.random.default_rng(61)
    lat, lon = rng.uniform(-85, 85, 1000), rng.uniform(-180, 180, 1000)
    found = oracles.rows(geometry.to_points(lat, lon))
    np.testing.assert_allclose(found, oracles.vectors(geometry, lat, lon), rtol=1e-12, atol=1e-8)


def test_the_poles_come_back_from_the_sphere():
    back, _ = SPHERE.to_degrees(SPHERE.to_points(np.array([90.0, -90.0]), np.array([0.0, 50.0])))
    assert back.tolist() == [90.0, -90.0]


def test_the_exact_pole_has_longitude_zero():
    zero = np.zeros(1)
    assert [c[0] for c in SPHERE.to_degrees((zero, zero, column(SPHERE.radius_m)))] == [90.0, 0.0]


def test_the_poles_of_mercator_are_finite():
    points = MERCATOR.to_points(np.array([90.0, -90.0]), np.zeros(2))
    assert np.isfinite(points).all()
    np.testing.assert_allclose(MERCATOR.to_degrees(points)[0], [89.9999, -89.9999], atol=1e-9)


def test_mercator_is_the_authors_plane():
    x, y, z = MERCATOR.to_points(column(39.9), column(116.4))
    assert x[0] == pytest.approx(6_367_000 * np.radians(116.4))
    assert y[0] == pytest.approx(6_367_000 * np.log(np.tan(np.pi / 4 + np.radians(39.9) / 2)))
    assert z[0] == 0.0


# — longitudes —


@given(st.floats(-1e6, 1e6))
def test_a_wrapped_longitude_is_legal_and_the_same_meridian(lon):
    (turned,) = wrap(column(lon))
    assert -180.0 <= turned < 180.0
    assert np.cos(np.radians(turned - lon)) == pytest.approx(1.0)


def test_wrapping_keeps_legal_longitudes_to_the_last_bit():
    legal = np.array([-180.0, -1e-300, 0.1, 179.99999999999997])
    mixed = wrap(np.append(legal, 540.0))
    assert wrap(legal) is legal
    assert mixed.tolist() == [*legal.tolist(), -180.0]
    assert wrap(np.array([np.nextafter(-180.0, -200.0), 180.0])).tolist() == [-180.0, -180.0]


# — distances —


@pytest.mark.parametrize("lat", [0.0, 45.0, 70.0, 89.0])
def test_lengths_are_those_of_haversine_from_a_millimetre_to_half_the_world(lat):
    apart = np.geomspace(1e-3, 2.0e7, 200) / 111_195.08
    lat2 = np.where(lat + apart > 90, 180 - lat - apart, lat + apart)  # over the pole
    lon2 = np.where(lat + apart > 90, -180.0, 0.0)
    here = oracles.rows(SPHERE.to_points(column(lat), column(0.0)))
    there = oracles.rows(SPHERE.to_points(lat2, lon2))
    found = SPHERE.lengths(oracles.straight_square(here, there))
    # A latitude near 90 is itself exact to 1e-14°, and a coordinate to a nanometre.
    wanted = oracles.haversine(lat, 0.0, lat2, lon2)
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=5e-9)


@given(st.floats(1e-3, 2.0e7))
def test_a_chord_and_its_length_undo_each_other(distance_m):
    for geometry in GEOMETRIES.values():
        square = column(geometry.chord(distance_m) ** 2)
        assert geometry.lengths(square)[0] == pytest.approx(distance_m, rel=1e-9)


def test_nothing_is_farther_than_the_antipodes():
    assert SPHERE.chord(np.pi * SPHERE.radius_m * 1.0001) == np.inf
    assert SPHERE.chord(2.0e7) < 2 * SPHERE.radius_m
    assert MERCATOR.chord(1e9) == 1e9


def test_a_unit_of_mercator_is_the_cosine_of_the_latitude_on_the_ground():
    lat = np.array([0.0, 39.9, 46.5])
    np.testing.assert_allclose(MERCATOR.ground_scale(lat), np.cos(np.radians(lat)))
    assert MERCATOR.ground_scale(lat)[1:].round(3).tolist() == [0.767, 0.688]
    assert SPHERE.ground_scale(lat).tolist() == [1.0, 1.0, 1.0]


# — moving —


def moved(geometry, lat, lon, east_m, north_m, scale=1.0):
    points = geometry.to_points(column(lat), column(lon))
    directions = geometry.directions(points, column(east_m), column(north_m))
    back = geometry.to_degrees(geometry.travel(points, directions, scale))
    return float(back[0][0]), float(back[1][0])


@pytest.mark.parametrize(("lat", "lon"), [*PLACES, (90.0, 0.0), (-90.0, 0.0)])
@pytest.mark.parametrize("far_m", [0.01, 1.0, 500.0, 1e5, 1e7])
def test_a_move_on_the_sphere_is_as_long_as_haversine_says(lat, lon, far_m):
    for east, north in ((1, 0), (0, 1), (-0.6, 0.8)):
        there = moved(SPHERE, lat, lon, far_m * east, far_m * north)
        went = oracles.haversine(lat, lon, *there)
        assert went == pytest.approx(far_m, rel=1e-9, abs=5e-9)


@pytest.mark.parametrize(("lat", "lon"), PLACES)
def test_east_leads_east_and_north_leads_north(lat, lon):
    east, north = moved(SPHERE, lat, lon, 100.0, 0.0), moved(SPHERE, lat, lon, 0.0, 100.0)
    assert wrap(column(east[1] - lon))[0] > 0
    assert east[0] == pytest.approx(lat, abs=1e-6 + 1e-4 * abs(np.tan(np.radians(lat))))
    assert north[0] > lat
    assert wrap(column(north[1] - lon))[0] == pytest.approx(0.0, abs=1e-9)


def test_a_move_over_the_pole_comes_down_on_the_other_side():
    lat, lon = moved(SPHERE, 89.9999, 10.0, 0.0, 100.0)
    assert lat < 90.0
    assert lon == pytest.approx(-170.0, abs=1e-6)


@pytest.mark.parametrize(("lat", "lon"), PLACES)
def test_a_move_in_mercator_is_straight_in_its_units(lat, lon):
    points = MERCATOR.to_points(column(lat), column(lon))
    directions = MERCATOR.directions(points, column(30.0), column(40.0))
    there = MERCATOR.travel(points, directions, 2.0)
    assert [float(b[0] - a[0]) for a, b in zip(points, there, strict=True)] == pytest.approx(
        [60.0, 80.0, 0.0], abs=1e-7
    )


@both
def test_a_move_is_the_same_at_every_longitude(geometry):
    rng = np.random.default_rng(62)
    east, north = rng.normal(0, 500, (2, 50))
    lat = rng.uniform(-80, 80, 50)
    there = []
    for lon in (0.0, 179.999, -180.0, 33.3):
        points = geometry.to_points(lat, np.full(50, lon))
        moves = geometry.directions(points, east, north)
        back = geometry.to_degrees(geometry.travel(points, moves))
        there.append((back[0], wrap(back[1] - lon)))
    for other in there[1:]:
        np.testing.assert_allclose(other, there[0], atol=1e-9)


@both
def test_moving_leaves_the_points_alone(geometry):
    kinds = tuple(kind for kind in KINDS if kind != "empty")
    for trace in random_traces(63, 20, kinds=kinds, geometry=geometry):
        before = [c.copy() for c in trace.points]
        ones = np.ones(len(trace))
        geometry.travel(trace.points, geometry.directions(trace.points, ones, ones))
        for kept, now in zip(before, trace.points, strict=True):
            np.testing.assert_array_equal(kept, now)


# — vectors and names —


def test_both_geometries_have_the_same_vectors_for_cells():
    lat, lon = np.array([39.9, -17.0]), np.array([116.4, 179.9])
    mine, theirs = (
        np.stack(g.vectors(g.to_points(lat, lon))) / SPHERE.radius_m for g in (SPHERE, MERCATOR)
    )
    np.testing.assert_allclose(theirs, mine, atol=1e-14)


@both
def test_a_geometry_is_known_by_its_name_and_survives_copying(geometry):
    assert geometry_named(str(geometry)) is geometry
    assert geometry_named(geometry) is geometry
    assert pickle.loads(pickle.dumps(geometry)) is geometry
    assert copy.deepcopy(geometry) is geometry


def test_an_unknown_geometry_is_refused_with_the_known_names():
    with pytest.raises(UnknownNameError, match=r"flat.*sphere.*mercator|flat.*mercator.*sphere"):
        geometry_named("flat")
