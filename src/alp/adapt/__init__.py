"""The framework itself: obfuscate, evaluate, propose a better configuration, until good enough."""

from alp.adapt.evaluation import evaluate_user
from alp.adapt.protection import Protected, protect_user
from alp.adapt.settings import Settings
from alp.adapt.tuner import Tuned, tune_batch

__all__ = ["Protected", "Settings", "Tuned", "evaluate_user", "protect_user", "tune_batch"]
