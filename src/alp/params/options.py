"""Options of plug-ins: the annotated fields of a dataclass, read from text and checked."""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from numbers import Integral, Number, Real
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from alp.errors import ParameterError, UnknownNameError
from alp.params.domains import ANYTHING, Domain, Interval

T = TypeVar("T")


@dataclass(frozen=True)
class Option:
    """What a person needs to know about a field that is chosen, not tuned."""

    help: str = ""
    unit: str = ""
    allowed: Interval = ANYTHING

    def check(self, name: str, owner: str, value: object) -> None:
        """Raise if a number makes no sense for the option."""
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        if is_number and value not in self.allowed:
            unit = f" {self.unit}" if self.unit else ""
            raise ParameterError(
                f"{name} of {owner} must be {self.allowed}{unit}, but {value!r} was given"
            )


@dataclass(frozen=True)
class Declared:
    """One field of a plug-in: its type, default, and its domain or option."""

    name: str
    type: Any
    default: Any
    about: Domain | Option


def declared(cls: type) -> tuple[Declared, ...]:
    """Return the fields that a plug-in class declares, in order."""
    found = _CACHE.get(cls)
    if found is None:
        found = _CACHE[cls] = tuple(_declared(cls))
    return found


_CACHE: dict[type, tuple[Declared, ...]] = {}


def _declared(cls: type) -> Iterator[Declared]:
    if not dataclasses.is_dataclass(cls):
        raise ParameterError(f"{cls.__qualname__} must be a dataclass: its fields are its options")
    hints = get_type_hints(cls, include_extras=True)
    for field in dataclasses.fields(cls):
        hint = hints[field.name]
        about: Domain | Option = Option()
        if get_origin(hint) is Annotated:
            hint, *notes = get_args(hint)
            about = next((note for note in notes if isinstance(note, Domain | Option)), about)
        yield Declared(field.name, hint, field.default, about)


def check(plugin: object) -> None:
    """Raise if any field of a plug-in holds what it must not."""
    cls = type(plugin)
    for field in declared(cls):
        value = getattr(plugin, field.name)
        owner = getattr(cls, "name", cls.__name__)
        if type(value) is not type(field.default) or value != field.default:
            field.about.check(field.name, owner, value)
            _check_type(field, owner, value)


def _check_type(field: Declared, owner: str, value: object) -> None:
    if get_origin(field.type) is Literal:
        choices = get_args(field.type)
        if value not in choices:
            raise UnknownNameError(f"{field.name} of {owner}", str(value), map(str, choices))
    elif not any(_is_a(kind, value) for kind in _kinds(field)):
        raise _wrong_type(field, owner, value)


def _is_a(kind: object, value: object) -> bool:
    if kind in (int, float):
        return isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool)
    return not isinstance(kind, type) or isinstance(value, kind)


def _wrong_type(field: Declared, owner: str, value: object) -> ParameterError:
    words = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}
    wanted = " or ".join(words.get(k, getattr(k, "__name__", str(k))) for k in _kinds(field))
    wanted = wanted.replace("NoneType", "none")
    return ParameterError(f"{field.name} of {owner} must be {wanted}, but {value!r} was given")


def _kinds(field: Declared) -> tuple[Any, ...]:
    is_union = get_origin(field.type) in (Union, types.UnionType)
    return get_args(field.type) if is_union else (field.type,)


_SPEC = re.compile(r"\s*([^\s()=,]+)\s*(?:\((.*)\))?\s*", re.DOTALL)


def parse_spec(text: str) -> tuple[str, dict[str, str]]:
    """Split `name(option=value,…)`.

    >>> parse_spec("area-coverage(level=15)")
    ('area-coverage', {'level': '15'})
    """
    match = _SPEC.fullmatch(text)
    if not match:
        raise ParameterError(f"'{text}' is not of the form name(option=value,…)")
    name, inside = match.groups()
    options: dict[str, str] = {}
    for part in (inside or "").split(","):
        if not part.strip():
            continue
        key, equals, value = part.partition("=")
        if not equals:
            raise ParameterError(f"'{part.strip()}' in '{text}' is not of the form option=value")
        if key.strip() in options:
            raise ParameterError(f"{key.strip()} is given twice in '{text}'; choose one")
        options[key.strip()] = value.strip()
    return name, options


def build(cls: type[T], options: Mapping[str, object]) -> T:
    """Return `cls(**options)`, reading values from text where they are text.

    Raises:
        UnknownNameError: for an option that the class does not have.
        ParameterError: for a value that cannot be read or is not allowed.
    """
    owner = getattr(cls, "name", cls.__name__)
    known = {field.name: field for field in declared(cls)}
    values = {}
    for key, value in options.items():
        if key not in known:
            raise UnknownNameError(f"option of {owner}", key, known)
        if isinstance(value, str):
            value = _read(value, known[key], owner)
        # A number of numpy becomes Python's own, which every report can write.
        number = getattr(value, "item", None) if isinstance(value, Number) else None
        values[key] = number() if number else value
    plugin = cls(**values)
    check(plugin)
    return plugin


def _read(text: str, field: Declared, owner: str) -> Any:
    for kind in _kinds(field):
        if kind is type(None):
            if text.lower() == "none":
                return None
        elif kind is bool:
            if text.lower() in ("true", "yes", "1", "false", "no", "0"):
                return text.lower() in ("true", "yes", "1")
        elif kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                continue
        else:
            return text
    raise _wrong_type(field, owner, text)


def describe_options(cls: type) -> list[dict[str, Any]]:
    """Return a row for each field: name, kind, default, domain, unit, help."""
    rows = []
    for field in declared(cls):
        about = field.about
        choices = get_args(field.type) if get_origin(field.type) is Literal else ()
        domain = str(about) if isinstance(about, Domain) else "|".join(map(str, choices))
        rows.append(
            {
                "name": field.name,
                "tuned": isinstance(about, Domain),
                "default": field.default,
                "domain": domain,
                "unit": about.unit,
                "help": about.help,
            }
        )
    return rows


def spec_of(plugin: object) -> str:
    """Return the shortest `name(option=value)` that builds `plugin` again."""
    cls = type(plugin)
    changed = [
        f"{field.name}={getattr(plugin, field.name)}"
        for field in declared(cls)
        if getattr(plugin, field.name) != field.default
    ]
    name = getattr(cls, "name", cls.__name__)
    return f"{name}({','.join(changed)})" if changed else name
