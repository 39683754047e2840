"""Ctrl-C: a compiled loop may swallow the exception, so the wish is remembered, too."""

from __future__ import annotations

import signal
import threading
from types import FrameType

_wished = threading.Event()


def listen() -> None:
    """Remember Ctrl-C from now on; it still raises KeyboardInterrupt where Python can."""

    def handle(number: int, frame: FrameType | None) -> None:
        _wished.set()
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, handle)


def wished() -> bool:
    """Tell whether Ctrl-C was pressed."""
    return _wished.is_set()


def check() -> None:
    """Raise KeyboardInterrupt if Ctrl-C was pressed and came to nothing."""
    if _wished.is_set():
        raise KeyboardInterrupt
