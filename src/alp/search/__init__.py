"""Searches: cost → next state. They never see a trace or a metric."""

import pkgutil
from importlib import import_module

from alp.search._base import SEARCHES, CostOfState, Search, Step, search, search_named

for _module in pkgutil.iter_modules(__path__):
    if not _module.name.startswith("_"):
        import_module(f"{__name__}.{_module.name}")

__all__ = ["SEARCHES", "CostOfState", "Search", "Step", "search", "search_named"]
