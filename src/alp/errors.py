"""Every deliberate error of ALP; anything else that escapes is our fault.

AlpError                what a person gave cannot be used; says what, where and what to do
├── UnknownNameError    no mechanism, metric, option … of that name; lists the known ones
├── ParameterError      a value outside what a parameter, domain or option allows
│   └── TooManyRecordsError   a configuration that would make far more records than there were
├── ObjectiveError      a sentence that is no objective
├── DataError           a file or table that holds no usable traces
│   └── NoRecordsError  a well-formed one that holds none at all
└── OutputError         a place that cannot be written
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class AlpError(Exception):
    """What a person gave cannot be used. One line, no raw position in it."""


class UnknownNameError(AlpError):
    """No such name; the message lists the known ones and the nearest spelling."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        near = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.5)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        super().__init__(f"no {kind} is named '{name}'{hint} (known: {', '.join(names) or 'none'})")

    def __reduce__(self) -> tuple[type[AlpError], tuple[str]]:
        # Worker processes send errors home; only the sentence matters there.
        return AlpError, (str(self),)


class ParameterError(AlpError):
    """A value outside what a parameter, domain or option allows."""


class TooManyRecordsError(ParameterError):
    """A configuration that would make far more records than there were."""


class ObjectiveError(AlpError):
    """A sentence that is no objective."""


class DataError(AlpError):
    """A file or table that holds no usable traces."""


class NoRecordsError(DataError):
    """A well-formed file or table without a single record."""


class OutputError(AlpError):
    """A place that cannot be written."""
