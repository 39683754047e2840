"""A synthetic town: seeded people whose days resemble those of real traces."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import date

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng
from numpy.typing import NDArray

from alp.errors import ParameterError, UnknownNameError
from alp.geo import SPHERE
from alp.geo.geometry import Floats
from alp.trace import Dataset, Records, Repairs, Trace

Place = tuple[float, float]  # metres east and north of the town's centre
Degrees = tuple[float, float]  # latitude and longitude
Times = NDArray[np.int64]

MINUTE_S, HOUR_S, DAY_S, DAY_US = 60.0, 3_600.0, 86_400.0, 86_400_000_000
COLLEAGUES = 4  # how many users one shared workplace has
RANGES = {
    "users": (1, 1_000_000),
    "days": (1, 10_000),
    "seed": (0, math.inf),
    "size_m": (1_000, 100_000),
    "step_s": (0.001, DAY_S),
    "jitter_m": (0, 1_000),
    "shared_work": (0, 1),
    "no_stay_days": (0, 1),
    "gap_per_hour": (0, 1),
    "duplicates": (0, 1),
    "disorder": (0, 0.5),
}


def day(
    seed: int = 0,
    *,
    centre: Degrees = (39.9, 116.4),
    start: str = "2016-07-01",
    step_s: float = 30,
    jitter_m: float = 6.0,
    user: str = "u",
) -> Trace:
    """Return one plain working day: home, a drive to work, lunch on foot, work, a drive home.

    Home is at `centre`, work 6 km east and 3 km north of it. The seed draws the GPS jitter alone.

    >>> day()
    Trace(user='u', 2880 records, 2016-07-01T00:00:00.000000 to 2016-07-01T23:59:30.000000)
    """
    _check(centre, seed=seed, step_s=step_s, jitter_m=jitter_m)
    home, work, lunch = (0.0, 0.0), (6_000.0, 3_000.0), (6_400.0, 3_100.0)
    path = _Path(home)
    path.stay(8 * HOUR_S)
    for place, speed_mps, hours in ((work, 8.0, 4), (lunch, 1.3, 1), (work, 1.3, 4)):
        path.go(place, speed_mps)
        path.stay(hours * HOUR_S)
    path.go(home, 8.0)
    time_us = np.arange(0, DAY_US, round(step_s * 1e6))
    noise_m = jitter_m * default_rng(seed).standard_normal((len(time_us), 2))
    lat, lon = path.seen(time_us, noise_m, centre)
    return Trace.of_records(user, Records(time_us + _midnight(start) * DAY_US, lat, lon))


@dataclass(frozen=True, slots=True, kw_only=True)
class Town:
    """A seeded population that lives, works and travels in a square around `centre`.

    Homes and workplaces lie anywhere in the square. People differ in working hours, lunch,
    errands, outings and the way they travel: on foot, by bicycle or by car, in straight lines at
    a constant speed. Weekends are spent at home or at one leisure place. The town's clock is UTC.

    A user depends on the seed and on their own number alone. More users or days add to a town and
    change nothing in it; gaps, jitter, duplicates and disorder leave the movements as they were.
    """

    users: int = 20
    days: int = 7
    seed: int = 0
    centre: Degrees = (48.8566, 2.3522)
    start: str = "2016-07-04"  # a Monday
    size_m: float = 20_000
    step_s: float = 30
    jitter_m: float = 6.0
    shared_work: float = 0.2  # the share of users who work where others do
    no_stay_days: float = 0.05  # the share of days recorded on the road only
    gap_per_hour: float = 0.1  # the probability that records stop, for 10 minutes to 6 hours
    duplicates: float = 0.0  # the share of records that come twice
    disorder: float = 0.0  # the share of records that come too late

    def __post_init__(self) -> None:
        _check(self.centre, **{name: getattr(self, name) for name in RANGES})
        _midnight(self.start)

    def dataset(self) -> Dataset:
        """Return users u000, u001, …; their records are made when they are asked for."""
        names = tuple(self._name(index) for index in range(self.users))
        return Dataset(_TownSource(self, names), name="town")

    def trace(self, user: int | str) -> Trace:
        """Return the trace of a user, given by number or name."""
        index = self._index(user)
        return Trace.of_records(self._name(index), self._clean(index))

    def records(self, user: int | str) -> Records:
        """Return the raw records of a user, with the town's duplicates and disorder."""
        index = self._index(user)
        clean, rng = self._clean(index), self._streams(index)[3]
        count, pairs = len(clean), len(clean) // 2
        order, copies = np.arange(count), np.ones(count, np.int64)
        late = 2 * rng.choice(pairs, min(round(self.disorder * count), pairs), replace=False)
        order[late], order[late + 1] = order[late + 1], order[late]
        copies[rng.choice(count, round(self.duplicates * count), replace=False)] = 2
        return clean.take(np.repeat(order, copies))

    def size(self, user: int | str) -> int:
        """Return how many raw records a user has, without placing them."""
        count = int(np.count_nonzero(self._life(self._index(user))[2]))
        return count + round(self.duplicates * count)

    def _name(self, index: int) -> str:
        return f"u{index:0{max(3, len(str(self.users - 1)))}d}"

    def _index(self, user: int | str) -> int:
        digits = str(user).removeprefix("u")
        index = int(digits) if digits.isdecimal() and len(digits) < 10 else self.users
        if index >= self.users or user not in (index, self._name(index)):
            known = [self._name(index) for index in range(min(self.users, 20))]
            raise UnknownNameError("user of the town", str(user), known)
        return index

    def _streams(self, index: int) -> list[Generator]:
        """Return independent generators for a user's life, gaps, jitter and damage."""
        return [default_rng(seed) for seed in SeedSequence([self.seed, index]).spawn(4)]

    def _clean(self, index: int) -> Records:
        path, time_us, kept = self._life(index)
        # Noise is drawn for the gaps too: what comes after one does not depend on it.
        noise_m = self.jitter_m * self._streams(index)[2].standard_normal((len(time_us), 2))
        lat, lon = path.seen(time_us[kept], noise_m[kept], self.centre)
        return Records(time_us[kept] + _midnight(self.start) * DAY_US, lat, lon)

    def _life(self, index: int) -> tuple[_Path, Times, NDArray[np.bool_]]:
        """Return where a user goes, the clock of the records, and which of them are kept."""
        rng, gaps, _, _ = self._streams(index)
        person = self._person(index, rng)
        path = _Path(person.home)
        time_us = np.arange(0, self.days * DAY_US, round(self.step_s * 1e6))
        kept = np.ones(len(time_us), bool)
        for number in range(self.days):
            begin_s = number * DAY_S
            if rng.random() < self.no_stay_days:
                leaves_s = begin_s + rng.uniform(6.0, 10.0) * HOUR_S
                path.wait(leaves_s)
                kept[_window(time_us, begin_s, path.now_s)] = False
                while path.now_s < leaves_s + 5 * HOUR_S:
                    path.go(self._anywhere(rng), person.car_mps)
                path.go(person.home, person.car_mps)
                kept[_window(time_us, path.now_s, begin_s + DAY_S)] = False
            elif (_midnight(self.start) + number) % 7 in (2, 3):  # 1 January 1970 was a Thursday
                person.live_weekend(path, begin_s, rng)
            else:
                person.live_working_day(path, begin_s, rng)
        for hour, (chance, moment, length) in enumerate(gaps.random((24 * self.days, 3))):
            if chance < self.gap_per_hour:
                begin_s = (hour + moment) * HOUR_S
                # Uniform on a log scale from 10 minutes to 6 hours: most gaps are short.
                end_s = begin_s + 10 * MINUTE_S * 36**length
                kept[_window(time_us, begin_s, end_s)] = False
        return path, time_us, kept

    def _person(self, index: int, rng: Generator) -> _Person:
        home, work, leisure = (self._anywhere(rng) for _ in range(3))
        # Counted, not drawn: even twenty users have the share that was asked for.
        sharers = int(index * self.shared_work)
        if int((index + 1) * self.shared_work) > sharers:
            shared = SeedSequence([self.seed, sharers // COLLEAGUES, 1])
            work = self._anywhere(default_rng(shared))
        return _Person(home, work, leisure, rng)

    def _anywhere(self, rng: Generator) -> Place:
        east, north = rng.uniform(-self.size_m / 2, self.size_m / 2, 2)
        return float(east), float(north)


@dataclass(frozen=True, slots=True)
class _TownSource:
    """The users of a town as a source of raw records; it can be sent to another process."""

    town: Town
    users: tuple[str, ...]
    damage: Repairs = field(default_factory=Repairs)

    def size(self, user: str) -> int:
        return self.town.size(user)

    def read(self, user: str) -> Records:
        return self.town.records(user)


class _Path:
    """Moments and places between which a user moves at constant speed; time never goes back."""

    def __init__(self, place: Place) -> None:
        self.now_s, self.place = 0.0, place
        self.knots = [(0.0, *place)]

    def wait(self, until_s: float) -> None:
        """Stay until that moment, or not at all if it is past."""
        self.now_s = max(self.now_s, until_s)
        self.knots.append((self.now_s, *self.place))

    def stay(self, length_s: float) -> None:
        self.wait(self.now_s + length_s)

    def go(self, place: Place, speed_mps: float) -> None:
        self.now_s += math.dist(self.place, place) / speed_mps
        self.place = place
        self.knots.append((self.now_s, *place))

    def seen(self, time_us: Times, noise_m: Floats, centre: Degrees) -> tuple[Floats, Floats]:
        """Return latitudes and longitudes at those times, as a noisy receiver tells them."""
        moments, *columns = np.array(self.knots).T
        east, north = (np.interp(time_us / 1e6, moments, column) for column in columns)
        # Each place is a trip from the centre along a great circle: true metres, no seam, no pole.
        origin = SPHERE.to_points(*(np.full(len(time_us), float(value)) for value in centre))
        trips = SPHERE.directions(origin, east + noise_m[:, 0], north + noise_m[:, 1])
        return SPHERE.to_degrees(SPHERE.travel(origin, trips))


class _Person:
    """Places, habits and speeds of one user; `lunches`, `errands`, `outings` are probabilities."""

    def __init__(self, home: Place, work: Place, leisure: Place, rng: Generator) -> None:
        self.home, self.work, self.leisure = home, work, leisure
        self.lunch, self.errand = _near(work, 150, 900, rng), _near(home, 300, 3_000, rng)
        self.leaves_s, self.works_s = rng.uniform((6.0, 5.5), 9.5) * HOUR_S
        self.lunch_s = rng.uniform(25.0, 75.0) * MINUTE_S
        self.lunches, self.errands, self.outings = rng.uniform((0, 0, 0.3), (1, 0.7, 0.9))
        self.walks_m, bicycle_m = rng.uniform((700, 2_000), (2_500, 9_000))
        self.walk_mps, bicycle_mps, self.car_mps = rng.uniform((1.1, 3.5, 7.0), (1.6, 6.0, 14.0))
        self.ride_mps = bicycle_mps if math.dist(home, work) < bicycle_m else self.car_mps

    def go(self, path: _Path, place: Place) -> None:
        on_foot = math.dist(path.place, place) <= self.walks_m
        path.go(place, self.walk_mps if on_foot else self.ride_mps)

    def live_working_day(self, path: _Path, begin_s: float, rng: Generator) -> None:
        leaves_s, returns_s = rng.normal(begin_s + self.leaves_s, 10 * MINUTE_S, 2)
        path.wait(leaves_s)
        self.go(path, self.work)
        if rng.random() < self.lunches:
            path.wait(leaves_s + self.works_s / 2)
            self.go(path, self.lunch)
            path.stay(self.lunch_s)
            self.go(path, self.work)
        path.wait(returns_s + self.works_s)
        if rng.random() < self.errands:
            self.go(path, self.errand)
            path.stay(rng.uniform(20.0, 90.0) * MINUTE_S)
        self.go(path, self.home)

    def live_weekend(self, path: _Path, begin_s: float, rng: Generator) -> None:
        if rng.random() < self.outings:
            path.wait(begin_s + rng.uniform(9.0, 16.0) * HOUR_S)
            self.go(path, self.leisure)
            path.stay(rng.uniform(1.0, 5.0) * HOUR_S)
            self.go(path, self.home)


def _near(place: Place, low_m: float, high_m: float, rng: Generator) -> Place:
    distance_m, angle = rng.uniform((low_m, 0.0), (high_m, 2.0 * math.pi))
    return place[0] + distance_m * math.cos(angle), place[1] + distance_m * math.sin(angle)


def _window(time_us: Times, begin_s: float, end_s: float) -> slice:
    begin, end = np.searchsorted(time_us, (begin_s * 1e6, end_s * 1e6))
    return slice(int(begin), int(end))


def _midnight(start: str) -> int:
    """Return the number of that day since 1970."""
    try:
        return date.fromisoformat(start).toordinal() - date(1970, 1, 1).toordinal()
    except ValueError:
        raise ParameterError(f"start must be a date such as 2016-07-04, not '{start}'") from None


def _check(centre: Degrees, **values: float) -> None:
    if not (abs(centre[0]) <= 90.0 and abs(centre[1]) <= 360.0):
        raise ParameterError("centre must be a latitude within ±90° and a longitude within ±360°")
    for name, value in values.items():
        low, high = RANGES[name]
        if not low <= value <= high:
            raise ParameterError(f"{name} must lie between {low} and {high}, not {value}")
