"""Builders of traces, and how hypothesis runs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import settings

from alp.trace import Trace
from strategies import METRES_PER_DEGREE, START_US

# Compilation breaks any deadline; the same examples every time keep a failure repeatable.
settings.register_profile("alp", deadline=None, database=None, derandomize=True)
settings.load_profile("alp")

HOME = (39.9, 116.4)


def trace_of(east_m, north_m, *, step_s=30.0, user="ada", origin=HOME, geometry="sphere") -> Trace:
    """Return a trace of metres around `origin`, one record every `step_s` seconds."""
    lat = origin[0] + np.asarray(north_m, float) / METRES_PER_DEGREE
    metres_per_lon = METRES_PER_DEGREE * np.cos(np.radians(origin[0]))
    lon = origin[1] + np.asarray(east_m, float) / metres_per_lon
    time_us = START_US + np.round(np.arange(len(lat)) * step_s * 1e6).astype(np.int64)
    return Trace(user, time_us, lat, lon, geometry=geometry)


@pytest.fixture(scope="session")
def make_trace():
    """Build a trace from metres east and north of home."""
    return trace_of


@pytest.fixture(scope="session")
def make_walk():
    """Build a straight walk east at a steady speed."""

    def build(length_m=1050.0, speed=1.4, **how) -> Trace:
        step_s = how.get("step_s", 30.0)
        east = np.append(np.arange(0.0, length_m, speed * step_s), length_m)
        return trace_of(east, np.zeros_like(east), **how)

    return build


@pytest.fixture(scope="session")
def make_stay():
    """Build a stay at home with the jitter of a receiver."""

    def build(minutes=60.0, jitter_m=6.0, seed=7, **how) -> Trace:
        n = int(minutes * 60.0 / how.get("step_s", 30.0)) + 1
        east, north = np.random.default_rng(seed).normal(0.0, jitter_m, (2, n))
        return trace_of(east, north, **how)

    return build


@pytest.fixture(scope="session")
def make_day():
    """Build a day: home, a drive to work, work, the drive back, home; two places, three stays."""

    def build(seed=7, jitter_m=6.0, work_m=(6000.0, 3000.0), **how) -> Trace:
        step_s = how.get("step_s", 30.0)
        drive = int(np.hypot(*work_m) / (8.0 * step_s)) + 1
        at_home, at_work = (np.full(int(h * 3600 / step_s), s) for h, s in ((8, 0.0), (9, 1.0)))
        way = np.linspace(0.0, 1.0, drive)
        share = np.concatenate([at_home, way, at_work, way[::-1], at_home[: len(at_home) // 2]])
        jitter = np.random.default_rng(seed).normal(0.0, jitter_m, (2, len(share)))
        return trace_of(share * work_m[0] + jitter[0], share * work_m[1] + jitter[1], **how)

    return build


@pytest.fixture(scope="session")
def walk(make_walk) -> Trace:
    """Return a walk of 1,050 m."""
    return make_walk()


@pytest.fixture(scope="session")
def stay(make_stay) -> Trace:
    """Return an hour at home."""
    return make_stay()


@pytest.fixture(scope="session")
def day(make_day) -> Trace:
    """Return a day at home and at work, some 2,600 records."""
    return make_day()
