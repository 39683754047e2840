"""`alp protect`: tune, and write the protected traces."""

from __future__ import annotations

from typing import Annotated

import typer

from alp.cli import _options as o
from alp.errors import ParameterError


def protect(
    input: o.Input,
    output: Annotated[str, typer.Argument(help="The file to write: .csv or .parquet.")],
    mechanism: o.MechanismName,
    objective: o.Objective = None,
    metric: o.MetricName = None,
    search: o.SearchName = None,
    set_: o.Set = None,
    domain: o.DomainOf = None,
    geometry: o.GeometryName = None,
    per: o.Per = None,
    tz: o.Zone = "UTC",
    sample: o.Sample = None,
    seed: o.Seed = None,
    workers: o.Workers = None,
    profile: o.ProfileName = "sound",
    allow_raw: o.AllowRaw = False,
    report: Annotated[
        str | None, typer.Option("--report", help="Also write a row for each batch: .json, .csv …")
    ] = None,
    keep_column: Annotated[
        o.Texts, typer.Option("--keep-column", help="Publish this column, too. Repeat.")
    ] = None,
    column: o.Column = None,
    user: o.User = None,
    strict: o.Strict = False,
    plugin: o.Plugin = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
    force: o.Force = False,
    debug: o.Debug = False,
) -> None:
    """Tune a mechanism (or --set it) and write the protected traces."""
    from alp.adapt import Settings
    from alp.cli import _show as show
    from alp.io import check_apart, check_output, open_writer

    options = o.settings_options(
        plugin=plugin, objectives=objective, metrics=metric, search=search, fixed=set_,
        domain=domain, geometry=geometry, per=per, tz=tz, sample=sample, seed=seed,
        profile=profile, allow_raw=allow_raw,
    )  # fmt: skip
    settings = Settings.of(mechanism, **options)
    if keep_column and not settings.mechanism.keeps_records:
        raise ParameterError(
            f"{settings.mechanism.name} makes new records, which have no '{keep_column[0]}'; "
            "leave out --keep-column"
        )
    check_output(output, force)
    if report:
        show.check_report(report, force)
    check_apart(input, output, *([report] if report else []))
    data = o.open_dataset(input, column=column, keep=keep_column, strict=strict, user=user)
    with open_writer(output, force=force) as writer:
        result = show.with_progress(
            data,
            settings,
            workers=workers,
            plugins=plugin or (),
            each=lambda done: writer.write(done.protected.trace),
            quiet=quiet or json,
        )
        if report:
            show.write_report(result, report)
    written = output if report is None else f"{output} (the report: {report})"
    show.batches(result, data, json=json, quiet=quiet, written=written)
