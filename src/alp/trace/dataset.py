"""Dataset: traces by user, read when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from alp.errors import DataError, UnknownNameError
from alp.geo import SPHERE, Geometry, geometry_named
from alp.trace.records import Records
from alp.trace.repair import Repairs, repair
from alp.trace.trace import Trace


class Source(Protocol):
    """Where raw records lie, user by user. It can be sent to another process."""

    @property
    def users(self) -> Sequence[str]:
        """The users, sorted."""

    @property
    def damage(self) -> Repairs:
        """What was lost before records could be told apart by user."""

    def size(self, user: str) -> int:
        """Return how many raw records the user has."""

    def read(self, user: str) -> Records:
        """Return the user's raw records."""


@dataclass(frozen=True, slots=True)
class MemorySource:
    """Records already in memory."""

    records: Mapping[str, Records]
    damage: Repairs

    @property
    def users(self) -> Sequence[str]:
        """The users, sorted."""
        return sorted(self.records)

    def size(self, user: str) -> int:
        """Return how many raw records the user has."""
        return len(self.records[user])

    def read(self, user: str) -> Records:
        """Return the user's raw records."""
        return self.records[user]


class Dataset(Mapping[str, Trace]):
    """A mapping from user to `Trace`; a trace is read and repaired when it is asked for."""

    def __init__(
        self,
        source: Source,
        *,
        name: str = "dataset",
        geometry: str | Geometry = SPHERE,
        strict: bool = False,
        users: Sequence[str] | None = None,
    ) -> None:
        self.source = source
        self.name = name
        self.geometry = geometry_named(geometry)
        self.strict = strict
        self._users = tuple(source.users if users is None else users)
        self._known = frozenset(self._users)
        self._repairs: dict[str, Repairs] = {}

    @classmethod
    def of(cls, traces: Mapping[str, Trace] | Sequence[Trace], name: str = "dataset") -> Dataset:
        """Return a dataset of traces in memory."""
        items = list(traces.values()) if isinstance(traces, Mapping) else list(traces)
        records = {t.user: Records(t.time_us, t.lat, t.lon, t.extra) for t in items}
        if len(records) < len(items):
            raise DataError("several traces are of the same user; join them first")
        geometry = items[0].geometry if items else SPHERE
        return cls(MemorySource(records, Repairs()), name=name, geometry=geometry)

    @property
    def users(self) -> tuple[str, ...]:
        """The users, sorted."""
        return self._users

    @property
    def repairs(self) -> Repairs:
        """What was repaired in the traces read so far."""
        return sum(self._repairs.values(), Repairs(self.source.damage))

    def repaired(self, user: str) -> Repairs:
        """Return what was repaired in `user`'s trace when it was last read."""
        return self._repairs.get(user, Repairs())

    def size(self, user: str) -> int:
        """Return how many raw records `user` has, without reading them."""
        return self.source.size(user)

    def using(self, geometry: str | Geometry) -> Dataset:
        """Return this dataset with distances of another geometry."""
        return self._with(geometry=geometry_named(geometry))

    def only(self, users: Sequence[str]) -> Dataset:
        """Return this dataset with these users alone."""
        for user in users:
            self._check(user)
        return self._with(users=tuple(sorted(set(users))))

    def _with(
        self, *, geometry: Geometry | None = None, users: Sequence[str] | None = None
    ) -> Dataset:
        return Dataset(
            self.source,
            name=self.name,
            geometry=geometry or self.geometry,
            strict=self.strict,
            users=self._users if users is None else users,
        )

    def _check(self, user: str) -> None:
        if user not in self._known:
            raise UnknownNameError(f"user of {self.name}", user, self._users[:20])

    def __getitem__(self, user: str) -> Trace:
        if user not in self._known:
            raise KeyError(user)
        return self.clean(user, self.source.read(user))

    def clean(self, user: str, records: Records) -> Trace:
        """Return the trace of a user's raw records, repaired (or refused) as this dataset does."""
        clean, found = repair(records, strict=self.strict, where=f"{self.name}, user {user}")
        self._repairs[user] = found
        return Trace.of_records(user, clean, self.geometry)

    def emptied(self) -> Dataset:
        """Return this dataset's ways without its records, for a process that is sent them."""
        return Dataset(
            MemorySource({}, Repairs()),
            name=self.name,
            geometry=self.geometry,
            strict=self.strict,
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self._users)

    def __len__(self) -> int:
        return len(self._users)

    def __repr__(self) -> str:
        return f"Dataset({self.name!r}, {len(self)} users)"
