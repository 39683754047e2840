from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammaincinv

import oracles
from alp.geo import SPHERE
from alp.kernels.laplace import (
    tangents,
    travel,
    unit_displacements,
    unit_displacements_by_inverse,
)
from strategies import KINDS, random_traces

R = SPHERE.radius_m
FILLED = tuple(kind for kind in KINDS if kind != "empty")


@pytest.fixture(scope="module")
def noise():
    """Return 100,000 unit displacements."""
    return unit_displacements(np.random.default_rng(51).random((3, 100_000)))


def test_displacements_follow_from_the_uniforms_by_their_formula():
    uniforms = np.random.default_rng(1).random((3, 1000))
    east, north = unit_displacements(uniforms)
    radius, angle = -np.log((1 - uniforms[0]) * (1 - uniforms[1])), 2 * np.pi * uniforms[2]
    np.testing.assert_allclose(east, radius * np.cos(angle), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(north, radius * np.sin(angle), rtol=1e-9, atol=1e-12)


def test_the_radius_is_gamma_of_shape_two_and_the_angle_uniform(noise):
    radius, angle = np.hypot(*noise), np.arctan2(noise[1], noise[0])
    assert stats.kstest(radius, stats.gamma(2).cdf).pvalue > 0.01
    assert stats.kstest(angle, stats.uniform(-np.pi, 2 * np.pi).cdf).pvalue > 0.01


def test_the_moments_of_the_radius_are_those_of_planar_laplace(noise):
    radius = np.hypot(*noise)
    assert radius.mean() == pytest.approx(2.0, abs=4 * np.sqrt(2 / len(radius)))
    assert np.median(radius) == pytest.approx(1.678347, rel=0.02)
    assert np.quantile(radius, 0.95) == pytest.approx(4.743865, rel=0.02)
    assert np.var(noise[0]) == pytest.approx(3.0, rel=0.03)


def test_both_ends_of_the_uniforms_give_finite_radii_that_keep_their_digits():
    ends = np.array([[0.0, 1e-300, 1 - 2**-53], [0.0, 0.0, 1 - 2**-53], [0.0, 0.0, 0.0]])
    east, north = unit_displacements(ends)
    assert east.tolist() == pytest.approx([0.0, 1e-300, 106 * np.log(2)], abs=0.0)
    assert not north.any()


def test_tangents_are_level_and_as_long_as_the_displacement():
    rng = np.random.default_rng(52)
    for trace in random_traces(52, 200, kinds=FILLED):
        east, north = rng.normal(0, 300, (2, len(trace)))
        v = oracles.rows(tangents(*trace.points, east, north, R))
        p = oracles.rows(trace.points)
        np.testing.assert_allclose(np.linalg.norm(v, axis=1), np.hypot(east, north), rtol=1e-9)
        np.testing.assert_allclose(np.sum(v * p, axis=1) / R, 0.0, atol=1e-9)
        assert (np.sign(v[:, 2]) == np.sign(north))[np.abs(trace.lat) < 89.99].all()


@pytest.mark.parametrize("far_m", [1e-3, 1.0, 500.0, 126_000.0, 128_000.0, 1e6, 5e6, 19e6])
def test_travel_goes_as_far_as_the_tangent_says_and_stays_on_the_sphere(far_m):
    rng = np.random.default_rng(53)
    for trace in random_traces(53, 100, kinds=FILLED):
        angle = rng.uniform(0, 2 * np.pi, len(trace))
        v = tangents(*trace.points, np.cos(angle), np.sin(angle), R)
        there = oracles.rows(travel(*trace.points, *v, far_m, R))
        went = oracles.distance("sphere", there, oracles.rows(trace.points))
        np.testing.assert_allclose(went, far_m, rtol=1e-9, atol=5e-9)
        np.testing.assert_allclose(np.linalg.norm(there, axis=1), R, rtol=1e-14)


def test_travel_follows_the_great_circle_to_its_end():
    rng = np.random.default_rng(54)
    a, b = (oracles.vectors("sphere", *rng.uniform(-80, 80, (2, 50))) for _ in range(2))
    whole = oracles.distance("sphere", a, b)
    toward = b - a * (np.sum(a * b, axis=1) / R**2)[:, None]
    toward *= (whole / np.linalg.norm(toward, axis=1))[:, None]
    there = oracles.rows(travel(*a.T.copy(), *toward.T.copy(), 1.0, R))
    np.testing.assert_allclose(there, b, rtol=0, atol=1e-5)


def test_the_series_and_the_functions_meet(make_stay):
    home = make_stay(minutes=1).points
    v = tangents(*home, np.ones(len(home[0])), np.zeros(len(home[0])), R)
    near, far = (
        oracles.rows(travel(*home, *v, 0.02 * R * (1 + change), R)) for change in (-1e-12, 1e-12)
    )
    assert oracles.distance("sphere", near, far).max() < 1e-6


def test_no_displacement_moves_nothing():
    for trace in random_traces(5, 40):
        zero = np.zeros(len(trace))
        there = travel(*trace.points, *tangents(*trace.points, zero, zero, R), 1.0, R)
        for mine, theirs in zip(there, trace.points, strict=True):
            np.testing.assert_array_equal(mine, theirs)


def test_the_inverse_of_the_distribution_is_scipys_to_the_last_digits():
    half = np.geomspace(1e-15, 0.5, 400)
    p = np.concatenate([[0.0, 1e-300, 1e-18], half, 1 - half])
    east, north = unit_displacements_by_inverse(np.array([p, np.zeros_like(p)]))
    np.testing.assert_allclose(east, gammaincinv(2, p), rtol=1e-9, atol=1e-150)
    assert not north.any()
