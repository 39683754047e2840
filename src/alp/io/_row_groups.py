"""Where each user's rows lie in a Parquet file, and reading just those.

Nothing here uses polars, whose threads do not survive a fork: a source may be read in any process.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from alp.errors import DataError
from alp.io._base import TRACE
from alp.io._columns import Layout
from alp.trace import Records, Repairs

if TYPE_CHECKING:
    import pyarrow as pa


class Piece(NamedTuple):
    """Consecutive rows of one row group."""

    file: int
    group: int
    start: int
    stop: int


@dataclass(frozen=True)
class ParquetSource:
    """Records in Parquet files, read user by user: nothing but the place of each is in memory."""

    files: tuple[str, ...]
    layout: Layout
    index: Mapping[str, tuple[Piece, ...]]
    damage: Repairs
    gaps: frozenset[str]
    """The kept columns in which a value is missing somewhere."""
    stamps: tuple[tuple[int, int], ...]
    """Size and time of change of the files when they were indexed."""

    @property
    def left_out(self) -> tuple[str, ...]:
        """The columns that are not carried along."""
        return self.layout.left_out

    @property
    def users(self) -> Sequence[str]:
        """The users, sorted."""
        return sorted(self.index)

    def size(self, user: str) -> int:
        """Return how many raw records the user has."""
        return sum(piece.stop - piece.start for piece in self.index[user])

    def read(self, user: str) -> Records:
        """Return the user's raw records, from the row groups that hold them."""
        import pyarrow as pa

        columns = tuple(name for name in self.layout.needed if name != self.layout.user)
        parts = []
        for piece in self.index[user]:
            file, stamp = self.files[piece.file], self.stamps[piece.file]
            if stamp_of(file) != stamp:
                raise DataError(f"{file} was changed while it was in use; start again")
            group = row_group(file, stamp, piece.group, columns)
            parts.append(group.slice(piece.start, piece.stop - piece.start))
        return _records(pa.concat_tables(parts), self.layout, self.gaps)


def stamp_of(file: str | Path) -> tuple[int, int]:
    """Return size and time of change of a file."""
    try:
        found = os.stat(file)
    except OSError as error:
        raise DataError(f"{file} cannot be read: {error.strerror}") from error
    return found.st_size, found.st_mtime_ns


@lru_cache(maxsize=2)
def row_group(file: str, stamp: tuple[int, int], group: int, columns: tuple[str, ...]) -> pa.Table:
    """Return a row group; the last ones are kept, since neighbours in a file are read in turn."""
    import pyarrow.parquet as pq

    with arrow_errors(file), pq.ParquetFile(file) as parquet:
        return parquet.read_row_group(group, columns=list(columns), use_threads=False)


@contextmanager
def arrow_errors(where: str) -> Iterator[None]:
    """Turn what pyarrow raises into one line of ours."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise DataError(
            f"{where} is not a Parquet file, or is cut short; if it is text, rename it to .csv"
        ) from error
    except OSError as error:
        reason = error.strerror or "it is damaged"
        raise DataError(f"{where} cannot be read: {reason}; give a whole, readable file") from error


def is_plain(files: Sequence[Path], layout: Layout) -> bool:
    """Tell whether times are timestamps and places numbers, so that nothing is left to find out."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    for file in files:
        schema = pq.read_schema(file)
        types = {name: schema.field(name).type for name in layout.needed if name in schema.names}
        if len(types) < len(layout.needed) or len(layout.time) > 1:
            return False
        places = (types[layout.lat], types[layout.lon])
        timed = pa.types.is_timestamp(types[layout.time[0]])
        if not (timed and all(map(pa.types.is_floating, places))):
            return False
    return True


def mapped(
    files: Sequence[Path], layout: Layout, alone: str
) -> tuple[dict[str, tuple[Piece, ...]], Repairs, frozenset[str]] | None:
    """Return where each user's rows lie, or None if a user's rows are scattered.

    Only the column of users is read, one row group at a time.
    """
    import pyarrow.parquet as pq

    pieces: dict[str, list[Piece]] = {}
    nameless, last = 0, None
    gaps: set[str] = set()
    for number, file in enumerate(files):
        with pq.ParquetFile(file, read_dictionary=[layout.user] if layout.user else None) as source:
            for group in range(source.num_row_groups):
                gaps |= _gaps(source.metadata.row_group(group), layout.keep)
                for user, start, stop in _runs(source, group, layout.user, alone):
                    if user is None:
                        nameless += stop - start
                        continue
                    if user != last and user in pieces:
                        return None
                    pieces.setdefault(user, []).append(Piece(number, group, start, stop))
                    last = user
    damage = Repairs({"unreadable": nameless} if nameless else {})
    return {user: tuple(some) for user, some in pieces.items()}, damage, frozenset(gaps)


def well_formed(files: Sequence[Path], layout: Layout) -> bool:
    """Tell whether the files' own statistics rule out empty values and impossible latitudes."""
    import pyarrow.parquet as pq

    for file in files:
        metadata = pq.read_metadata(file)
        for group in range(metadata.num_row_groups):
            found = _statistics(metadata.row_group(group))
            needed = [layout.time[0], layout.lat, layout.lon]
            needed += [layout.user] if layout.user else []
            if any(_nulls(found.get(name)) for name in needed):
                return False
            lat = found[layout.lat]
            if not lat.has_min_max or lat.min < -90.0 or lat.max > 90.0:
                return False
    return True


def _runs(
    source: Any, group: int, column: str | None, alone: str
) -> list[tuple[str | None, int, int]]:
    """Return who has which consecutive rows of a row group."""
    rows = source.metadata.row_group(group).num_rows
    if column is None or not rows:
        return [(alone, 0, rows)] if rows else []
    users = source.read_row_group(group, columns=[column], use_threads=False)[column]
    users = users.combine_chunks()
    if not hasattr(users, "indices"):
        users = users.dictionary_encode()
    names = [_name(value) for value in users.dictionary.to_pylist()]
    codes = users.indices.fill_null(-1) if users.null_count else users.indices
    codes = codes.to_numpy(zero_copy_only=False)
    bounds = [0, *(np.flatnonzero(np.diff(codes)) + 1).tolist(), rows]
    return [
        (names[codes[start]] if codes[start] >= 0 else None, start, stop)
        for start, stop in pairwise(bounds)
    ]


def _name(value: Any) -> str | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    return None if value is None or value == "" else str(value)


def _statistics(group: Any) -> dict[str, Any]:
    columns = (group.column(place) for place in range(group.num_columns))
    return {column.path_in_schema: column.statistics for column in columns}


def _nulls(statistics: Any) -> bool:
    """Tell whether a value may be missing."""
    return statistics is None or not statistics.has_null_count or statistics.null_count > 0


def _gaps(group: Any, names: Sequence[str]) -> set[str]:
    found = _statistics(group) if names else {}
    return {name for name in names if _nulls(found.get(name))}


def _records(table: pa.Table, layout: Layout, gaps: frozenset[str]) -> Records:
    import pyarrow as pa

    time = table[layout.time[0]]
    unread = time.null_count
    if unread:
        table = table.filter(time.is_valid())
        time = table[layout.time[0]]
    exact = time.cast(pa.timestamp("us", time.type.tz), safe=False)
    extra = {name: _kept(table[name], name in gaps) for name in layout.keep}
    if layout.trace is not None:
        extra[TRACE] = _numbers(table[layout.trace])
    return Records(
        exact.cast(pa.int64()).to_numpy().copy(),
        _degrees(table[layout.lat]),
        _degrees(table[layout.lon]),
        extra,
        unreadable=unread,
    )


def _degrees(column: Any) -> NDArray[np.float64]:
    import pyarrow as pa

    # A copy, since a view would keep the whole row group in memory.
    return np.array(column.cast(pa.float64()).fill_null(float("nan")).to_numpy(), np.float64)


def _numbers(column: Any) -> NDArray[np.int64]:
    """Return a number for each of the user's own trajectories; −1 where it is not said."""
    import pyarrow as pa

    if not pa.types.is_integer(column.type):
        names = column.combine_chunks()
        names = names if pa.types.is_dictionary(names.type) else names.dictionary_encode()
        column = names.indices
    return np.array(column.cast(pa.int64()).fill_null(-1).to_numpy())


def _kept(column: Any, gaps: bool) -> NDArray[Any]:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if gaps and pa.types.is_integer(column.type):
        column = column.cast(pa.float64(), safe=False)  # one type for all users
    return np.array(column.to_numpy(zero_copy_only=False))
