"""The data model: one user's trace, a dataset of traces, and the repair of raw records."""

from alp.trace.dataset import Dataset, MemorySource, Source
from alp.trace.records import TRACE, Records
from alp.trace.repair import Repairs, repair
from alp.trace.trace import Trace

__all__ = ["TRACE", "Dataset", "MemorySource", "Records", "Repairs", "Source", "Trace", "repair"]
