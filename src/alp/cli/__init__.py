"""The command line: one file per command."""

from __future__ import annotations

import os
import sys

from alp import interruption
from alp.errors import AlpError


def main() -> None:
    """Run `alp`: status 0 done, 2 what the user gave is wrong, 1 our fault."""
    interruption.listen()
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command and return its exit status."""
    try:
        return _invoke(arguments)
    except (KeyboardInterrupt, Exception) as error:
        status, sentence = _verdict(error)
        if "--debug" in arguments and status in (1, 2):
            raise
        if sentence:
            sys.stderr.write(f"alp: error: {' '.join(sentence.split())}\n")
        return status


def _invoke(arguments: list[str]) -> int:
    from alp.cli._app import app

    status = int(app(arguments or ["--help"], prog_name="alp", standalone_mode=False) or 0)
    if status == 130:  # typer has caught the interruption
        raise KeyboardInterrupt
    return status


def _verdict(error: BaseException) -> tuple[int, str]:
    """Return the exit status and the one line that tells what was wrong."""
    from alp.cli._app import ClickException

    # A compiled loop turns Ctrl-C into an error of its own.
    if isinstance(error, KeyboardInterrupt) or interruption.wished():
        return 130, "interrupted; no unfinished file was left behind"
    if isinstance(error, AlpError):
        return 2, str(error)
    if isinstance(error, ClickException):
        return 2, error.format_message()  # type: ignore[attr-defined]
    if isinstance(error, BrokenPipeError):
        # The reader of our output has gone; Python would complain once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0, ""
    if isinstance(error, MemoryError):
        return 1, "out of memory; try fewer --workers, or --per day"
    # The message itself may hold a position, so only its kind is told.
    kind = type(error).__name__
    return 1, f"internal fault ({kind}); run again with --debug for the details"
