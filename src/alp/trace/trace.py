"""Trace: one user's records, oldest first, as read-only columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from alp.errors import DataError
from alp.geo import SPHERE, Geometry, Points, geometry_named
from alp.geo.geometry import Floats, wrap
from alp.trace.records import Records
from alp.trace.repair import repair

if TYPE_CHECKING:
    import pyarrow as pa

Times = NDArray[np.int64]
_NOTHING: Mapping[str, NDArray[Any]] = {}


class Trace:
    """One user's records, oldest first.

    Columns are read-only: every operation returns a new trace. Places are kept as degrees, as metre
    columns of the trace's geometry, or both; either is computed from the other when it is needed.
    """

    __slots__ = ("_degrees", "_length_m", "_points", "extra", "geometry", "time_us", "user")

    user: str
    time_us: Times
    geometry: Geometry
    extra: Mapping[str, NDArray[Any]]
    """Columns beyond time and place, only where the user asked to keep them."""
    _degrees: tuple[Floats, Floats] | None
    _points: Points | None
    _length_m: float | None

    def __init__(
        self,
        user: str,
        time: ArrayLike,
        lat: ArrayLike,
        lon: ArrayLike,
        *,
        geometry: str | Geometry = SPHERE,
        extra: Mapping[str, ArrayLike] | None = None,
    ) -> None:
        """Make a trace from columns in any order, repairing what `alp.trace.repair` repairs.

        `time` is in microseconds since 1970 in UTC, or anything numpy reads as datetime64.
        """
        columns = {name: np.array(column) for name, column in (extra or {}).items()}
        records = Records(
            _microseconds(time), np.array(lat, np.float64), np.array(lon, np.float64), columns
        )
        sizes = {len(c) for c in (records.time_us, records.lat, records.lon, *columns.values())}
        if len(sizes) != 1:
            raise DataError(f"the columns of trace '{user}' differ in length: {sorted(sizes)}")
        clean, _ = repair(records)
        self._set(user, clean.time_us, geometry_named(geometry), clean.extra)
        self._degrees = (_frozen(clean.lat), _frozen(clean.lon))

    def _set(
        self, user: str, time_us: Times, geometry: Geometry, extra: Mapping[str, NDArray[Any]]
    ) -> None:
        self.user = user
        self.time_us = _frozen(time_us)
        self.geometry = geometry
        self.extra = {name: _frozen(column) for name, column in extra.items()} if extra else extra
        self._degrees = None
        self._points = None
        self._length_m = None

    @classmethod
    def of_records(cls, user: str, clean: Records, geometry: Geometry = SPHERE) -> Trace:
        """Return the trace of records that `repair` has been over."""
        trace = cls.__new__(cls)
        trace._set(user, clean.time_us, geometry, clean.extra)
        trace._degrees = (_frozen(clean.lat), _frozen(clean.lon))
        return trace

    @classmethod
    def of_points(
        cls,
        user: str,
        time_us: Times,
        points: Points,
        geometry: Geometry = SPHERE,
        extra: Mapping[str, NDArray[Any]] = _NOTHING,
    ) -> Trace:
        """Return a trace from metre columns; times must not decrease."""
        trace = cls.__new__(cls)
        trace._set(user, time_us, geometry, extra)
        trace._points = (_frozen(points[0]), _frozen(points[1]), _frozen(points[2]))
        return trace

    # — columns —

    @property
    def lat(self) -> Floats:
        """Latitudes in degrees."""
        return self._as_degrees()[0]

    @property
    def lon(self) -> Floats:
        """Longitudes in degrees, in [−180, 180)."""
        return self._as_degrees()[1]

    @property
    def points(self) -> Points:
        """Three columns in metres, of the trace's geometry."""
        if self._points is None:
            x, y, z = self.geometry.to_points(*self._as_degrees())
            self._points = (_frozen(x), _frozen(y), _frozen(z))
        return self._points

    @property
    def time(self) -> NDArray[np.datetime64]:
        """Times as datetime64 in microseconds, UTC."""
        return self.time_us.view("datetime64[us]")

    @property
    def duration_s(self) -> float:
        """Seconds from the first record to the last; 0 for fewer than two."""
        return float(self.time_us[-1] - self.time_us[0]) / 1e6 if len(self) else 0.0

    @property
    def length_m(self) -> float:
        """The length of the way from record to record; a jump is measured through the Earth."""
        if self._length_m is None:
            from alp.kernels.metres import path_length

            self._length_m = float(path_length(*self.points))
        return self._length_m

    def _as_degrees(self) -> tuple[Floats, Floats]:
        if self._degrees is None:
            lat, lon = self.geometry.to_degrees(self.points)
            self._degrees = (_frozen(lat), _frozen(lon))
        return self._degrees

    # — new traces from this one —

    def moved(self, east_m: Floats, north_m: Floats) -> Trace:
        """Return this trace with every location displaced by so many metres east and north."""
        directions = self.geometry.directions(self.points, east_m, north_m)
        return self.with_points(self.geometry.travel(self.points, directions))

    def with_points(self, points: Points) -> Trace:
        """Return this trace with its locations replaced, one for one."""
        return Trace.of_points(self.user, self.time_us, points, self.geometry, self.extra)

    def select(self, index: slice | NDArray[Any]) -> Trace:
        """Return the records at `index`: a slice, a mask or increasing positions."""
        trace = Trace.__new__(Trace)
        extra = {name: column[index] for name, column in self.extra.items()}
        trace._set(self.user, self.time_us[index], self.geometry, extra)
        if self._degrees is not None:
            trace._degrees = (_frozen(self._degrees[0][index]), _frozen(self._degrees[1][index]))
        if self._points is not None:
            x, y, z = self._points
            trace._points = (_frozen(x[index]), _frozen(y[index]), _frozen(z[index]))
        return trace

    def using(self, geometry: str | Geometry) -> Trace:
        """Return this trace with distances of another geometry."""
        chosen = geometry_named(geometry)
        if chosen is self.geometry:
            return self
        records = Records(self.time_us, self.lat, self.lon, self.extra)
        return Trace.of_records(self.user, records, chosen)

    def in_degrees(self) -> Trace:
        """Return this trace as a file would give it back: degrees, and metre columns made of them.

        What is measured of a release must be what a reader of its file can measure.
        """
        records = Records(self.time_us, self.lat, self.lon, self.extra)
        return Trace.of_records(self.user, records, self.geometry)

    def rounded(self, digits: int) -> Trace:
        """Return this trace with degrees on the world-wide grid of so many decimals."""
        # Adding zero takes away the sign of −0.0, which would tell the side it was rounded from.
        lat, lon = np.round(self.lat, digits) + 0.0, wrap(np.round(self.lon, digits) + 0.0)
        records = Records(self.time_us, np.clip(lat, -90.0, 90.0), lon, self.extra)
        return Trace.of_records(self.user, records, self.geometry)

    @classmethod
    def joined(cls, user: str, traces: list[Trace], geometry: Geometry = SPHERE) -> Trace:
        """Return one trace of several that follow each other in time."""
        if len(traces) == 1:
            return traces[0]
        if not traces:
            empty = np.empty(0)
            return cls.of_points(user, np.empty(0, np.int64), (empty, empty, empty), geometry)
        names = [name for name in traces[0].extra if all(name in t.extra for t in traces)]
        records = Records(
            np.concatenate([t.time_us for t in traces]),
            np.concatenate([t.lat for t in traces]),
            np.concatenate([t.lon for t in traces]),
            {name: np.concatenate([t.extra[name] for t in traces]) for name in names},
        )
        if (np.diff(records.time_us) < 0).any():
            records = records.take(np.argsort(records.time_us, kind="stable"))
        return cls.of_records(user, records, geometry)

    # — the rest —

    def __reduce__(self) -> tuple[Any, ...]:
        records = Records(self.time_us, self.lat, self.lon, self.extra)
        return Trace.of_records, (self.user, records, self.geometry)

    def same_records(self, other: Trace) -> bool:
        """Tell whether both traces hold the same times and places."""
        return len(self) == len(other) and all(
            np.array_equal(mine, theirs)
            for mine, theirs in (
                (self.time_us, other.time_us),
                (self.lat, other.lat),
                (self.lon, other.lon),
            )
        )

    def to_arrow(self) -> pa.Table:
        """Return a table with the canonical columns `user, timestamp, lat, lon` and any extra."""
        import pyarrow as pa

        columns: dict[str, Any] = {
            "user": pa.array([self.user] * len(self), pa.string()),
            "timestamp": pa.array(self.time_us).cast(pa.timestamp("us", tz="UTC")),
            "lat": pa.array(self.lat),
            "lon": pa.array(self.lon),
        }
        return pa.table(columns | {name: pa.array(column) for name, column in self.extra.items()})

    def __len__(self) -> int:
        return len(self.time_us)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trace):
            return NotImplemented
        return self.user == other.user and self.same_records(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        # No positions here: a repr ends in logs.
        span = f", {self.time[0]} to {self.time[-1]}" if len(self) else ""
        return f"Trace(user={self.user!r}, {len(self)} records{span})"


def _frozen(column: NDArray[Any]) -> Any:
    """Return a read-only view: the caller's own array stays as it was."""
    if not column.flags.writeable:
        return column
    view = column.view()
    view.flags.writeable = False
    return view


def _microseconds(time: ArrayLike) -> Times:
    array = np.asarray(time)
    if array.dtype.kind in "iu" or not array.size:
        return array.astype(np.int64)
    if array.dtype.kind == "f":
        raise DataError("times are whole microseconds since 1970 or datetime64, not floats")
    return array.astype("datetime64[us]").astype(np.int64)
