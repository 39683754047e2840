"""`alp tune`: what would be chosen, and what it would give."""

from __future__ import annotations

from alp.cli import _options as o


def tune(
    input: o.Input,
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
    column: o.Column = None,
    user: o.User = None,
    strict: o.Strict = False,
    plugin: o.Plugin = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
    debug: o.Debug = False,
) -> None:
    """Show what would be chosen for each user or batch, and what it would give."""
    from alp.adapt import Settings
    from alp.cli import _show as show

    options = o.settings_options(
        plugin=plugin, objectives=objective, metrics=metric, search=search, fixed=set_,
        domain=domain, geometry=geometry, per=per, tz=tz, sample=sample, seed=seed,
        profile=profile, allow_raw=allow_raw,
    )  # fmt: skip
    settings = Settings.of(mechanism, **options)
    data = o.open_dataset(input, column=column, strict=strict, user=user)
    result = show.with_progress(
        data,
        settings,
        workers=workers,
        plugins=plugin or (),
        each=lambda done: None,
        quiet=quiet or json,
    )
    show.batches(result, data, json=json, quiet=quiet)
