"""Tables in memory: pandas, polars, pyarrow, and whatever speaks the Arrow stream protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from alp.errors import DataError
from alp.io._base import Request
from alp.io._frame import Table, TableSource, load, of_arrow

if TYPE_CHECKING:
    import polars as pl

NAME = "the table"


def is_table(source: object) -> bool:
    """Tell whether `source` is a table that can be read."""
    library = type(source).__module__.partition(".")[0]
    return library in ("pandas", "polars", "pyarrow") or hasattr(source, "__arrow_c_stream__")


def open_table(source: Any, request: Request) -> TableSource:
    """Return the records of a table."""
    frame = _as_polars(source)
    return load(Table(frame.lazy(), NAME, lambda row: f"row {row:,}", "user"), request)


def _as_polars(source: Any) -> pl.DataFrame:
    import polars as pl

    if isinstance(source, pl.DataFrame):
        return source
    if isinstance(source, pl.LazyFrame):
        return source.collect()
    if type(source).__module__.startswith("pandas"):
        named = [name for name in source.index.names if name is not None]
        source = source.reset_index() if named else source.reset_index(drop=True)
    return _of_arrow(source)


def _of_arrow(source: Any) -> pl.DataFrame:
    import pyarrow as pa

    try:
        if type(source).__module__.startswith("pandas"):
            source = pa.Table.from_pandas(source, preserve_index=False)
        return of_arrow(source if isinstance(source, pa.Table) else pa.table(source))
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise DataError(
            f"{NAME} of type {type(source).__name__} cannot be read: a column mixes types or is of "
            "an unknown one; give every column one type"
        ) from error
