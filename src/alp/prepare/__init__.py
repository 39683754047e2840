"""Trace → traces before protection: sampling and splitting."""

from alp.prepare.sampling import parse_duration, sample_every
from alp.prepare.splitting import split

__all__ = ["parse_duration", "sample_every", "split"]
