"""Protection mechanisms (LPPMs): trace → protected trace, one per file.

Every module of this folder whose name has no leading underscore is imported here, and its decorator
registers what it holds.
"""

import pkgutil
from importlib import import_module

from alp.mechanisms._base import MECHANISMS, Mechanism, mechanism, mechanism_named

for _module in pkgutil.iter_modules(__path__):
    if not _module.name.startswith("_"):
        import_module(f"{__name__}.{_module.name}")

__all__ = ["MECHANISMS", "Mechanism", "mechanism", "mechanism_named"]
