"""`alp inspect`: what a dataset holds, and what is wrong with it."""

from __future__ import annotations

from alp.cli import _options as o


def inspect(
    input: o.Input,
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
    facts = show.tracking(data, inspect_dataset, "reading")
    if json:
        show.as_json(facts)
    else:
        show.facts(facts)
