"""An audit of a noise mechanism from samples: how much privacy it is certain to lose.

A mechanism is ε-geo-indistinguishable if no event is e^{εd} times as likely from one place as from
another at distance d. Half of the samples choose the event, out of a large family; the other half
certify it with Clopper–Pearson bounds, so that looking for the worst event costs no confidence.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import beta

import oracles
from alp.trace import Trace

DRAWS = 1_000_000
ALPHA = 1e-6
METRES_PER_DEGREE = np.pi / 180 * oracles.SPHERE_RADIUS_M


@dataclass(frozen=True)
class Finding:
    """The event that tells most, and the ε per metre that it certainly costs."""

    epsilon: float
    event: str


def place(origin, east_m, north_m):
    """Return the place so many metres from `origin`, which must be near."""
    lat, lon = origin
    ring = METRES_PER_DEGREE * np.cos(np.radians(lat))
    return lat + north_m / METRES_PER_DEGREE, lon + east_m / ring


def many(where, count=DRAWS):
    """Return a trace of `count` records in one place."""
    lat, lon = (np.full(count, value) for value in where)
    return Trace("u", np.arange(count), lat, lon)


def audit(sampler, here, there, seed, count=DRAWS):
    """Return the worst certified finding of `sampler(where, count, rng)` → (lat, lon)."""
    rngs = np.random.default_rng(seed).spawn(2)
    samples = [sampler(p, count, rng) for p, rng in zip((here, there), rngs, strict=True)]
    features = [_features(s, here, there) for s in samples]
    distance_m = float(oracles.haversine(*here, *there))
    half = count // 2
    best, chosen = -np.inf, None
    for name, low, high in _events({k: v[:half] for k, v in features[0].items()}):
        hits = [int(_inside(f[name][:half], low, high).sum()) for f in features]
        for first in (0, 1):
            score = _log_ratio(hits[first], hits[1 - first], half)
            if score > best:
                best, chosen = score, (name, low, high, first)
    name, low, high, first = chosen
    hits = [int(_inside(f[name][half:], low, high).sum()) for f in features]
    certain = _log_ratio(hits[first], hits[1 - first], count - half)
    return Finding(certain / distance_m, f"{name} in [{low:g}, {high:g}], {hits}")


def _log_ratio(more, less, count):
    """Return a lower bound of log p/q that fails with probability `ALPHA` at most."""
    if more == 0:
        return -np.inf
    low = beta.ppf(ALPHA / 2, more, count - more + 1)
    high = 1.0 if less >= count else beta.ppf(1 - ALPHA / 2, less + 1, count - less)
    return float(np.log(low / high))


def _inside(values, low, high):
    return (values >= low) & (values <= high)


def _features(sample, here, there):
    """Return what events may look at, one number per sample and name."""
    lat, lon = sample
    (east, north), (far_east, far_north) = _metres(lat, lon, here), _metres(lat, lon, there)
    to_here, to_there = np.hypot(east, north), np.hypot(far_east, far_north)
    along = np.array(_metres(*there, here))
    along /= np.hypot(*along)
    return {
        "likelihood": to_there - to_here,
        "projection": east * along[0] + north * along[1],
        "distance to here": to_here,
        "distance to there": to_there,
        **{f"lattice of {axis}": _fineness(v) for axis, v in (("lat", lat), ("lon", lon))},
        **{f"last digit of {a}": np.rint(v * 1e6) % 10 for a, v in (("lat", lat), ("lon", lon))},
        # The vector's y vanishes at Greenwich, where a place next to it leaves a coarse lattice.
        "dust of y": _dust(np.radians(lat), np.radians(lon)),
    }


def _metres(lat, lon, origin):
    """Return metres east and north of `origin`, on the plane that touches the Earth between."""
    turn = (np.subtract(lon, origin[1]) + 180.0) % 360.0 - 180.0
    ring = METRES_PER_DEGREE * np.cos(np.radians(origin[0]))
    return turn * ring, np.subtract(lat, origin[0]) * METRES_PER_DEGREE


def _fineness(values):
    """Return k for the coarsest lattice of step 2⁻ᵏ on which each number lies."""
    mantissa, exponent = np.frexp(values)
    bits = np.ldexp(mantissa, 53).astype(np.int64)
    lowest = np.where(bits == 0, 1, bits & -bits)
    return np.where(bits == 0, 0, 53 - exponent - np.log2(lowest.astype(float)))


def _dust(phi, lam):
    """Return how far y is from the lattice of 2⁻⁴⁶ m, the last bit of 100 m, in its steps.

    Where y is large its own last bits are as coarse, and the answer is 1.
    """
    y = oracles.SPHERE_RADIUS_M * np.cos(phi) * np.sin(lam)
    steps = y * 2.0**46
    return np.where(np.abs(y) < 1.0, np.abs(steps - np.rint(steps)), 1.0)


def _events(features):
    """Yield (feature, low, high) of all events that may be chosen."""
    tails = np.concatenate([np.geomspace(0.005, 0.4, 25), np.linspace(0.5, 0.9, 5)])
    tails = np.concatenate([tails, 1 - tails])
    levels = {name: np.quantile(features[name], tails) for name in ("likelihood", "projection")}
    levels |= dict.fromkeys(("distance to here", "distance to there"), np.geomspace(0.3, 1000, 20))
    levels |= dict.fromkeys(("lattice of lat", "lattice of lon"), range(40, 80, 3))
    for name, limits in levels.items():
        for limit in limits:
            yield name, -np.inf, limit
            yield name, limit, np.inf
    for digit in range(10):
        yield "last digit of lat", digit, digit
        yield "last digit of lon", digit, digit
    yield "dust of y", 0.1, 0.5
    yield "dust of y", -np.inf, 0.1
