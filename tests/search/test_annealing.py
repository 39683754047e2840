import numpy as np
import pytest

from alp.errors import AlpError
from alp.params import Dimension, Space
from alp.search import search_named
from alp.search.annealing import Annealing, acceptance, neighbour, window


def space_of(*sizes, private="low"):
    return Space(tuple(Dimension(f"p{k}", tuple(range(n)), private) for k, n in enumerate(sizes)))


def window_without(size, index):
    low, width = window(size, index)
    return [j for j in range(low, low + width) if j != index]


@pytest.mark.parametrize(
    ("size", "index", "expected"),
    [
        (5, 0, [1, 2]),
        (5, 1, [0, 2]),
        (5, 2, [1, 3]),
        (5, 4, [2, 3]),
        (4, 0, [1, 2]),
        (4, 1, [0, 2]),
        (4, 2, [1, 3]),
        (4, 3, [1, 2]),
        (6, 5, [3, 4]),
        (2, 0, [1]),
        (2, 1, [0]),
        (1, 0, []),
        (101, 50, [j for j in range(25, 76) if j != 50]),
    ],
)
def test_the_window_is_half_the_domain_shifted_at_its_ends(size, index, expected):
    assert window_without(size, index) == expected


@pytest.mark.parametrize(
    ("temperature", "difference", "expected"),
    [(1.0, 0.1, 0.4750), (0.1, 0.1, 0.2689), (0.01, 0.1, 4.54e-5), (0.5, 0.0, 0.5)],
)
def test_acceptance_is_that_of_algorithm_2(temperature, difference, expected):
    chance = acceptance(0.3, 0.3 + difference, temperature, 2)
    assert chance == pytest.approx(expected, rel=1e-3)


def test_a_better_state_is_always_accepted_and_a_hopeless_one_never():
    assert acceptance(0.5, 0.4, 1e-5, 1) == 1.0
    assert 0.0 < acceptance(0.0, 1e9, 1e-5, 1) < 1e-300


def test_there_are_110_steps_after_the_first_state():
    steps = list(Annealing().explore(space_of(101), lambda s: 1.0, np.random.default_rng(0)))
    assert len(steps) == 111


def test_it_stops_at_cost_0():
    steps = list(Annealing().explore(space_of(101), lambda s: 0.0, np.random.default_rng(0)))
    assert len(steps) == 1


def test_a_single_state_is_looked_at_once():
    steps = list(Annealing().explore(space_of(1, 1), lambda s: 1.0, np.random.default_rng(0)))
    assert [step.state for step in steps] == [(0, 0)]


def test_a_neighbour_differs_in_one_parameter_and_leaves_the_state_alone():
    rng, state = np.random.default_rng(1), (3, 2, 0)
    for _ in range(200):
        other = neighbour(state, [9, 5, 1], [0, 1], rng)
        assert sum(a != b for a, b in zip(state, other, strict=True)) == 1
        assert other[2] == 0
    assert state == (3, 2, 0)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 41])
def test_every_value_can_be_reached(size):
    reached, rng = {0}, np.random.default_rng(2)
    state = (0,)
    for _ in range(60 * size):
        state = neighbour(state, [size], [0], rng)
        reached.add(state[0])
    assert reached == set(range(size))


def optimum_share(size, choose, seeds=300):
    space, target = space_of(size), min(range(size), key=lambda i: (i / (size - 1) - 0.37) ** 2)
    search, found = Annealing(keep=choose), 0
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        steps = list(
            search.explore(space, lambda s: 0.01 + 2 * (s[0] / (size - 1) - 0.37) ** 2, rng)
        )
        found += search.choose(steps, space).state == (target,)
    return found / seeds


@pytest.mark.parametrize(("size", "least"), [(41, 0.95), (101, 0.80)])
def test_the_best_state_is_most_often_the_optimum(size, least):
    assert optimum_share(size, "best") >= least


def test_the_last_state_is_the_optimum_less_often_than_the_best_one_seen():
    assert 0.5 <= optimum_share(101, "last") < optimum_share(101, "best")


def test_the_best_is_at_most_any_visited_and_ties_go_to_the_more_private():
    space = space_of(41, private="high")
    search = Annealing()
    steps = list(search.explore(space, lambda s: 1.0, np.random.default_rng(3)))
    assert search.choose(steps, space).state == max(step.state for step in steps)


def test_the_same_seed_gives_the_same_path():
    def path(seed):
        rng = np.random.default_rng(seed)
        return list(Annealing().explore(space_of(41, 7), lambda s: s[0] + s[1] + 1.0, rng))

    assert path(5) == path(5)
    assert path(5) != path(6)


def test_its_schedule_can_be_chosen_by_name_and_is_checked():
    assert search_named("annealing(rate=0.5,keep=last)") == Annealing(rate=0.5, keep="last")
    with pytest.raises(AlpError, match="rate of annealing must be"):
        search_named("annealing(rate=0)")
    with pytest.raises(AlpError, match="did you mean 'annealing'"):
        search_named("anealing")
