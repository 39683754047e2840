"""What a mechanism lets us vary, and how options are written."""

from alp.params.domains import Choice, Domain, Interval, Linear, Log, parse_domain
from alp.params.options import Option, build, check, declared, describe_options, parse_spec
from alp.params.space import Configuration, Dimension, Space, State

__all__ = [
    "Choice",
    "Configuration",
    "Dimension",
    "Domain",
    "Interval",
    "Linear",
    "Log",
    "Option",
    "Space",
    "State",
    "build",
    "check",
    "declared",
    "describe_options",
    "parse_domain",
    "parse_spec",
]
