"""Options that several commands share, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from alp.errors import ParameterError

if TYPE_CHECKING:
    from alp.trace import Dataset

Texts = Optional[list[str]]  # noqa: UP045 — typer reads this form

Input = Annotated[str, typer.Argument(help="A CSV or Parquet file, or a Geolife folder.")]
MechanismName = Annotated[
    str, typer.Option("-m", "--mechanism", help="The mechanism: see `alp list mechanisms`.")
]
Objective = Annotated[
    Texts,
    typer.Option(
        "--objective",
        "-o",
        help="A wish such as 'minimise poi-retrieval', 'maximise area-coverage', "
        "'spatial-distortion <= 100'. Repeat. Default: the mechanism's own.",
    ),
]
MetricName = Annotated[
    Texts, typer.Option("--metric", help="A metric to report: see `alp list metrics`. Repeat.")
]
SearchName = Annotated[
    str | None, typer.Option("--search", help="auto, grid or annealing; see `alp list searches`.")
]
Set = Annotated[Texts, typer.Option("--set", help="Fix a parameter: alpha=100. Repeat.")]
DomainOf = Annotated[
    Texts,
    typer.Option(
        "--domain",
        help="Tune a parameter over 'epsilon=log(0.001,0.1,41)', 'alpha=linear(0,500,5)' or "
        "'alpha=0,50,100'. Repeat.",
    ),
]
GeometryName = Annotated[
    str | None, typer.Option("--geometry", help="sphere, or mercator: the authors' units.")
]
Per = Annotated[
    str | None,
    typer.Option(
        "--per", help="One configuration per user, day, 24h, trace, or number of records."
    ),
]
Zone = Annotated[str, typer.Option("--tz", help="The time zone of `--per day`.")]
Sample = Annotated[
    str | None, typer.Option("--sample", help="Keep records at least this far apart, as 30s.")
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", help="Repeatable noise, for experiments only: never for a release."),
]
Workers = Annotated[
    int | None, typer.Option("--workers", min=1, help="Processes to use. Default: all cores.")
]
ProfileName = Annotated[
    str, typer.Option("--profile", help="sound, or paper2016: all as the paper's authors did it.")
]
AllowRaw = Annotated[
    bool, typer.Option("--allow-raw", help="Let a batch be published as it is if that costs least.")
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite what is there.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show the full traceback of an error.")]
Plugin = Annotated[
    Texts, typer.Option("--plugin", help="A Python file with mechanisms or metrics. Repeat.")
]
Column = Annotated[
    Texts, typer.Option("--column", help="Where a column is: lat=y. Names: user, time, lat, lon.")
]
User = Annotated[Texts, typer.Option("--user", help="Only this user. Repeat.")]
Strict = Annotated[bool, typer.Option("--strict", help="Refuse damaged records, do not repair.")]


def pairs(given: Sequence[str] | None, option: str) -> dict[str, str]:
    """Return NAME=VALUE arguments as a mapping."""
    found: dict[str, str] = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise ParameterError(f"{option} takes NAME=VALUE, not '{text}'")
        found[name.strip()] = value.strip()
    return found


def open_dataset(
    path: str,
    *,
    column: Sequence[str] | None = None,
    keep: Sequence[str] | None = None,
    strict: bool = False,
    user: Sequence[str] | None = None,
    allow_empty: bool = False,
) -> Dataset:
    """Return the dataset that the shared options describe."""
    from alp.io import read

    columns: Mapping[str, str] = pairs(column, "--column")
    renamed = {"timestamp" if name == "time" else name: where for name, where in columns.items()}
    dataset = read(
        path,
        columns=renamed or None,
        keep=tuple(keep or ()),
        strict=strict,
        allow_empty=allow_empty,
    )
    return dataset.only(user) if user else dataset


def settings_options(**given: Any) -> dict[str, Any]:
    """Return the keyword arguments of `Settings.of` from command line values."""
    from alp.plugins import load_plugins

    load_plugins(given.pop("plugin") or ())
    return {
        **given,
        "objectives": given["objectives"] or None,
        "metrics": given["metrics"] or None,
        "fixed": pairs(given["fixed"], "--set"),
        "domain": pairs(given["domain"], "--domain"),
    }
