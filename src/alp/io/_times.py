"""Times as people write them: told from examples, then read with one explicit format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

_DATE_AND_TIME = re.compile(
    r"(?P<date>\d{4}(?P<s1>[-/.])\d{1,2}(?P=s1)\d{1,2}|\d{1,2}(?P<s2>[-/.])\d{1,2}(?P=s2)\d{4}"
    r"|(?:19|20)\d\d(?:0\d|1[0-2])[0-3]\d)"
    r"(?:(?P<sep>[T ]|(?<=\d{8}))(?P<time>\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?|\d{6}(?:\.\d+)?)"
    r"(?P<half> ?[AaPp][Mm])?(?P<zone> ?(?:Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?)?"
)
_CLOCK = re.compile(r"\d{1,2}:\d\d(:\d\d(\.\d+)?)?( ?[AaPp][Mm])?")
_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?")

# The greatest magnitude that is still taken for this unit; in seconds that is the year 5138.
_UNITS = {"s": 1e11, "ms": 1e14, "us": 1e17, "ns": 1e20}
_PER_SECOND = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
_EARLIEST_S = 1e8  # below (1973) a number says nothing about its unit


@dataclass(frozen=True, slots=True)
class TimeFormat:
    """One way to write a time."""

    pattern: str = ""
    """A strptime pattern; `%1` and `%2` stand for day and month while their order is unknown."""
    unit: str = ""
    """The unit of a number since 1970: s, ms, us or ns."""

    @property
    def ambiguous(self) -> bool:
        """Whether it is unknown if the day or the month comes first."""
        return "%1" in self.pattern

    def ordered(self, *, day_first: bool) -> TimeFormat:
        """Return this format with the order of day and month settled."""
        first, second = ("%d", "%m") if day_first else ("%m", "%d")
        return TimeFormat(self.pattern.replace("%1", first).replace("%2", second))

    def same_shape(self, other: TimeFormat | None) -> bool:
        """Tell whether `other` is this format up to the order of day and month."""
        if other is None or not other.ambiguous:
            return self == other
        return self in (other, other.ordered(day_first=True), other.ordered(day_first=False))

    def __str__(self) -> str:
        if self.unit:
            return f"epoch {self.unit}"
        words = (
            ("%Y", "YYYY"), ("%m", "MM"), ("%d", "DD"), ("%H", "hh"), ("%I", "hh"), ("%M", "mm"),
            ("%S", "ss"), ("%.f", ""), ("%#z", "±hh:mm"), ("%p", "AM"),
        )  # fmt: skip
        text = self.pattern
        for code, word in words:
            text = text.replace(code, word)
        return text


def format_of_text(text: str) -> TimeFormat | None:
    """Return how `text` writes a time, or None if it is no time we know.

    >>> print(format_of_text("2008-10-23T02:53:04.5+08:00"))
    YYYY-MM-DDThh:mm:ss±hh:mm
    >>> print(format_of_text("1224730384"))
    epoch s
    """
    match = _DATE_AND_TIME.fullmatch(text)
    if match:
        return TimeFormat(_pattern(match))
    if _NUMBER.fullmatch(text):
        return format_of_number(float(text))
    return None


def format_of_number(value: float) -> TimeFormat | None:
    """Return which unit since 1970 the magnitude of `value` tells."""
    unit = next((unit for unit, most in _UNITS.items() if abs(value) < most), None)
    return TimeFormat(unit=unit) if unit else None


def tells_time(text: str) -> bool:
    """Tell a time from a number so small that it may be anything, such as a degree."""
    return not _NUMBER.fullmatch(text) or abs(float(text)) >= _EARLIEST_S


def is_clock(text: str) -> bool:
    """Tell whether `text` is a time of day without its date."""
    return _CLOCK.fullmatch(text) is not None


def is_date(text: str) -> bool:
    """Tell whether `text` is a date without a time of day."""
    match = _DATE_AND_TIME.fullmatch(text)
    return match is not None and match["time"] is None


def majority(samples: Sequence[str]) -> TimeFormat | None:
    """Return the format of most of the samples; of equally many, the one met first."""
    formats = [found for found in map(format_of_text, samples) if found is not None]
    return max(dict.fromkeys(formats), key=formats.count, default=None)


def microseconds(time: pl.Expr, form: TimeFormat | None, dtype: pl.DataType) -> pl.Expr:
    """Return `time` as microseconds since 1970, null where it cannot be read."""
    import polars as pl

    if dtype.is_temporal():
        return time.dt.epoch("us")
    if form is None:
        return pl.lit(None, pl.Int64)
    if form.unit:
        return _of_number(time, form.unit, dtype)
    text = time.cast(pl.String)
    if "%#z" in form.pattern:
        parsed = text.str.to_datetime(form.pattern, time_unit="us", time_zone="UTC", strict=False)
    else:
        parsed = text.str.to_datetime(form.pattern, time_unit="us", strict=False)
    return parsed.dt.epoch("us")


def suspect_us(form: TimeFormat) -> tuple[int, int] | None:
    """Return between which microseconds a number read as `form` was rather of a smaller unit."""
    smaller = list(_UNITS)[: list(_UNITS).index(form.unit)] if form.unit else []
    if not smaller:
        return None
    scale = _PER_SECOND["us"] / _PER_SECOND[form.unit]
    return int(_EARLIEST_S * scale), int(_UNITS[smaller[-1]] * scale)


def _of_number(time: pl.Expr, unit: str, dtype: pl.DataType) -> pl.Expr:
    import polars as pl

    scale = _PER_SECOND["us"] / _PER_SECOND[unit]
    exact = time.cast(pl.Int64, strict=False)
    whole = exact * int(scale) if scale >= 1 else exact.floordiv(int(1 / scale))
    number = time.cast(pl.Float64, strict=False)
    usable = number.is_finite() & (number.abs() < _UNITS[unit])
    if dtype.is_integer():
        return pl.when(usable).then(whole)
    near = (number * scale).round().cast(pl.Int64, strict=False)
    if dtype == pl.String:
        return pl.when(usable).then(pl.coalesce(whole, near))
    return pl.when(usable).then(near)


def _pattern(match: re.Match[str]) -> str:
    sep, time, half, zone = match.group("sep", "time", "half", "zone")
    if match["s1"]:
        pattern = "%Y{0}%m{0}%d".format(match["s1"])
    elif match["s2"] == ".":
        pattern = "%d.%m.%Y"  # with dots the day comes first wherever it is written
    elif match["s2"]:
        pattern = "%1{0}%2{0}%Y".format(match["s2"])
    else:
        pattern = "%Y%m%d"
    if time is None:
        return pattern
    pattern += sep + _clock_pattern(time, half)
    if zone is None:
        return pattern
    word = zone.strip()
    zone_pattern = word if word in ("UTC", "GMT") else "%#z"
    return pattern + (" " if zone[0] == " " else "") + zone_pattern


def _clock_pattern(time: str, half: str | None) -> str:
    if ":" not in time:
        return "%H%M%S%.f"
    clock = "%H:%M:%S%.f" if time.count(":") == 2 else "%H:%M"
    if half is None:
        return clock
    return clock.replace("%H", "%I") + (" %p" if half[0] == " " else "%p")
