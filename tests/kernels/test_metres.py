from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alp.geo import SPHERE
from alp.kernels.metres import ground_lengths

R = SPHERE.radius_m
HALF_WAY = np.pi * R


def square_of(arc_m):
    return (2 * R * np.sin(np.asarray(arc_m) / (2 * R))) ** 2


def test_arcs_of_every_size_come_back_from_their_chords():
    arcs = np.append(np.geomspace(1e-6, 0.999 * HALF_WAY, 10_000), 500_000.0)
    np.testing.assert_allclose(ground_lengths(square_of(arcs), R), arcs, rtol=1e-9)


@given(st.floats(0, 20_000_000))
def test_any_arc_comes_back_from_its_chord(arc_m):
    assert ground_lengths(np.array([square_of(arc_m)]), R)[0] == pytest.approx(arc_m, rel=1e-9)


def test_half_the_circumference_is_the_longest_arc_even_when_a_chord_is_rounded_up():
    squares = np.array([4 * R * R, 4 * R * R * (1 + 1e-12)])
    np.testing.assert_allclose(ground_lengths(squares, R), HALF_WAY, rtol=1e-12)


def test_longer_chords_have_longer_arcs_across_the_change_of_formula():
    chords = 500_000.0 + np.linspace(-1.0, 1.0, 2001)
    arcs = ground_lengths(chords**2, R)
    np.testing.assert_allclose(np.diff(arcs), 1e-3, rtol=0.2)


def test_on_a_plane_the_length_is_the_root_however_far():
    squares = np.array([0.0, 1e-12, 4.0, 1e14, 1.6e15])
    np.testing.assert_array_equal(ground_lengths(squares, 0.0), np.sqrt(squares))


def test_no_distances_have_no_lengths():
    assert ground_lengths(np.empty(0), R).shape == (0,)
