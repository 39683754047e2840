"""A look over all rows of a table: is this damage here and there, or a wrong column?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from alp.errors import DataError, NoRecordsError
from alp.io._base import quoted
from alp.io._columns import Layout
from alp.io._times import TimeFormat, format_of_text, majority, suspect_us, tells_time
from alp.trace import Repairs

if TYPE_CHECKING:
    import polars as pl

TOO_MANY: Mapping[str, float] = {"time": 0.1, "user": 0.5, "lat": 0.5, "lon": 0.5, "range": 0.1}
"""The share of rows from which it is no damage but a wrong column, format or unit.

A receiver without a fix leaves many coordinates empty; it does not write latitudes beyond a pole.
"""

_TIMES = "write times as 2008-10-23T02:53:04Z, or name the column with --column timestamp=NAME"
_KINDS: Mapping[str, tuple[str, str]] = {
    "time": ("the time cannot be read", _TIMES),
    "user": ("the user is empty", "fill it in, or name the column with --column user=NAME"),
    "lat": ("latitude is no number", "name the column with --column lat=NAME, or drop these rows"),
    "lon": ("longitude is no number", "name the column with --column lon=NAME, or drop these rows"),
    "range": (
        "latitude is beyond ±90°",
        "are latitude and longitude swapped? use --column lat=… --column lon=…",
    ),
}


class Survey:
    """Rows as they are (`raw`) and as they were understood (`decoded`), and what is wrong there."""

    decoded: pl.LazyFrame

    def __init__(
        self, raw: pl.LazyFrame, where: str, place: Callable[[int], str], layout: Layout
    ) -> None:
        self.raw = raw
        self.where = where
        self.place = place
        self.layout = layout
        self.form: TimeFormat | None = None

    def sniff(self, sample: pl.DataFrame) -> None:
        """Find out how times are written, from the first rows."""
        import polars as pl

        dtype = sample.schema["time"]
        if dtype.is_temporal():
            return
        told = sample.drop_nulls("time")
        if told.is_empty():
            told = self.raw.drop_nulls("time").head(len(sample)).collect()
        self.form = majority([text.strip() for text in told["time"].cast(pl.String)])
        if self.form is None and not told.is_empty():
            row, text = told["row"][0], told["time"].cast(pl.String)[0]
            raise DataError(
                f"{self.where}: the time {quoted(text)} at {self.place(row)} cannot be read; "
                f"{_TIMES}"
            )
        if self.form is not None and self.form.ambiguous:
            self.form = self._ordered(self.form)

    def _ordered(self, form: TimeFormat) -> TimeFormat:
        """Settle whether days or months come first: one number above 12 anywhere tells."""
        import polars as pl

        numbers = pl.col("time").str.extract_groups(r"^(\d{1,2})[-/](\d{1,2})[-/]").struct
        first, second = (
            self.raw.select(numbers.field(str(n)).cast(pl.Int64).max()).collect().item()
            for n in (1, 2)
        )
        if (first > 12) == (second > 12):
            raise DataError(
                f"{self.where}: it cannot be told whether days or months come first in the times; "
                "write them as 2008-10-23T02:53:04Z"
            )
        return form.ordered(day_first=first > 12)

    def check(self, decoded: pl.LazyFrame, *, strict: bool) -> Repairs:
        """Return how many rows have neither user nor time that can be read.

        Raises:
            DataError: if times are written in several ways, if too many rows are damaged or, when
                `strict`, any row.
        """
        found = decoded.select(*self._counts()).collect(engine="streaming").row(0, named=True)
        rows, damaged = found["rows"], found["damaged"]
        if found["time"] or found["early"]:
            self._check_mixed(found)
        hopeless = [kind for kind in _KINDS if found[kind] and found[kind] >= TOO_MANY[kind] * rows]
        if hopeless or (damaged and (strict or damaged == rows)):
            kind = max(hopeless or _KINDS, key=lambda kind: found[kind])
            raise DataError(self._complaint(kind, found, strict=strict and not hopeless))
        if not rows:
            raise NoRecordsError(f"{self.where} holds no records; is it the right file?")
        return Repairs({"unreadable": found["unreadable"]} if found["unreadable"] else {})

    def _counts(self) -> list[pl.Expr]:
        import polars as pl

        time, user = pl.col("time"), pl.col("user")
        flags = {
            "time": time.is_null(),
            "user": user.is_null(),
            "lat": ~pl.col("lat").is_finite(),
            "lon": ~pl.col("lon").is_finite(),
            "range": pl.col("lat").is_finite() & (pl.col("lat").abs() > 90.0),
        }
        flags["damaged"] = pl.any_horizontal(flags.values())
        flags["unreadable"] = time.is_null() | user.is_null()
        suspect = suspect_us(self.form) if self.form else None
        flags["early"] = time.abs().is_between(*suspect) if suspect else pl.lit(value=False)
        counts = [flag.sum().alias(name) for name, flag in flags.items() if name != "early"]
        firsts = [
            pl.col("row").filter(flag).min().alias(f"{name}_row") for name, flag in flags.items()
        ]
        early = pl.col("row").filter(flags["early"]).len().alias("early")
        return [pl.len().alias("rows"), *counts, *firsts, early]

    def _check_mixed(self, found: Mapping[str, Any]) -> None:
        """Raise if a time that the sniffed format does not read is written in another one."""
        import polars as pl

        if self.form is None:
            return
        row = found["early_row"] if found["early"] else None
        if found["time"]:
            other = self._first_other(self._unread_times())
            row = other if row is None or (other is not None and other < row) else row
        if row is None:
            return
        text = self.raw.filter(pl.col("row") == row).select(pl.col("time").cast(pl.String))
        raise DataError(
            f"{self.where}: times are written in several ways; most like {self.form}, but at "
            f"{self.place(row)} {quoted(text.collect().item())}; write all of them one way"
        )

    def _unread_times(self) -> pl.DataFrame:
        """Return row and text of times that could not be read, one per way of writing.

        A row without a place is left out: a line that was cut may end within its time.
        """
        import polars as pl

        whole = pl.col("lat").is_finite() & pl.col("lon").is_finite()
        lost = self.decoded.filter(pl.col("time").is_null() & whole).select("row")
        texts = self.raw.select("row", pl.col("time").cast(pl.String).str.strip_chars())
        failed = texts.join(lost, on="row", how="semi").drop_nulls()
        shape = pl.col("time").str.replace_all(r"\d", "0")
        return failed.sort("row").unique(shape, keep="first", maintain_order=True).collect()

    def _first_other(self, failed: pl.DataFrame) -> int | None:
        form = self.form
        for row, text in failed.iter_rows():
            other = format_of_text(text) if tells_time(text) else None
            if form is not None and other is not None and not form.same_shape(other):
                return int(row)
        return None

    def _complaint(self, kind: str, found: Mapping[str, Any], *, strict: bool) -> str:
        import polars as pl

        what, remedy = _KINDS[kind]
        row = found[f"{kind}_row"]
        text = ""
        if kind == "time":
            value = self.raw.filter(pl.col("row") == row).select(pl.col("time").cast(pl.String))
            shown = value.collect().item()
            text = " (empty)" if shown is None else f" ({quoted(shown)})"
        count = f"{found[kind]:,} of {found['rows']:,} rows"
        if found["damaged"] > found[kind]:
            count += f" ({found['damaged']:,} are damaged in all)"
        remedy = "repair the data, or leave out --strict" if strict else remedy
        return f"{self.where}: {what} in {count}, first at {self.place(row)}{text}: {remedy}"
