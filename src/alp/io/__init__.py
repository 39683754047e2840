"""Files ↔ traces: one format per file of this folder, found by `FORMATS`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from alp.errors import DataError, NoRecordsError
from alp.geo import SPHERE, Geometry
from alp.io._base import FORMATS, TRACE, Format, Request, Sink, format_of
from alp.io._writer import Writer, check_apart, check_output, open_writer, written_whole
from alp.io.geolife import write_geolife
from alp.io.tables import is_table, open_table
from alp.trace import Dataset, MemorySource, Repairs, Source, Trace

for _module in iter_modules(__path__):
    if not _module.name.startswith("_"):
        import_module(f"{__name__}.{_module.name}")

__all__ = [
    "FORMATS",
    "TRACE",
    "Format",
    "Request",
    "Sink",
    "Writer",
    "check_apart",
    "check_output",
    "left_out",
    "open_writer",
    "read",
    "write_geolife",
    "written_whole",
]


def read(
    source: Any,
    *,
    columns: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
    strict: bool = False,
    geometry: str | Geometry | None = None,
    format: str | None = None,
    allow_empty: bool = False,
) -> Dataset:
    """Return the traces of a file, a folder or a table.

    Args:
        source: A path; a pandas, polars or pyarrow table; traces by user, which are wrapped; or a
            dataset, which is returned as it is.
        columns: Canonical name (`user`, `timestamp`, `lat`, `lon`) → name in the source, where it
            is not recognised.
        keep: Further columns to carry into `Trace.extra`. All others are left out.
        strict: Whether any damaged record is an error; otherwise it is repaired and counted.
        geometry: How distances are measured, `sphere` or `mercator`; the sphere by default,
            except that traces keep their own.
        format: The format's short name, if the name of the file does not tell.
        allow_empty: Whether a file without records is a dataset without users: what is left where
            everything was suppressed. Otherwise it is an error.

    Raises:
        DataError: if the source holds no usable traces; one line says what, where and what to do.
    """
    if isinstance(source, Trace):
        source = [source]
    if isinstance(source, Mapping | list | tuple):
        dataset = source if isinstance(source, Dataset) else _wrapped(source)
        return dataset if geometry is None else dataset.using(geometry)
    request = Request(dict(columns or {}), tuple(keep), strict)
    name = str(source) if isinstance(source, str | Path) else "table"
    try:
        records = _open(source, format, request)
    except NoRecordsError:
        if not allow_empty:
            raise
        records = MemorySource({}, Repairs())
    return Dataset(records, name=name, geometry=geometry or SPHERE, strict=strict)


def _open(source: Any, format: str | None, request: Request) -> Source:
    if is_table(source):
        return open_table(source, request)
    if not isinstance(source, str | Path):
        raise DataError(
            f"traces cannot be read from a {type(source).__name__}; give a path, a table, or traces"
        )
    path = Path(source)
    if not path.exists():
        raise DataError(f"{path} does not exist; check the name")
    return format_of(path, format).open(path, request)


def left_out(dataset: Dataset) -> tuple[str, ...]:
    """Return the columns that the input has and the dataset does not carry."""
    names: tuple[str, ...] = getattr(dataset.source, "left_out", ())
    return names


def _wrapped(traces: Mapping[str, Trace] | Sequence[Trace]) -> Dataset:
    items = traces.values() if isinstance(traces, Mapping) else traces
    if not all(isinstance(item, Trace) for item in items):
        raise DataError("traces are given as Trace objects by user; make a table of plain columns")
    return Dataset.of(traces)
