"""Geolife: a folder per user, a .plt file per trajectory, times in GMT :cite:`zheng2010`."""

from __future__ import annotations

import math
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alp.errors import DataError, OutputError, ParameterError, UnknownNameError
from alp.io._base import TRACE, Format, Request, format_
from alp.io._survey import TOO_MANY
from alp.io._writer import check_folder, output_errors
from alp.trace import Records, Repairs, Trace

_HEADER = (
    "Geolife trajectory\nWGS 84\nAltitude is in Feet\nReserved 3\n"
    "0,2,255,My Track,0,0,2,8421376\n0\n"
)
_HEADER_LINES = 6
_ALTITUDE = "altitude"
_UNKNOWN_FEET = -777.0
_DAY_US = 86_400_000_000
_EPOCH_DAY = 25_569  # 1970-01-01 in days since 1899-12-30
_FIELDS = ("lat", "lon", "zero", _ALTITUDE, "days", "date", "clock")


@format_("geolife")
class Geolife(Format):
    """Geolife's folders of .plt files: `Data`, the folder around it, or one user's."""

    help = "a folder <user>/Trajectory/*.plt, as Geolife is distributed"
    suffixes = (".plt",)
    time_zones = "always GMT"

    def recognises(self, path: Path) -> bool:
        """Tell a .plt file by its suffix and a folder by the .plt files in it."""
        return super().recognises(path) or (path.is_dir() and bool(_folders(path)))

    def open(self, path: Path, request: Request) -> GeolifeSource:
        """Return the users of the folder; their files are read when they are asked for."""
        if request.columns:
            raise ParameterError(f"{path}: Geolife's columns are fixed; leave out --column")
        for name in request.keep:
            if name != _ALTITUDE:
                raise UnknownNameError(f"column of {path}", name, [_ALTITUDE])
        files: dict[str, tuple[str, ...]]
        if path.is_file():
            files = {path.stem: (str(path),)}
        else:
            files = {user: _files(folder) for user, folder in _folders(path).items()}
        if not files:
            raise DataError(f"{path} holds no <user>/Trajectory/*.plt; give Geolife's Data folder")
        return GeolifeSource(files, bool(request.keep), request.strict)


@dataclass(frozen=True)
class GeolifeSource:
    """Records in .plt files, read user by user."""

    files: Mapping[str, tuple[str, ...]]
    altitude: bool = False
    strict: bool = False

    @property
    def damage(self) -> Repairs:
        """Nothing: what cannot be read is counted with its user."""
        return Repairs()

    @property
    def left_out(self) -> tuple[str, ...]:
        """The columns that are not carried along."""
        return () if self.altitude else (_ALTITUDE,)

    @property
    def users(self) -> Sequence[str]:
        """The users, sorted."""
        return sorted(self.files)

    def size(self, user: str) -> int:
        """Return how many lines the user has."""
        return sum(_count(_body(file)) for file in self.files[user])

    def read(self, user: str) -> Records:
        """Return the user's records; `trace` numbers the files."""
        files = self.files[user]
        bodies = [_body(file) for file in files]
        counts = [_count(body) for body in bodies]
        columns = _parsed(bodies, sum(counts))
        if columns is None:
            return self._mended(files, bodies)
        lat, lon, feet, seconds = columns
        numbers = np.repeat(np.arange(len(files)), counts)
        self._check(files, numbers, lat, lon)
        return self._records(seconds * 1_000_000, lat, lon, feet, numbers, unreadable=0)

    def _mended(self, files: Sequence[str], bodies: Sequence[bytes]) -> Records:
        """Return what can be read, line by line."""
        rows: list[tuple[float, ...]] = []
        unread, first = 0, ""
        for number, (file, body) in enumerate(zip(files, bodies, strict=True)):
            for line, text in enumerate(body.split(b"\n"), _HEADER_LINES + 1):
                row = _row(text)
                if row is not None:
                    rows.append((number, *row))
                elif text.strip():
                    unread += 1
                    first = first or f"{file}: line {line} cannot be read"
        if unread and (self.strict or unread >= TOO_MANY["time"] * (unread + len(rows))):
            remedy = "leave out --strict" if self.strict else "is it a .plt file of Geolife?"
            raise DataError(f"{first}, nor can {unread - 1:,} more; repair the data, or {remedy}")
        columns = np.array(rows, np.float64).reshape(-1, 5).T
        numbers, lat, lon, feet, seconds = columns
        whole = numbers.astype(np.int64)
        self._check(files, whole, lat, lon)
        time_us = seconds.astype(np.int64) * 1_000_000
        return self._records(time_us, lat, lon, feet, whole, unreadable=unread)

    def _check(
        self,
        files: Sequence[str],
        numbers: NDArray[np.int64],
        lat: NDArray[np.float64],
        lon: NDArray[np.float64],
    ) -> None:
        """Raise if so many places are impossible that this is no damage."""
        wrong = ~(np.abs(lat) <= 90.0) | ~np.isfinite(lon)
        count = int(np.count_nonzero(wrong))
        if count and count >= TOO_MANY["range"] * len(lat):
            raise DataError(
                f"{files[numbers[wrong.argmax()]]}: latitude is beyond ±90° or no number in "
                f"{count:,} of the user's {len(lat):,} lines: are latitude and longitude swapped?"
            )

    def _records(
        self,
        time_us: NDArray[np.int64],
        lat: NDArray[np.float64],
        lon: NDArray[np.float64],
        feet: NDArray[np.float64],
        numbers: NDArray[np.int64],
        unreadable: int,
    ) -> Records:
        extra: dict[str, NDArray[Any]] = {TRACE: numbers}
        if self.altitude:
            extra[_ALTITUDE] = np.where(feet == _UNKNOWN_FEET, np.nan, feet)
        return Records(time_us, lat, lon, extra, unreadable)


def write_geolife(dataset: Mapping[str, Trace], folder: str | Path) -> None:
    """Write traces as `<folder>/<user>/Trajectory/YYYYMMDDHHMMSS.plt`, one file per UTC day.

    Seconds are the format's resolution: fractions are dropped. The folder appears whole or not
    at all.

    Raises:
        OutputError: if the folder exists and is not empty, or cannot be written.
    """
    folder = Path(folder)
    check_folder(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OutputError(f"{folder} exists; choose another name")
    part = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}.part")
    try:
        with output_errors(folder):
            part.mkdir()
            for user, trace in dataset.items():
                _write_user(part, user, trace)
            os.replace(part, folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def _write_user(folder: Path, user: str, trace: Trace) -> None:
    if user in ("", ".", "..") or "/" in user or os.sep in user or "\0" in user:
        raise OutputError(f"the user '{user}' cannot name a folder; rename the user first")
    if not len(trace):
        return
    place = folder / user / "Trajectory"
    place.mkdir(parents=True)
    days = trace.time_us // _DAY_US
    for day in np.split(np.arange(len(trace)), np.flatnonzero(np.diff(days)) + 1):
        first = datetime.fromtimestamp(int(trace.time_us[day[0]]) // 1_000_000, UTC)
        lines = "".join(_lines(trace.select(day)))
        with (place / f"{first:%Y%m%d%H%M%S}.plt").open("w", newline="\r\n") as file:
            file.write(_HEADER + lines)


def _lines(trace: Trace) -> Iterator[str]:
    feet = np.asarray(trace.extra.get(_ALTITUDE, np.full(len(trace), np.nan)), np.float64)
    feet = np.where(np.isfinite(feet), feet, _UNKNOWN_FEET)
    texts = np.datetime_as_string(trace.time, unit="s")
    days = trace.time_us / _DAY_US + _EPOCH_DAY
    rows = zip(trace.lat.tolist(), trace.lon.tolist(), feet, days, texts.tolist(), strict=True)
    for lat, lon, foot, day, text in rows:
        yield f"{lat!r},{lon!r},0,{foot:.10g},{day:.10f},{text.replace('T', ',')}\n"


def _folders(path: Path) -> dict[str, Path]:
    """Return the folder of each user."""
    if any((path / "Trajectory").glob("*.plt")):
        return {path.resolve().name: path}
    for root in (path, path / "Data"):
        found = {p.parents[1].name: p.parents[1] for p in root.glob("*/Trajectory/*.plt")}
        if found:
            return found
    return {}


def _files(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(map(str, (folder / "Trajectory").glob("*.plt"))))


def _body(file: str) -> bytes:
    try:
        content = Path(file).read_bytes()
    except OSError as error:
        raise DataError(f"{file} cannot be read: {error.strerror}") from error
    body = content.split(b"\n", _HEADER_LINES)[_HEADER_LINES:]
    return body[0] if body else b""


def _count(body: bytes) -> int:
    return body.count(b"\n") + (not body.endswith(b"\n") and bool(body))


def _parsed(bodies: Sequence[bytes], rows: int) -> tuple[NDArray[Any], ...] | None:
    """Return latitude, longitude, feet and seconds, or None if a line is damaged."""
    import pyarrow as pa
    from pyarrow import csv

    whole = b"".join(body if body.endswith(b"\n") else body + b"\n" for body in bodies if body)
    types = {"lat": pa.float64(), "lon": pa.float64(), _ALTITUDE: pa.float64()}
    types |= {"date": pa.date32(), "clock": pa.time32("s")}
    try:
        table = csv.read_csv(
            pa.BufferReader(whole),
            read_options=csv.ReadOptions(column_names=list(_FIELDS), use_threads=False),
            convert_options=csv.ConvertOptions(column_types=types, include_columns=list(types)),
        )
    except pa.ArrowInvalid:
        return None
    if len(table) != rows or any(column.null_count for column in table.columns):
        return None
    days, clock = (table[name].cast(pa.int32()).to_numpy() for name in ("date", "clock"))
    numbers = [np.array(table[name].to_numpy()) for name in ("lat", "lon", _ALTITUDE)]
    return *numbers, days.astype(np.int64) * 86_400 + clock


def _row(text: bytes) -> tuple[float, float, float, float] | None:
    """Return latitude, longitude, feet and seconds of a line, or None if it cannot be read."""
    try:
        lat, lon, _, feet, _, date, clock = text.decode().strip().split(",")
        time = datetime.strptime(f"{date} {clock} +0000", "%Y-%m-%d %H:%M:%S %z")
        return _number(lat), _number(lon), _number(feet), time.timestamp()
    except ValueError:
        return None


def _number(text: str) -> float:
    return float(text) if text.strip() else math.nan
