"""Stays and points of interest in a trace."""

from alp.places.matching import PoiMatcher
from alp.places.stays import Pois, find_pois

__all__ = ["PoiMatcher", "Pois", "find_pois"]
