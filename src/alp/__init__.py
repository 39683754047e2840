"""ALP, Adaptive Location Privacy: protect mobility data to objectives.

    import alp
    data = alp.read("traces.parquet")
    tuned = alp.tune(data["042"], "promesse", ["minimise poi-retrieval", "maximise area-coverage"])
    result = alp.protect(data, "geo-i", per="day")

A map of the package, from people down to arrays:

- `alp.cli`: the command line
- `alp.api`: the functions above
- `alp.engine`, `alp.adapt`: every user, one batch: obfuscate, evaluate, search, release
- `alp.objectives`, `alp.search`: values → one cost, cost → next configuration
- `alp.mechanisms`, `alp.metrics`: the plug-ins, one per file
- `alp.io`, `alp.prepare`, `alp.town`: files ↔ traces, sampling and splitting, a synthetic town
- `alp.places`, `alp.trace`, `alp.params`, `alp.geo`, `alp.kernels`: what all of these work on

Names are imported when they are first used, so that `import alp` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from alp.adapt import Tuned
    from alp.api import Report, Result, evaluate, protect, tune, write
    from alp.errors import AlpError
    from alp.io import read
    from alp.mechanisms import Mechanism, mechanism
    from alp.mechanisms.drop import Drop
    from alp.mechanisms.geo_indistinguishability import GeoIndistinguishability
    from alp.mechanisms.promesse import Promesse
    from alp.metrics import Metric, Purpose, metric
    from alp.params import Choice, Interval, Linear, Log, Option
    from alp.plugins import load_plugins
    from alp.town import Town
    from alp.trace import Dataset, Trace

__version__ = "0.1.0"

_HOMES = {
    "AlpError": "alp.errors",
    "Choice": "alp.params",
    "Dataset": "alp.trace",
    "Drop": "alp.mechanisms.drop",
    "GeoIndistinguishability": "alp.mechanisms.geo_indistinguishability",
    "Interval": "alp.params",
    "Linear": "alp.params",
    "Log": "alp.params",
    "Mechanism": "alp.mechanisms",
    "Metric": "alp.metrics",
    "Option": "alp.params",
    "Promesse": "alp.mechanisms.promesse",
    "Purpose": "alp.metrics",
    "Report": "alp.api",
    "Result": "alp.api",
    "Town": "alp.town",
    "Trace": "alp.trace",
    "Tuned": "alp.adapt",
    "evaluate": "alp.api",
    "load_plugins": "alp.plugins",
    "mechanism": "alp.mechanisms",
    "metric": "alp.metrics",
    "protect": "alp.api",
    "read": "alp.io",
    "tune": "alp.api",
    "write": "alp.api",
}

__all__ = [
    "AlpError",
    "Choice",
    "Dataset",
    "Drop",
    "GeoIndistinguishability",
    "Interval",
    "Linear",
    "Log",
    "Mechanism",
    "Metric",
    "Option",
    "Promesse",
    "Purpose",
    "Report",
    "Result",
    "Town",
    "Trace",
    "Tuned",
    "evaluate",
    "load_plugins",
    "mechanism",
    "metric",
    "protect",
    "read",
    "tune",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'alp' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
