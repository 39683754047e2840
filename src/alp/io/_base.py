"""What a format is, and the shelf of all formats by short name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, ClassVar, Protocol

from alp.errors import AlpError, DataError, OutputError
from alp.registry import Registry
from alp.trace import TRACE as TRACE
from alp.trace import Source, Trace


@dataclass(frozen=True, slots=True)
class Request:
    """What a reader is asked for."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """Canonical name → name in the input."""
    keep: tuple[str, ...] = ()
    """Further columns to carry along."""
    strict: bool = False
    """Whether any damaged record is an error."""


class Sink(Protocol):
    """Where one format's bytes go, trace by trace."""

    def write(self, trace: Trace) -> None:
        """Add the records of one user."""

    def close(self) -> None:
        """Write what is still held back; the file itself is closed by the `Writer`."""


class Format:
    """One way to keep traces in a file or folder.

    A subclass declares what it is, and overrides `open`, `sink` or both. It holds no state.
    """

    name: ClassVar[str]
    help: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    reads: ClassVar[bool] = True
    writes: ClassVar[bool] = False
    time_zones: ClassVar[str]
    """What the format says about time zones, and what is made of it; always UTC in the end."""

    def recognises(self, path: Path) -> bool:
        """Tell whether `path` looks like this format, by its name or, for a folder, its content."""
        return path.name.lower().endswith(self.suffixes) and not path.is_dir()

    def open(self, path: Path, request: Request) -> Source:
        """Return the records at `path`."""
        raise DataError(f"{path}: the format '{self.name}' cannot be read, only written")

    def sink(self, file: BinaryIO, path: Path) -> Sink:
        """Return where to write traces; `path` is the final name of `file`."""
        raise OutputError(f"{path}: the format '{self.name}' cannot be written, only read")


_DEGREES = re.compile(r"(?<![\d:.,])[+-]?\d{1,3}[.,]\d+(?![\d:.,])")

FORMATS: Registry[Format] = Registry("format")
format_: Callable[[str], Callable[[type[Format]], type[Format]]] = FORMATS.register
"""The class decorator that puts a format on the shelf."""


def quoted(text: str) -> str:
    """Return text of a person's file for a message: one short line, without what may be a degree.

    >>> print(quoted("39.90421 N"), quoted("23.10.2008 02:53:04.125"))
    '… N' '23.10.2008 02:53:04.125'
    """
    line = " ".join(_DEGREES.sub("…", text).split())
    return f"'{line}'" if len(line) <= 40 else f"'{line[:40]}…'"


def format_of(path: Path, name: str | None, *, writing: bool = False) -> Format:
    """Return the format called `name`, or the one that recognises `path`."""
    if name is not None:
        return FORMATS[name]()
    usable = [cls for cls in map(FORMATS.__getitem__, FORMATS) if _can(cls, writing)]
    for cls in usable:
        if cls().recognises(path):
            return cls()
    error: type[AlpError] = OutputError if writing else DataError
    if path.is_dir():
        raise error(f"{path} is a folder of no known format: {_folders()}")
    known = ", ".join(sorted(suffix for cls in usable for suffix in cls.suffixes))
    suffix = f"the suffix '{path.suffix}'" if path.suffix else "no suffix"
    raise error(f"{path} has {suffix}, which tells no format; give it one of: {known}")


def _can(cls: type[Format], writing: bool) -> bool:
    return cls.writes if writing else cls.reads


def _folders() -> str:
    return "a folder may hold .parquet files, or Geolife's <user>/Trajectory/*.plt"
