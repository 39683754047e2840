from itertools import product

import numpy as np
import pytest

from alp.params import Dimension, Space
from alp.search.auto import Auto
from alp.search.grid import Grid

RNG = np.random.default_rng(0)


def space_of(*sizes, private="low"):
    return Space(tuple(Dimension(f"p{k}", tuple(range(n)), private) for k, n in enumerate(sizes)))


def test_the_grid_visits_every_state_once():
    states = [step.state for step in Grid().explore(space_of(3, 4), lambda s: 1.0, RNG)]
    assert states == list(product(range(3), range(4)))


@pytest.mark.parametrize(("private", "expected"), [("low", (0, 0)), ("high", (2, 3))])
def test_ties_go_to_the_more_private_state(private, expected):
    space = space_of(3, 4, private=private)
    steps = list(Grid().explore(space, lambda s: 1.0, RNG))
    assert Grid().choose(steps, space).state == expected


def test_auto_is_exact_up_to_its_limit():
    rng = np.random.default_rng(1)
    costs = rng.random(500)
    space = space_of(500)
    steps = list(Auto().explore(space, lambda s: costs[s[0]], rng))
    assert len(steps) == 500
    assert Auto().choose(steps, space).state == (int(np.argmin(costs)),)


def test_auto_descends_to_the_bottom_of_a_large_smooth_space():
    space = space_of(60, 60)

    def bowl(state):
        return 0.1 + (state[0] - 17) ** 2 / 3600 + (state[1] - 44) ** 2 / 3600

    for seed in range(20):
        rng = np.random.default_rng(seed)
        steps = list(Auto().explore(space, bowl, rng))
        assert len(steps) < space.size / 4
        assert Auto().choose(steps, space).state == (17, 44)


def test_an_empty_space_has_one_state():
    steps = list(Auto().explore(Space(()), lambda s: 0.5, RNG))
    assert [step.state for step in steps] == [()]
