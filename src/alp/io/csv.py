"""CSV and TSV: one record per line, with almost any delimiter, header and way to write time."""

from __future__ import annotations

import csv
import gzip
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, ClassVar, cast

import numpy as np

from alp.errors import DataError
from alp.io._base import TRACE, Format, Request, format_
from alp.io._columns import is_known
from alp.io._frame import NotUtf8Error, Table, TableSource, load
from alp.io._times import format_of_text, is_clock
from alp.trace import Trace

if TYPE_CHECKING:
    import polars as pl

_HEAD = 1 << 16  # bytes to look at
_CHUNK = 1 << 22
_DELIMITERS = (",", ";", "\t", "|")
_GZIP = b"\x1f\x8b"
_NUMBER_WITH_COMMA = re.compile(r"[+-]?\d{1,3},\d+")
_TIME = "%Y-%m-%dT%H:%M:%S%.6fZ"  # one fixed form, so that what we write we read back exactly
_ROWS = 1 << 18  # rows made into text at once


@format_("csv")
class Csv(Format):
    """Text with one record per line; delimiter, header and time format are found out."""

    help = "one record per line; delimiter, columns and time format are recognised"
    suffixes: ClassVar[tuple[str, ...]] = (".csv", ".txt", ".csv.gz", ".txt.gz")
    writes = True
    time_zones = "offsets are honoured, times without one are UTC; written in UTC with Z"
    delimiter: ClassVar[str] = ","

    def open(self, path: Path, request: Request) -> TableSource:
        """Return the records of the file, in memory."""
        dialect = sniff(path, request)
        stem = path.name.removesuffix(".gz").rpartition(".")[0] or path.name
        table = Table(_scan(path, dialect), str(path), partial(_place, path, dialect), stem)
        try:
            return load(table, request)
        except NotUtf8Error as error:
            try:
                return load(replace(table, frame=_scan(path, dialect, broken=True)), request)
            except DataError:
                raise DataError(str(error)) from error

    def sink(self, file: BinaryIO, path: Path) -> CsvSink:
        """Return where to write traces; a name that ends in .gz is compressed."""
        if path.name.lower().endswith(".gz"):
            packed = gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0)
            return CsvSink(cast(BinaryIO, packed), self.delimiter, close=True)
        return CsvSink(file, self.delimiter)


@format_("tsv")
class Tsv(Csv):
    """CSV with tabs."""

    help = "CSV with tabs between the columns"
    suffixes = (".tsv", ".tab", ".tsv.gz")
    delimiter = "\t"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one file writes its table."""

    delimiter: str
    names: tuple[str, ...]
    header: bool
    skipped: int
    """Blank lines before the table."""
    quoted: bool
    """Whether quotation marks enclose fields."""
    padded: bool
    """Whether blanks surround the values."""
    decimal_comma: tuple[str, ...]
    """The columns that write 39,9 for 39.9."""


def sniff(path: Path, request: Request) -> Dialect:
    """Return how the file writes its table, from its first lines."""
    lines = _first_lines(path)
    skipped = next(n for n, line in enumerate(lines) if line.strip())
    lines = [line for line in lines if line.strip()]
    delimiter = max(_DELIMITERS, key=lambda d: _fit(lines, d))
    rows = list(csv.reader(lines, delimiter=delimiter))
    header = _is_header(rows[0], request)
    names = _unique(rows[0]) if header else tuple(str(n + 1) for n in range(len(rows[0])))
    if not header and not (request.columns and set(request.columns.values()) <= set(names)):
        raise DataError(
            f"{path} has no header: line {skipped + 1} holds values already; name its columns by "
            "number, as in --column user=1 --column timestamp=2 --column lat=3 --column lon=4"
        )
    padded = any(cell != cell.strip() and _is_value(cell.strip()) for row in rows for cell in row)
    commas = tuple(
        name
        for place, name in enumerate(names)
        if delimiter != "," and _has_commas([row[place] for row in rows[header:] if row[place:]])
    )
    padded = padded or any(name != name.strip() for name in rows[0])
    return Dialect(delimiter, names, header, skipped, _is_quoted(path, lines), padded, commas)


def _first_lines(path: Path) -> list[str]:
    try:
        with _opened(path) as file:
            head = file.read(_HEAD)
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or "it is damaged"
        raise DataError(f"{path} cannot be read: {reason}; give a whole, readable file") from error
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DataError(f"{path} is encoded as UTF-16; save it as UTF-8")
    if head.count(b"\0") > len(head) / 10 or head.startswith(b"PAR1"):
        raise DataError(f"{path} is not text; give it the suffix of its true format")
    lines = head.decode("utf-8-sig", errors="replace").splitlines()
    if len(head) == _HEAD and len(lines) > 1:
        lines.pop()  # the last one is cut
    if not any(line.strip() for line in lines):
        raise DataError(f"{path} is empty; give a file with a header and one record per line")
    return lines[:101]


def _fit(lines: Sequence[str], delimiter: str) -> tuple[int, int]:
    """Return how many lines the delimiter splits as it splits the first, and into how many."""
    sizes = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
    return (sizes.count(sizes[0]), sizes[0]) if sizes[0] > 1 else (0, 0)


def _is_header(cells: Sequence[str], request: Request) -> bool:
    """Tell names from values; a name may be a number too, such as a year."""
    if set(request.columns.values()) & set(cells) or sum(map(is_known, cells)) > 1:
        return True
    return not any(_is_value(cell.strip()) for cell in cells)


def _is_value(cell: str) -> bool:
    return format_of_text(cell) is not None or is_clock(cell)


def _has_commas(cells: Sequence[str]) -> bool:
    cells = [cell.strip() for cell in cells if cell.strip()]
    return bool(cells) and all(_NUMBER_WITH_COMMA.fullmatch(cell) for cell in cells)


def _unique(cells: Sequence[str]) -> tuple[str, ...]:
    names: list[str] = []
    for place, cell in enumerate(cells, 1):
        name = cell.strip() or f"column {place}"
        names.append(name if name not in names else f"{name} ({place})")
    return tuple(names)


def _is_quoted(path: Path, lines: Sequence[str]) -> bool:
    """Tell whether quotation marks enclose fields; a stray one must not swallow the lines after."""
    with _opened(path) as file:
        marks = sum(chunk.count(b'"') for chunk in iter(partial(file.read, _CHUNK), b""))
    if marks % 2 and any('"' in line for line in lines):
        raise DataError(f"{path}: a quotation mark is not closed; close or remove it")
    return marks % 2 == 0 and marks > 0


def _opened(path: Path) -> BinaryIO:
    with path.open("rb") as file:
        packed = file.read(len(_GZIP)) == _GZIP
    return cast(BinaryIO, gzip.open(path)) if packed else path.open("rb")


def _scan(path: Path, dialect: Dialect, *, broken: bool = False) -> pl.LazyFrame:
    """Return every column as text; whatever does not fit is null, not fatal.

    If the file has `broken` bytes, cells that hold one are null as well.
    """
    import polars as pl

    frame = pl.scan_csv(
        path,
        encoding="utf8-lossy" if broken else "utf8",
        separator=dialect.delimiter,
        has_header=dialect.header,
        new_columns=list(dialect.names),
        infer_schema=False,
        skip_lines=dialect.skipped,
        quote_char='"' if dialect.quoted else None,
        truncate_ragged_lines=True,
        glob=False,
    )
    text = pl.col(pl.String)
    if broken:
        frame = frame.with_columns(pl.when(~text.str.contains("\ufffd", literal=True)).then(text))
    if dialect.padded:
        frame = frame.with_columns(text.str.strip_chars())
    if dialect.decimal_comma:
        frame = frame.with_columns(pl.col(*dialect.decimal_comma).str.replace(",", "."))
    return frame


def _place(path: Path, dialect: Dialect, row: int) -> str:
    """Return the line of a row; a quoted field may span several."""
    line = row + 1 + dialect.skipped + dialect.header
    if not dialect.quoted:
        return f"line {line:,}"
    with io.TextIOWrapper(_opened(path), "utf-8-sig", "replace", newline="") as text:
        reader = csv.reader(text, delimiter=dialect.delimiter)
        for _ in range(line - 1):
            next(reader, None)
        return f"line {reader.line_num + 1:,}"


class CsvSink:
    """Lines of `user,timestamp,lat,lon` and the kept columns, in UTC."""

    def __init__(self, file: BinaryIO, delimiter: str, *, close: bool = False) -> None:
        self._file = file
        self._delimiter = delimiter
        self._close = close
        self._kept: tuple[str, ...] | None = None

    def write(self, trace: Trace) -> None:
        """Add the records of one user."""
        header = self._kept is None
        if self._kept is None:
            self._kept = tuple(name for name in trace.extra if name != TRACE)
        for part in self._frame(trace, self._kept).iter_slices(_ROWS):
            text = part.write_csv(
                separator=self._delimiter, include_header=header, datetime_format=_TIME
            )
            self._file.write(text.encode())
            header = False

    def close(self) -> None:
        """Write at least the header."""
        if self._kept is None:
            self._file.write(self._delimiter.join(("user", "timestamp", "lat", "lon")).encode())
            self._file.write(b"\n")
        if self._close:
            self._file.close()

    @staticmethod
    def _frame(trace: Trace, kept: Sequence[str]) -> pl.DataFrame:
        import polars as pl

        columns = {
            "user": pl.repeat(trace.user, len(trace), dtype=pl.String, eager=True),
            "timestamp": pl.Series(np.asarray(trace.time_us)).cast(pl.Datetime("us")),
            "lat": pl.Series(np.asarray(trace.lat)),
            "lon": pl.Series(np.asarray(trace.lon)),
        }
        for name in kept:
            column = pl.Series(trace.extra.get(name, [None] * len(trace)))
            if column.dtype.is_float():
                column = column.fill_nan(None)
            elif column.dtype.is_nested() or column.dtype == pl.Object:
                column = pl.Series([None if cell is None else str(cell) for cell in column])
            columns[name] = column
        return pl.DataFrame(columns)
