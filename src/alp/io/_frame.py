"""A table with one row per record → records by user: columns found, times read, damage counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from alp.errors import DataError, NoRecordsError
from alp.io._base import TRACE, Request
from alp.io._columns import Layout, find_layout
from alp.io._survey import Survey
from alp.io._times import TimeFormat, is_clock, is_date, microseconds
from alp.trace import MemorySource, Records

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

_KEPT = "kept:"  # kept columns cannot collide with ours
SAMPLE = 100
"""How many of the first rows are looked at to understand a table."""


class NotUtf8Error(DataError):
    """Text in another encoding, or with a broken byte."""


@dataclass(frozen=True)
class TableSource(MemorySource):
    """Records of a table, in memory, by user."""

    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table that can be gone over more than once, and how to speak of it."""

    frame: pl.LazyFrame
    where: str
    place: Callable[[int], str]
    """Row, from 0 → the words for its place, such as `line 2`."""
    user: str
    """Whose records these are if no column says."""


def load(table: Table, request: Request) -> TableSource:
    """Return the records of `table` by user, all in memory."""
    with polars_errors(table.where):
        sample = table.frame.head(SAMPLE).collect()
        layout = layout_of(sample, request, table.where)
        survey = survey_of(table, layout, sample)
        decoded = survey.decoded.collect(engine="streaming")
        damage = survey.check(decoded.lazy(), strict=request.strict)
        readable = decoded.drop("row").drop_nulls(["user", "time"])
        return TableSource(_by_user(readable, layout), damage, layout.left_out)


def layout_of(sample: pl.DataFrame, request: Request, where: str) -> Layout:
    """Return what the columns of a table hold, from its first rows."""
    if sample.is_empty():
        raise NoRecordsError(f"{where} holds no records; is it the right file?")
    return find_layout(sample.columns, request, where, lambda *two: _is_split(sample, *two))


def survey_of(table: Table, layout: Layout, sample: pl.DataFrame) -> Survey:
    """Return a survey of the rows of `table`, of which only the sample has been read yet."""
    raw = _narrowed(table.frame, layout, table.user, sample.schema)
    survey = Survey(raw, table.where, table.place, layout)
    survey.sniff(_narrowed(sample.lazy(), layout, table.user, sample.schema).collect())
    survey.decoded = raw.select(*_decoded(raw.collect_schema(), survey.form))
    return survey


@contextmanager
def polars_errors(where: str) -> Iterator[None]:
    """Turn what polars raises, its panics too, into one line of ours."""
    import polars as pl

    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        first = (str(error).strip().splitlines() or ["no reason given"])[0]
        if "utf-8" in first.lower():
            raise NotUtf8Error(f"{where} is not encoded as UTF-8; save it as UTF-8") from error
        # A parser's complaint may quote a row, and with it a position.
        cause = type(error).__name__
        raise DataError(f"{where} cannot be read as a table ({cause}); is it whole?") from error
    except OSError as error:
        reason = error.strerror or "it is damaged"
        raise DataError(f"{where} cannot be read: {reason}; give a whole, readable file") from error


def of_arrow(table: pa.Table) -> pl.DataFrame:
    """Return an Arrow table in polars, which knows no zones such as `+05:30`: all become UTC."""
    import polars as pl
    import pyarrow as pa

    for place, field in enumerate(table.schema):
        if pa.types.is_timestamp(field.type) and field.type.tz is not None:
            utc = table.column(place).cast(pa.timestamp(field.type.unit, tz="UTC"))
            table = table.set_column(place, field.name, utc)
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    return frame


def text_of_user(user: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Return user names as text; numbers that a table holds as floats are whole all the same."""
    import polars as pl

    if dtype.is_float():
        whole = user.cast(pl.Int64, strict=False)
        user = pl.when(whole == user).then(whole.cast(pl.String)).otherwise(user.cast(pl.String))
    text = user.cast(pl.String)
    return pl.when(text != "").then(text)


def _is_split(sample: pl.DataFrame, date: str, clock: str) -> bool:
    import polars as pl

    if sample.schema[clock] == pl.Time:
        return sample.schema[date] in (pl.Date, pl.String)
    dates, clocks = (sample[name].drop_nulls().cast(pl.String) for name in (date, clock))
    return any(map(is_clock, clocks)) and any(map(is_date, dates))


def _narrowed(frame: pl.LazyFrame, layout: Layout, user: str, schema: pl.Schema) -> pl.LazyFrame:
    """Return the needed columns under our names, with row numbers and without blank lines."""
    import polars as pl

    named = {"lat": pl.col(layout.lat), "lon": pl.col(layout.lon)}
    if len(layout.time) == 1:
        named["time"] = pl.col(layout.time[0])
    else:
        parts = [_text_of_time(pl.col(name), schema[name]) for name in layout.time]
        named["time"] = pl.concat_str(parts, separator=" ")
    whose = [] if layout.user is None else [text_of_user(pl.col(layout.user), schema[layout.user])]
    columns = [expr.alias(name) for name, expr in named.items()]
    columns += [expr.alias("user") for expr in whose]
    if layout.trace is not None:
        columns.append(pl.col(layout.trace).alias(TRACE))
    columns += [pl.col(name).alias(_KEPT + name) for name in layout.keep]
    ours = [*named, "user"] if whose else [*named]
    some = frame.select(columns).with_row_index("row")
    some = some.filter(~pl.all_horizontal(pl.col(name).is_null() for name in ours))
    return some if whose else some.with_columns(pl.lit(user).alias("user"))


def _text_of_time(part: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    import polars as pl

    return part.dt.to_string("%H:%M:%S%.6f") if dtype == pl.Time else part.cast(pl.String)


def _decoded(schema: pl.Schema, form: TimeFormat | None) -> Iterator[pl.Expr]:
    import polars as pl

    for name, dtype in schema.items():
        if name == "time":
            yield microseconds(pl.col(name), form, dtype).alias("time")
        elif name in ("lat", "lon"):
            yield pl.col(name).cast(pl.Float64, strict=False).fill_null(float("nan"))
        else:
            yield pl.col(name)


def _by_user(frame: pl.DataFrame, layout: Layout) -> dict[str, Records]:
    if not frame["user"].is_sorted():
        frame = frame.sort("user", maintain_order=True)
    time, lat, lon = (frame[name].to_numpy() for name in ("time", "lat", "lon"))
    extra = {name: as_array(frame[_KEPT + name]) for name in layout.keep}
    if layout.trace is not None:
        extra[TRACE] = trace_numbers(frame[TRACE])
    runs = frame["user"].rle().struct.unnest()
    users, stops = runs["value"].to_list(), np.cumsum(runs["len"].to_numpy(), dtype=np.int64)
    records, start = {}, 0
    for user, stop in zip(users, stops.tolist(), strict=True):
        part = slice(start, stop)
        some = {name: column[part] for name, column in extra.items()}
        records[user] = Records(time[part], lat[part], lon[part], some)
        start = stop
    return records


def trace_numbers(column: pl.Series) -> NDArray[np.int64]:
    """Return a number for each of the input's own trajectories; −1 where it is not said."""
    import polars as pl

    numbers = column.cast(pl.Int64, strict=False)
    if numbers.null_count() > column.null_count():
        numbers = column.cast(pl.String).rank("dense").cast(pl.Int64)
    return numbers.fill_null(-1).to_numpy()


def as_array(column: pl.Series) -> NDArray[Any]:
    """Return a kept column as numpy; text that holds nothing but numbers becomes numbers."""
    import polars as pl

    if column.dtype == pl.String:
        column = _numbers_of(column)
    if column.dtype.is_integer() and column.null_count():
        column = column.cast(pl.Float64)
    if column.dtype == pl.String or column.dtype.is_nested() or column.dtype == pl.Categorical:
        return np.array(column.to_list(), dtype=object)
    return column.to_numpy()


def _numbers_of(text: pl.Series) -> pl.Series:
    import polars as pl

    if text.str.contains(r"^[+-]?0\d").any() or text.null_count() == len(text):
        return text  # 007 is a name
    for dtype in (pl.Int64, pl.Float64):
        numbers = text.cast(dtype, strict=False)
        if numbers.null_count() == text.null_count():
            return numbers
    return text
