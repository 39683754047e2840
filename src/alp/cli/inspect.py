"""`alp inspect`: what a dataset holds, and what is wrong with it."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from alp.cli import _options as o


def inspect(
    input: o.Input,
    geometry: o.GeometryName = None,
    pois: Annotated[bool, typer.Option("--pois", help="List every stay, place and all.")] = False,
    column: o.Column = None,
    user: o.User = None,
    strict: o.Strict = False,
    json: o.Json = False,
    debug: o.Debug = False,
) -> None:
    """Show users, records, span, sampling interval, bounding box, POIs, and what is wrong."""
    from alp.adapt.inspection import inspect_dataset
    from alp.cli import _show as show

    data = o.open_dataset(input, column=column, strict=strict, user=user)
    data = data.using(geometry) if geometry else data
    facts = show.tracking(data, partial(inspect_dataset, list_pois=pois), "reading")
    if json:
        show.as_json(facts)
    else:
        show.facts(facts)
