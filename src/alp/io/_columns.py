"""Which of a table's columns hold user, time and place: many names are understood."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from alp.errors import DataError, ParameterError, UnknownNameError
from alp.io._base import TRACE, Request, quoted

# In order of preference; compared without case, blanks and punctuation.
_NAMES = {
    "user": (
        "user userid uid username deviceid device imei person personid taxi taxiid driver driverid "
        "vehicle vehicleid agent agentid individual individualid individuallocalidentifier mmsi "
        "objectid oid tid id"
    ),
    "timestamp": (
        "timestamp timestamputc utctimestamp datetime datetimeutc utcdatetime utc timeutc utctime "
        "epoch unixtime unixtimestamp epochtime timestampms timems recordedat createdat "
        "locationtimestamp fixtime gpstime tst ts time dt date t"
    ),
    "lat": (
        "lat latitude latdeg latitudedeg positionlat locationlat locationlatitude gpslat "
        "gpslatitude latwgs84 y"
    ),
    "lon": (
        "lon lng long longitude londeg longitudedeg positionlon positionlng positionlong "
        "locationlon locationlng locationlong locationlongitude gpslon gpslng gpslongitude "
        "lonwgs84 x"
    ),
    TRACE: "trace traceid trajectory trajectoryid trajid",
}
KNOWN: Mapping[str, Sequence[str]] = {role: names.split() for role, names in _NAMES.items()}
_DATES = ("date", "day", "utcdate", "dateutc", "gpsdate")
_CLOCKS = ("time", "hour", "timeofday", "utctime", "timeutc", "gpstime", "clock")
_WORDS = {"timestamp": "time", "lat": "latitude", "lon": "longitude"}


@dataclass(frozen=True, slots=True)
class Layout:
    """Which of a table's columns hold what."""

    time: tuple[str, ...]
    """One column, or a date and a time of day."""
    lat: str
    lon: str
    user: str | None = None
    trace: str | None = None
    keep: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def needed(self) -> list[str]:
        """The columns to read, each once."""
        single = [name for name in (self.user, self.trace) if name is not None]
        return list(dict.fromkeys([*single, *self.time, self.lat, self.lon, *self.keep]))


def find_layout(
    names: Sequence[str], request: Request, where: str, is_split: Callable[[str, str], bool]
) -> Layout:
    """Return what the columns `names` hold.

    `is_split(date, clock)` tells whether two columns hold a date and a time of day, to be joined.
    """
    given = _given(names, request.columns, where)
    found = {role: given.get(role) or _first(names, KNOWN[role]) for role in KNOWN}
    for role, word in _WORDS.items():
        if found[role] is None:
            raise DataError(
                f"{where}: no {word} column among {_listed(names)}; "
                f"name it with --column {role}=NAME"
            )
    lat, lon, time = (str(found[role]) for role in ("lat", "lon", "timestamp"))
    if len({lat, lon, time}) < 3:
        raise ParameterError(f"{where}: time, latitude and longitude need three different columns")
    times = (time,) if "timestamp" in given else _times(names, time, is_split)
    used = {lat, lon, found["user"], *times}
    keep = tuple(dict.fromkeys(_existing(names, name, where) for name in request.keep))
    for name in keep:
        if name in used or name in KNOWN:
            raise ParameterError(f"{where}: the column '{name}' cannot be kept beside its like")
    left_out = tuple(name for name in names if name not in used and name not in keep)
    return Layout(times, lat, lon, found["user"], found[TRACE], keep, left_out)


def is_known(name: str) -> bool:
    """Tell whether a column of that name is recognised."""
    return any(plain(name) in names for names in KNOWN.values())


def plain(name: str) -> str:
    """Return a column's name without case, blanks and punctuation."""
    return re.sub(r"[\W_]+", "", name.lower())


def _given(names: Sequence[str], columns: Mapping[str, str], where: str) -> dict[str, str]:
    roles = {alias: role for role in KNOWN for alias in KNOWN[role]}
    given = {}
    for role, name in columns.items():
        if plain(role) not in roles:
            raise UnknownNameError("canonical column", role, KNOWN)
        given[roles[plain(role)]] = _existing(names, name, where)
    return given


def _existing(names: Sequence[str], name: str, where: str) -> str:
    if name in names:
        return name
    for known in names:
        if known.strip().lower() == name.strip().lower():
            return known
    raise UnknownNameError(f"column of {where}", name, [quoted(known)[1:-1] for known in names])


def _first(names: Sequence[str], aliases: Iterable[str]) -> str | None:
    by_plain: dict[str, str] = {}
    for name in names:
        by_plain.setdefault(plain(name), name)
    return next((by_plain[alias] for alias in aliases if alias in by_plain), None)


def _times(
    names: Sequence[str], time: str, is_split: Callable[[str, str], bool]
) -> tuple[str, ...]:
    date, clock = _first(names, _DATES), _first(names, _CLOCKS)
    if date and clock and time in (date, clock) and is_split(date, clock):
        return (date, clock)
    return (time,)


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(map(quoted, names[:20]))
    return f"{shown} …" if len(names) > 20 else shown
