"""Parquet: columns in row groups; a file grouped by user is read user by user."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from alp.errors import DataError
from alp.io._base import TRACE, Format, Request, format_
from alp.io._frame import SAMPLE, Table, layout_of, load, of_arrow, polars_errors, survey_of
from alp.io._row_groups import ParquetSource, arrow_errors, is_plain, mapped, stamp_of, well_formed
from alp.trace import Source, Trace

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS = 1_000_000  # rows of a group


@format_("parquet")
class Parquet(Format):
    """Parquet, one file or a folder of them."""

    help = "columns, compressed; grouped by user it is read user by user, however large"
    suffixes = (".parquet", ".pq")
    writes = True
    time_zones = "any zone and unit, times without a zone are UTC; written in UTC, microseconds"

    def recognises(self, path: Path) -> bool:
        """Tell by the suffix, or by a folder's content."""
        return super().recognises(path) or (path.is_dir() and bool(_files(path)))

    def open(self, path: Path, request: Request) -> Source:
        """Return the records: by user from the file if it is grouped, otherwise from memory."""
        files = _files(path)
        if not files:
            raise DataError(f"{path} is a folder without .parquet files")
        where = str(path)
        with arrow_errors(where), polars_errors(where):
            sample = of_arrow(_first_rows(files))
            layout = layout_of(sample, request, where)
            found = mapped(files, layout, path.stem) if is_plain(files, layout) else None
            if found is None:
                return load(_table(path, files), request)
            if not well_formed(files, layout):
                survey = survey_of(_table(path, files), layout, sample)
                survey.check(survey.decoded, strict=request.strict)
            stamps = tuple(map(stamp_of, files))
        return ParquetSource(tuple(map(str, files)), layout, *found, stamps)

    def sink(self, file: BinaryIO, path: Path) -> ParquetSink:
        """Return where to write traces."""
        return ParquetSink(file)


def _files(path: Path) -> list[Path]:
    return sorted(path.glob("*.parquet")) if path.is_dir() else [path]


def _first_rows(files: Sequence[Path]) -> pa.Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    for file in files:
        with pq.ParquetFile(file) as parquet:
            schema = parquet.schema_arrow
            for batch in parquet.iter_batches(SAMPLE, use_threads=False):
                return pa.table(batch)
    return schema.empty_table()


def _table(path: Path, files: Sequence[Path]) -> Table:
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq

    schemas = [pq.read_schema(file) for file in files]
    if any(_has_fixed_offset(field.type) for schema in schemas for field in schema):
        frame = of_arrow(pa.concat_tables(map(pq.read_table, files))).lazy()
    else:
        frame = pl.scan_parquet(list(files), glob=False)
    return Table(frame, str(path), lambda row: f"row {row:,}", path.stem)


def _has_fixed_offset(kind: pa.DataType) -> bool:
    """Tell whether timestamps are in a zone such as `+05:30`, which polars does not know."""
    import pyarrow as pa

    return pa.types.is_timestamp(kind) and bool(kind.tz) and kind.tz[0] in "+-"


class ParquetSink:
    """Row groups of a fixed size, however the traces come; so equal records give equal bytes."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._held: list[Any] = []
        self._rows = 0
        self._schema: Any = None
        self._writer: Any = None

    def write(self, trace: Trace) -> None:
        """Add the records of one user."""
        table = trace.to_arrow()
        if TRACE in table.column_names:
            table = table.drop_columns([TRACE])
        if self._schema is None:
            self._schema = _schema(table)
        self._held.append(_conformed(table, self._schema))
        self._rows += len(table)
        if self._rows >= _ROWS:
            self._flush(self._rows // _ROWS * _ROWS)

    def close(self) -> None:
        """Write the last row group and the footer."""
        if self._schema is None:
            self._schema = Trace("", [], [], []).to_arrow().schema
        self._flush(self._rows)
        self._open().close()

    def _flush(self, rows: int) -> None:
        import pyarrow as pa

        if not rows:
            return
        whole = pa.concat_tables(self._held).combine_chunks()
        for start in range(0, rows, _ROWS):
            self._open().write_table(whole.slice(start, min(_ROWS, rows - start)))
        rest = whole.slice(rows)
        self._held, self._rows = [rest], len(rest)

    def _open(self) -> Any:
        import pyarrow.parquet as pq

        if self._writer is None:
            self._writer = pq.ParquetWriter(
                self._file, self._schema, compression="zstd", use_dictionary=["user"]
            )
        return self._writer


def _schema(table: pa.Table) -> pa.Schema:
    """Return the schema that all traces share; a column that is all null holds text."""
    import pyarrow as pa

    fields = [
        pa.field(field.name, pa.string()) if pa.types.is_null(field.type) else field
        for field in table.schema
    ]
    return pa.schema(fields)


def _conformed(table: pa.Table, schema: pa.Schema) -> pa.Table:
    import pyarrow as pa

    for field in schema:
        if field.name not in table.column_names:
            table = table.append_column(field.name, pa.nulls(len(table), field.type))
    return table.select(schema.names).cast(schema)
