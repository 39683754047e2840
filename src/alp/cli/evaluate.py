"""`alp evaluate`: metrics of a protected file against the original."""

from __future__ import annotations

from typing import Annotated

import typer

from alp.cli import _options as o


def evaluate(
    original: o.Input,
    protected: Annotated[str, typer.Argument(help="The protected traces, in any format.")],
    metric: o.MetricName = None,
    geometry: o.GeometryName = None,
    profile: o.ProfileName = "sound",
    column: o.Column = None,
    user: o.User = None,
    strict: o.Strict = False,
    plugin: o.Plugin = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
    debug: o.Debug = False,
) -> None:
    """Measure a protected file against the original, for each user and in summary."""
    from alp import api
    from alp.adapt.settings import profile_metrics
    from alp.cli import _show as show
    from alp.metrics import metric_named
    from alp.plugins import load_plugins

    load_plugins(plugin or ())
    metrics = metric or profile_metrics(profile)
    for name in metrics:
        metric_named(name)  # a misspelt one is said before any reading
    result = api.evaluate(
        o.open_dataset(original, column=column, strict=strict, user=user),
        o.open_dataset(protected, strict=strict, allow_empty=True),
        metrics,
        geometry=geometry,
        profile=profile,
    )
    show.evaluation(result, json=json, quiet=quiet)
