"""Reports: figures, tables and pages of what was done to a dataset."""

from alp.report.page import write_page
from alp.report.treatment import Treatment

__all__ = ["Treatment", "write_page"]
