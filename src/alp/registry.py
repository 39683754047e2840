"""Registries: the short names by which mechanisms, metrics, searches and formats are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from typing import Generic, TypeVar

from alp.errors import AlpError, UnknownNameError

T = TypeVar("T")


class Registry(Generic[T]):
    """Short name → class, filled by a decorator and by the entry points of other packages."""

    def __init__(self, kind: str, entry_point_group: str | None = None) -> None:
        self.kind = kind
        self._group = entry_point_group
        self._classes: dict[str, type[T]] = {}

    def register(self, name: str) -> Callable[[type[T]], type[T]]:
        """Return the class decorator that registers a class under `name`."""

        def add(cls: type[T]) -> type[T]:
            known = self._classes.get(name)
            if known is not None and known.__qualname__ != cls.__qualname__:
                raise AlpError(
                    f"two {self.kind}s are named '{name}': {known.__qualname__} of "
                    f"{known.__module__} and {cls.__qualname__} of {cls.__module__}"
                )
            self._classes[name] = cls
            cls.name = name  # type: ignore[attr-defined]
            return cls

        return add

    def __getitem__(self, name: str) -> type[T]:
        self._load_entry_points()
        try:
            return self._classes[name]
        except KeyError:
            raise UnknownNameError(self.kind, name, self._classes) from None

    def __contains__(self, name: str) -> bool:
        self._load_entry_points()
        return name in self._classes

    def __iter__(self) -> Iterator[str]:
        self._load_entry_points()
        return iter(sorted(self._classes))

    def _load_entry_points(self) -> None:
        """Import what other packages announce; importing runs their decorator."""
        if self._group is None:
            return
        group, self._group = self._group, None
        for point in entry_points(group=group):
            try:
                point.load()
            except Exception as error:
                raise AlpError(
                    f"the {self.kind} '{point.name}' of {point.value} cannot be loaded: {error}"
                ) from error
