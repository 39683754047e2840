"""Objectives: what a person wishes of the metrics, and the one cost that a search lowers."""

from alp.objectives.cost import Cost
from alp.objectives.objective import AtLeast, AtMost, Maximise, Minimise, Objective, parse_objective

__all__ = ["AtLeast", "AtMost", "Cost", "Maximise", "Minimise", "Objective", "parse_objective"]
