"""Compiled loops over plain arrays: no objects, no files, no randomness of their own.

Points are three float64 columns in metres (see `alp.geo.geometry`); times are int64 microseconds.
No kernel uses fast-math: each gives the same bits as its plain Python reading.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def _ensure_cache_folder() -> None:
    """Point numba at a folder it can write to, since it refuses to start without one.

    A service account or a container often has neither a writable package folder nor a home.
    """
    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    user = os.getuid() if hasattr(os, "getuid") else "user"
    for place in (f"{home}/alp/kernels", f"{tempfile.gettempdir()}/alp-kernels-{user}"):
        try:
            folder = Path(place).expanduser()
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except (OSError, RuntimeError):  # RuntimeError: an account without a home
            continue
        if not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid():
            os.environ["NUMBA_CACHE_DIR"] = str(folder)
            return


_ensure_cache_folder()
