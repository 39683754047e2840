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
    from alp.cli._app import ClickException, app

    debug = "--debug" in arguments
    try:
        return int(app(arguments, prog_name="alp", standalone_mode=False) or 0)
    except (AlpError, ClickException) as error:
        if debug:
            raise
        return _complain(_sentence(error), 2)
    except BrokenPipeError:
        # The reader of our output has gone; Python would complain once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError:
        return _complain("out of memory; try fewer --workers, or --per day", 1)
    except (KeyboardInterrupt, Exception) as error:
        # A compiled loop turns Ctrl-C into an error of its own.
        if isinstance(error, KeyboardInterrupt) or interruption.wished():
            return _complain("interrupted; no unfinished file was left behind", 130)
        if debug:
            raise
        # The message itself may hold a position, so only its kind is told.
        kind = type(error).__name__
        return _complain(f"internal fault ({kind}); run again with --debug for the details", 1)


def _sentence(error: BaseException) -> str:
    """Return an error as one line."""
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    return " ".join(message.split())


def _complain(message: str, status: int) -> int:
    sys.stderr.write(f"alp: error: {message}\n")
    return status
