"""The `alp` command and its sub-commands."""

from __future__ import annotations

from typing import Annotated

import typer

from alp.cli import demo, evaluate, inspect, list_, protect, tune

# typer carries its own click or brings it along; either way this is its family of errors.
ClickException: type[Exception] = typer.BadParameter.__mro__[2]

app = typer.Typer(
    name="alp",
    help="Protect mobility data to objectives: say what to hide and what to keep, and ALP finds "
    "the configuration of a mechanism that does it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("demo")(demo.demo)
app.command("protect")(protect.protect)
app.command("tune")(tune.tune)
app.command("evaluate")(evaluate.evaluate)
app.command("inspect")(inspect.inspect)
app.command("list")(list_.list_)


def _version(wanted: bool) -> None:
    if wanted:
        from alp import __version__

        typer.echo(f"alp {__version__}")
        raise typer.Exit


@app.callback()
def alp(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Hold the options of `alp` itself."""
