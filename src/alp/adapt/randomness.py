"""Where randomness comes from: a seed for experiments, the operating system for releases."""

from __future__ import annotations

import ctypes
import os
import secrets
import struct
import threading
import weakref
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Randomness:
    """Generators by purpose. None depends on the order of work, or on how it is shared out."""

    seed: int | None = None
    _master: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # Tuning draws are compared and thrown away; without a seed any unknown start will do.
        master = secrets.randbits(128) if self.seed is None else self.seed
        object.__setattr__(self, "_master", master)

    def tuning(self, *key: object) -> np.random.Generator:
        """Return the generator for draws that are inspected and never released."""
        return self._seeded("tune", *key)

    def searching(self, *key: object) -> np.random.Generator:
        """Return the generator for a search's own choices."""
        return self._seeded("search", *key)

    def release(self, *key: object) -> np.random.Generator:
        """Return the generator for what is released: the operating system's unless seeded."""
        return system_generator() if self.seed is None else self._seeded("release", *key)

    def _seeded(self, *key: object) -> np.random.Generator:
        # Lengths before parts, so that ("a", "bc") and ("ab", "c") differ.
        parts = [str(part).encode() for part in key]
        text = b"".join(struct.pack("<I", len(part)) + part for part in parts)
        words = int.from_bytes(blake2b(text, digest_size=8).digest(), "little")
        return np.random.default_rng(np.random.SeedSequence([self._master, words]))


def system_generator() -> np.random.Generator:
    """Return a generator whose every bit is the operating system's.

    Unlike a generator that is only seeded there, no output tells anything about another.
    """
    return _SystemGenerator(_SystemBits())  # type: ignore[arg-type]  # by shape, not by class


class _BitGenerator(ctypes.Structure):
    """What numpy calls `bitgen_t`: a state and four functions that draw from it."""

    _fields_ = (
        ("state", ctypes.c_void_p),
        ("next_uint64", ctypes.c_void_p),
        ("next_uint32", ctypes.c_void_p),
        ("next_double", ctypes.c_void_p),
        ("next_raw", ctypes.c_void_p),
    )


class _SystemBits:
    """Random bits of the operating system in the shape numpy's generators draw from."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._words: list[int] = []
        word, half = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p), ctypes.c_uint32
        self._functions = (
            word(self._next),
            ctypes.CFUNCTYPE(half, ctypes.c_void_p)(lambda _: self._next(0) >> 32),
            ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(
                lambda _: (self._next(0) >> 11) * 2.0**-53
            ),
            word(self._next),
        )
        pointers = [ctypes.cast(f, ctypes.c_void_p) for f in self._functions]
        self._struct = _BitGenerator(None, *pointers)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = (
            ctypes.py_object,
            (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p),
        )
        self.capsule: Any = make(ctypes.addressof(self._struct), b"BitGenerator", None)
        _INSTANCES.add(self)

    def _next(self, _: int) -> int:
        if not self._words:
            self._words = list(struct.unpack("<512Q", os.urandom(4096)))
        return self._words.pop()

    def forget(self) -> None:
        """Drop what was fetched in advance."""
        self._words = []


class _SystemGenerator(np.random.Generator):
    """numpy's generator on the system's bits, with uniform numbers fetched in bulk."""

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Return uniform numbers in [0, 1)."""
        if size is None or out is not None or np.dtype(dtype) != np.float64:
            return super().random(size, dtype, out)
        words = np.frombuffer(os.urandom(8 * int(np.prod(size))), np.uint64)
        return ((words >> np.uint64(11)) * 2.0**-53).reshape(size)

    def spawn(self, n_children: int) -> list[np.random.Generator]:
        """Return generators of their own; here all are."""
        return [system_generator() for _ in range(n_children)]


_INSTANCES: weakref.WeakSet[_SystemBits] = weakref.WeakSet()


def _forget_all() -> None:
    """Drop words fetched before a fork: parent and child would use them both."""
    for bits in _INSTANCES:
        bits.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
