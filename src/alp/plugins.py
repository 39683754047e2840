"""Plug-ins in a user's own file: `--plugin my.py`."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from collections.abc import Iterable
from pathlib import Path

from alp.errors import AlpError


def load_plugins(files: Iterable[str | Path]) -> None:
    """Import each file; its decorators register what it holds. A file is imported once."""
    for file in files:
        _load(Path(file).resolve())


def _load(path: Path) -> None:
    # The name is made of the path, so that worker processes find the same classes by it.
    name = f"alp_plugin_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return
    if not path.is_file():
        raise AlpError(f"the plug-in {path} is no file")
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise AlpError(f"the plug-in {path} is no Python file: its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise AlpError(
            f"the plug-in {path} cannot be imported: {type(error).__name__}: {error}"
        ) from error
