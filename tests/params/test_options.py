from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
import pytest

from alp.errors import AlpError, ParameterError, UnknownNameError
from alp.params import (
    Interval,
    Linear,
    Option,
    build,
    check,
    declared,
    describe_options,
    parse_spec,
)
from alp.params.options import spec_of


@dataclass(frozen=True, kw_only=True)
class Sieve:
    """A plug-in with a field of each kind."""

    name = "sieve"

    width: Annotated[float, Linear(1, 9, 2, unit="m", help="Mesh.", allowed=Interval(0))] = 3.0
    layers: Annotated[int, Option("How many.", allowed=Interval(1, 9))] = 1
    wet: Annotated[bool, Option("Under water.")] = False
    shape: Annotated[Literal["round", "square"], Option("Of the mesh.")] = "round"
    limit: Annotated[float | None, Option("Heaviest stone.", "kg", Interval(0))] = None
    label: str = "plain"

    def __post_init__(self):
        check(self)


# — declared —


def test_fields_are_declared_in_order_with_type_default_and_meaning():
    fields = declared(Sieve)
    assert [field.name for field in fields] == [
        "width",
        "layers",
        "wet",
        "shape",
        "limit",
        "label",
    ]
    assert fields[0].type is float
    assert fields[0].default == 3.0
    assert isinstance(fields[0].about, Linear)
    assert fields[5].about == Option()


def test_a_plain_class_cannot_declare_options():
    class Plain:
        pass

    with pytest.raises(ParameterError, match="Plain must be a dataclass"):
        declared(Plain)


def test_a_description_has_a_row_for_each_field():
    rows = {row["name"]: row for row in describe_options(Sieve)}
    assert rows["width"]["tuned"]
    assert rows["width"]["domain"] == "linear(1,9,2)"
    assert rows["width"]["unit"] == "m"
    assert rows["shape"]["domain"] == "round|square"
    assert rows["limit"]["default"] is None
    assert rows["wet"]["help"] == "Under water."


# — text —


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("geo-i", ("geo-i", {})),
        ("geo-i()", ("geo-i", {})),
        ("area-coverage(level=15)", ("area-coverage", {"level": "15"})),
        (" a ( b = c , d=e=f ,) ", ("a", {"b": "c", "d": "e=f"})),
    ],
)
def test_a_name_with_options_is_split(text, spec):
    assert parse_spec(text) == spec


@pytest.mark.parametrize("text", ["", "a(b=c", "a)b=c(", "a(b)", "a b", "=3", "(x=1)"])
def test_what_is_no_name_with_options_is_quoted(text):
    with pytest.raises(
        ParameterError, match=r"is not of the form (name\(option=value,…\)|option=)"
    ):
        parse_spec(text)


@pytest.mark.parametrize(
    ("options", "field", "value"),
    [
        ({"width": "2.5"}, "width", 2.5),
        ({"width": "1e-3"}, "width", 0.001),
        ({"width": 4}, "width", 4),
        ({"layers": "3"}, "layers", 3),
        ({"wet": "yes"}, "wet", True),
        ({"wet": "False"}, "wet", False),
        ({"wet": "0"}, "wet", False),
        ({"shape": "square"}, "shape", "square"),
        ({"limit": "2"}, "limit", 2.0),
        ({"limit": "None"}, "limit", None),
        ({"label": "3"}, "label", "3"),
    ],
)
def test_options_are_read_as_their_fields_want_them(options, field, value):
    read = getattr(build(Sieve, options), field)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize("number", [np.int64(2), np.float32(2), np.float64(2)])
def test_a_number_of_numpy_becomes_one_of_python(number):
    assert type(build(Sieve, {"width": number}).width) in (int, float)
    assert Sieve(width=number).width == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"width": "wide"}, "width of sieve must be a number, but 'wide' was given"),
        ({"width": "-1"}, "width of sieve must be a number of at least 0 m, but -1.0 was given"),
        ({"width": "nan"}, "must be a number of at least 0 m, but nan was given"),
        ({"layers": "2.5"}, "layers of sieve must be a whole number, but '2.5' was given"),
        ({"layers": "10"}, "layers of sieve must be a number from 1 to 9, but 10 was given"),
        ({"wet": "maybe"}, "wet of sieve must be true or false, but 'maybe' was given"),
        ({"shape": "sqare"}, "shape of sieve is named 'sqare'; did you mean 'square'"),
        ({"limit": "-3"}, "limit of sieve must be a number of at least 0 kg, but -3.0 was given"),
        ({"limit": "much"}, "limit of sieve must be a number or none, but 'much' was given"),
        ({"widht": "3"}, "no option of sieve is named 'widht'; did you mean 'width'"),
        ({"xyz": "3"}, r"named 'xyz' \(known: label, layers, limit, shape, wet, width\)"),
    ],
)
def test_an_option_that_cannot_be_is_told_with_rule_and_value(options, words):
    with pytest.raises(AlpError, match=words):
        build(Sieve, options)


def test_an_unknown_option_is_an_unknown_name():
    with pytest.raises(UnknownNameError):
        build(Sieve, {"depth": "3"})


# — objects made in Python —


@pytest.mark.parametrize(
    "fields",
    [
        {"width": None},
        {"width": "3.0"},
        {"width": True},
        {"layers": 2.0},
        {"layers": 1.0},
        {"layers": "1"},
        {"wet": "no"},
        {"wet": 1},
        {"wet": 0},
        {"shape": None},
        {"limit": "none"},
        {"label": 3},
    ],
    ids=str,
)
def test_a_field_of_the_wrong_type_is_refused_even_if_it_equals_the_default(fields):
    with pytest.raises(AlpError, match=f"{next(iter(fields))} of sieve"):
        Sieve(**fields)


def test_the_text_of_an_object_builds_it_again():
    for made in (Sieve(), Sieve(width=2.5, wet=True), Sieve(shape="square", limit=1.0, layers=2)):
        name, options = parse_spec(spec_of(made))
        assert name == "sieve"
        assert build(Sieve, options) == made
    assert spec_of(Sieve(width=3.0)) == "sieve"
