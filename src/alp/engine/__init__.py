"""Engines: the same work on every user, run somewhere."""

from alp.engine.local import Done, protect_all

__all__ = ["Done", "protect_all"]
