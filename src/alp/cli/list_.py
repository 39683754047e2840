"""`alp list`: what there is, with parameters, domains, units and sources."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from alp.cli import _options as o

_KINDS = ("mechanisms", "metrics", "searches", "formats")


def list_(
    kind: Annotated[
        str | None, typer.Argument(help="mechanisms, metrics, searches or formats; all if left out")
    ] = None,
    plugin: o.Plugin = None,
    json: o.Json = False,
    debug: o.Debug = False,
) -> None:
    """List mechanisms, metrics, searches and formats."""
    from alp.cli import _show as show
    from alp.errors import UnknownNameError
    from alp.plugins import load_plugins

    load_plugins(plugin or ())
    if kind is not None and kind not in _KINDS:
        raise UnknownNameError("kind of thing to list", kind, _KINDS)
    catalogue = {k: entries(k) for k in ([kind] if kind else _KINDS)}
    if json:
        show.as_json(catalogue)
    else:
        show.catalogue(catalogue)


def entries(kind: str) -> list[dict[str, Any]]:
    """Return a row for each thing of a kind."""
    from alp.io import FORMATS
    from alp.mechanisms import MECHANISMS
    from alp.metrics import METRICS
    from alp.params import describe_options
    from alp.registry import Registry
    from alp.search import SEARCHES

    registries: dict[str, Registry[Any]] = {
        "mechanisms": MECHANISMS,
        "metrics": METRICS,
        "searches": SEARCHES,
        "formats": FORMATS,
    }
    registry = registries[kind]
    rows = []
    for name in registry:
        cls = registry[name]
        row: dict[str, Any] = {
            "name": name,
            "summary": getattr(cls, "help", "") or _first_line(cls),
        }
        for fact in ("source", "unit", "best", "time_zones", "suffixes"):
            if getattr(cls, fact, None):
                row[fact] = getattr(cls, fact)
        if kind == "mechanisms":
            row["objectives"] = list(cls.objectives)
        if kind != "formats":
            row["options"] = describe_options(cls)
        rows.append(row)
    return rows


def _first_line(cls: type) -> str:
    return (cls.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")
