"""The noise is planar Laplace on the ground, and what is released lies on one grid.

Seeds are fixed. A statistical bound is four standard errors wide or has p > 0.001: with a fresh
seed, each would fail less than once in a thousand runs though nothing is wrong.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammaincinv, lambertw

import oracles
from alp.errors import ParameterError
from alp.kernels.laplace import unit_displacements
from alp.mechanisms.geo_indistinguishability import GeoIndistinguishability
from alp.trace import Trace
from strategies import random_traces

N = 100_000
EPSILON = 0.01
PLACES = [(0.0, 0.0), (45.0, 7.0), (70.0, 180.0), (-70.0, -0.0001)]


def at(place, count=N, geometry="sphere"):
    """Return a trace of `count` records in one place."""
    lat, lon = (np.full(count, value) for value in place)
    return Trace("u", np.arange(count) * 1_000_000, lat, lon, geometry=geometry)


def radius_and_bearing(real, protected):
    """Return ground metres and the angle from north, from degrees alone."""
    radius_m = oracles.haversine(real.lat, real.lon, protected.lat, protected.lon)
    phi, there, turn = np.radians([real.lat, protected.lat, protected.lon - real.lon])
    east = np.sin(turn) * np.cos(there)
    north = np.cos(phi) * np.sin(there) - np.sin(phi) * np.cos(there) * np.cos(turn)
    return radius_m, np.arctan2(east, north)


def lambert_radius(p):
    return -(lambertw((p - 1) / np.e, -1).real + 1)


@pytest.fixture(scope="module", params=PLACES, ids=str)
def sample(request):
    """Return a place's trace with the same draws unrounded and released."""
    trace, mechanism = at(request.param), GeoIndistinguishability(epsilon=EPSILON)
    bare = mechanism.apply(trace, mechanism.draw(trace, np.random.default_rng(3)))
    return trace, bare, mechanism.protect(trace, np.random.default_rng(3))


# — the law of the noise —


def test_the_radius_on_the_ground_is_gamma_of_shape_two(sample):
    for protected in sample[1:]:
        radius_m, _ = radius_and_bearing(sample[0], protected)
        assert stats.kstest(radius_m, stats.gamma(2, scale=1 / EPSILON).cdf).pvalue > 1e-3


def test_the_angle_on_the_ground_is_uniform_and_tells_nothing_of_the_radius(sample):
    for protected in sample[1:]:
        radius_m, angle = radius_and_bearing(sample[0], protected)
        assert stats.kstest(angle, stats.uniform(-np.pi, 2 * np.pi).cdf).pvalue > 1e-3
        for axis in (np.sin, np.cos):
            assert abs(np.corrcoef(radius_m, axis(angle))[0, 1]) < 4 / np.sqrt(N)


def test_the_mean_displacement_is_two_over_epsilon(sample):
    for protected in sample[1:]:
        radius_m, _ = radius_and_bearing(sample[0], protected)
        assert abs(radius_m.mean() * EPSILON - 2) < 4 * np.sqrt(2 / N)


def test_the_deviation_east_to_west_equals_that_north_to_south(sample):
    for protected in sample[1:]:
        radius_m, angle = radius_and_bearing(sample[0], protected)
        for axis in (np.sin, np.cos):  # the standard error of a deviation is 1/√n of it here
            deviation = np.std(radius_m * axis(angle)) * EPSILON / np.sqrt(3)
            assert abs(deviation - 1) < 4 / np.sqrt(N)


def test_rounding_moves_no_place_by_more_than_half_a_step(sample):
    _, bare, released = sample
    assert np.abs(bare.lat - released.lat).max() <= 0.5e-6 + 1e-12
    apart_m = oracles.haversine(bare.lat, bare.lon, released.lat, released.lon)
    assert apart_m.max() < 0.08


def test_two_logarithms_give_the_radius_of_the_inverse_distribution_function():
    rng = np.random.default_rng(5)
    two_logs = np.hypot(*unit_displacements(rng.random((3, N))))
    for inverse in (lambda p: gammaincinv(2, p), lambert_radius):
        assert stats.ks_2samp(two_logs, inverse(rng.random(N))).pvalue > 1e-3


def test_the_lambert_form_is_the_inverse_of_the_gamma_distribution():
    p = np.concatenate([np.geomspace(1e-6, 0.5, 500), 1 - np.geomspace(0.5, 1e-15, 500)])
    np.testing.assert_allclose(lambert_radius(p), gammaincinv(2, p), rtol=1e-8)
    assert gammaincinv(2, 0.5) == pytest.approx(1.678347, abs=1e-6)
    assert gammaincinv(2, 0.95) == pytest.approx(4.743865, abs=1e-6)


def test_the_mean_of_k_noisy_copies_comes_as_near_as_the_law_of_averages_says():
    k, trials = 960, 500
    trace = at((45.0, 7.0), k * trials)
    protected = GeoIndistinguishability(epsilon=EPSILON).protect(trace, np.random.default_rng(8))
    radius_m, angle = radius_and_bearing(trace, protected)
    east, north = ((radius_m * f(angle)).reshape(trials, k).mean(axis=1) for f in (np.sin, np.cos))
    expected_m = np.sqrt(np.pi / 2) * np.sqrt(3 / k) / EPSILON
    assert expected_m == pytest.approx(7.0, abs=0.01)
    spread = np.sqrt(4 / np.pi - 1)  # of a Rayleigh variable, relative to its mean
    assert abs(np.hypot(east, north).mean() / expected_m - 1) < 4 * spread / np.sqrt(trials)


# — draws shared between values of ε —


@pytest.mark.parametrize("epsilon", [1e-5, 1e-4, 1e-3, 0.01, 0.1])
def test_with_equal_draws_displacement_times_epsilon_is_the_same(epsilon):
    trace, unit = at((45.0, 7.0), 2000), GeoIndistinguishability(epsilon=1.0)
    draws = unit.draw(trace, np.random.default_rng(4))
    wanted_m = np.linalg.norm(oracles.rows(draws), axis=1) / epsilon
    moved = GeoIndistinguishability(epsilon=epsilon).apply(trace, draws)
    went_m = oracles.distance("sphere", *(oracles.rows(t.points) for t in (moved, trace)))
    # The columns hold the Earth's radius to a nanometre, which is the limit for short ways.
    np.testing.assert_allclose(went_m, wanted_m, rtol=1e-12, atol=3e-9)


def test_in_the_authors_plane_displacement_times_epsilon_is_the_same():
    trace = at((45.0, 7.0), 2000, "mercator")
    draws = GeoIndistinguishability().draw(trace, np.random.default_rng(4))
    for epsilon in (1e-5, 0.01, 0.1):
        moved = GeoIndistinguishability(epsilon=epsilon).apply(trace, draws)
        for mine, theirs, draw in zip(moved.points, trace.points, draws, strict=True):
            np.testing.assert_allclose((mine - theirs) * epsilon, draw, rtol=1e-12, atol=1e-9)


# — what is released —


def assert_on_grid(trace, digits):
    for column in (trace.lat, trace.lon):
        np.testing.assert_array_equal(np.rint(column * 10.0**digits) / 10.0**digits, column)
    assert (np.abs(trace.lat) <= 90).all()
    assert (trace.lon >= -180).all()
    assert (trace.lon < 180).all()


@pytest.mark.parametrize("lat", [-90, -89.9999995, -70, -1e-7, 0, 33.3, 45, 89.99999, 90])
def test_released_places_lie_on_the_grid_of_a_millionth_of_a_degree(lat):
    for lon in (-180.0, -179.9999999, -1e-7, 0.0, 1e-9, 7.1234567, 179.9999999):
        trace = at((lat, lon), 200)
        for epsilon in (0.001, 0.1, 1e4):
            released = GeoIndistinguishability(epsilon=epsilon).protect(
                trace, np.random.default_rng(6)
            )
            assert_on_grid(released, 6)


@pytest.mark.parametrize("digits", [0, 3, 5, 9])
def test_digits_choose_the_grid(digits):
    for place in PLACES:
        mechanism = GeoIndistinguishability(epsilon=EPSILON, digits=digits)
        released = mechanism.protect(at(place, 500), np.random.default_rng(6))
        assert_on_grid(released, digits)
        if digits > 0:
            assert (np.rint(released.lat * 10.0**digits) % 10 != 0).any()


def test_times_users_and_kept_columns_stay():
    speed = np.arange(5.0)
    trace = Trace("ada", np.arange(5), np.zeros(5), np.zeros(5), extra={"speed": speed})
    released = GeoIndistinguishability().protect(trace, np.random.default_rng(0))
    assert released.user == "ada"
    np.testing.assert_array_equal(released.time_us, trace.time_us)
    np.testing.assert_array_equal(released.extra["speed"], speed)


def test_records_of_one_place_get_noise_of_their_own():
    released = GeoIndistinguishability().protect(at(PLACES[1], 1000), np.random.default_rng(1))
    assert len(set(zip(released.lat, released.lon, strict=True))) > 990


# — what is promised —


def test_epsilon_is_per_ground_metre_in_either_geometry():
    mechanism = GeoIndistinguishability(epsilon=EPSILON)
    for trace in random_traces(9, 50):
        assert mechanism.epsilon_per_m(trace) == EPSILON
    plane = at((60.0, 10.0), 3, "mercator")
    assert mechanism.epsilon_per_m(plane) == pytest.approx(2 * EPSILON)
    assert mechanism.epsilon_per_m(plane.select(slice(0))) == EPSILON


def test_in_the_authors_plane_noise_is_shorter_on_the_ground_by_the_cosine():
    trace = at((60.0, 10.0), N, "mercator")
    released = GeoIndistinguishability(epsilon=EPSILON).protect(trace, np.random.default_rng(2))
    radius_m, _ = radius_and_bearing(trace, released)
    assert radius_m.mean() * EPSILON == pytest.approx(1.0, rel=0.02)


@pytest.mark.parametrize("epsilon", [0, -1, 1e-200, float("nan"), float("inf"), "much", None])
def test_an_epsilon_without_meaning_is_refused(epsilon):
    with pytest.raises(ParameterError, match=r"epsilon of geo-i must be a number .* was given"):
        GeoIndistinguishability(epsilon=epsilon)


@pytest.mark.parametrize("digits", [-1, 10, 2.5, 6.0])
def test_digits_without_meaning_are_refused(digits):
    with pytest.raises(ParameterError, match="digits of geo-i"):
        GeoIndistinguishability(digits=digits)
