from __future__ import annotations

import pickle
from importlib.metadata import EntryPoint

import pytest

from alp import registry as module
from alp.errors import AlpError, UnknownNameError
from alp.registry import Registry


class Apple:
    pass


class Pear:
    pass


@pytest.fixture
def fruits():
    """Return a registry with two names."""
    registry = Registry("fruit")
    registry.register("pear")(Pear)
    registry.register("apple")(Apple)
    return registry


def test_a_class_is_known_by_its_name_and_knows_it(fruits):
    assert fruits["apple"] is Apple
    assert Apple.name == "apple"
    assert "apple" in fruits
    assert "plum" not in fruits


def test_names_come_in_alphabetical_order(fruits):
    assert list(fruits) == ["apple", "pear"]


def test_an_unknown_name_lists_the_known_ones_and_the_nearest(fruits):
    with pytest.raises(UnknownNameError, match=r"no fruit is named 'aple'; did you mean 'apple'"):
        fruits["aple"]
    with pytest.raises(UnknownNameError, match=r"named 'xyz' \(known: apple, pear\)"):
        fruits["xyz"]
    with pytest.raises(UnknownNameError, match=r"\(known: none\)"):
        Registry("nut")["hazel"]


def test_an_unknown_name_can_be_sent_home_by_a_worker(fruits):
    with pytest.raises(UnknownNameError) as caught:
        fruits["aple"]
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_two_classes_cannot_share_a_name_but_one_may_come_again(fruits):
    with pytest.raises(AlpError, match=r"two fruits are named 'apple': Apple .* and Pear"):
        fruits.register("apple")(Pear)
    assert fruits["apple"] is Apple
    assert fruits.register("apple")(Apple) is Apple


def test_entry_points_of_other_packages_are_loaded_when_first_asked_for(monkeypatch):
    registry = Registry("fruit", entry_point_group="alp.fruits")
    loaded = []

    class Announced:
        name, value = "plum", "orchard:Plum"

        def load(self):
            loaded.append(self.name)
            registry.register("plum")(Pear)

    monkeypatch.setattr(
        module, "entry_points", lambda group: [Announced()] * (group == "alp.fruits")
    )
    assert loaded == []
    assert list(registry) == ["plum"]
    assert registry["plum"] is Pear
    assert loaded == ["plum"]


def test_an_entry_point_that_cannot_be_loaded_is_named(monkeypatch):
    broken = EntryPoint("plum", "no_such_module:Plum", "alp.fruits")
    monkeypatch.setattr(module, "entry_points", lambda group: [broken])
    with pytest.raises(AlpError, match="the fruit 'plum' of no_such_module:Plum cannot be loaded"):
        list(Registry("fruit", entry_point_group="alp.fruits"))
