"""The local engine: users one after another, or several at a time in processes."""

from __future__ import annotations

import os
import pickle
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import NamedTuple

from alp import interruption
from alp.adapt import Protected, Settings, protect_user
from alp.plugins import load_plugins
from alp.trace import Dataset, MemorySource, Records, Repairs

SMALL = 200_000
"""Fewer records than this are done before a second process has started."""


class Done(NamedTuple):
    """What became of one user."""

    user: str
    records: int
    protected: Protected
    repairs: Repairs


def protect_all(
    dataset: Dataset,
    settings: Settings,
    *,
    workers: int | None = None,
    plugins: Sequence[str] = (),
) -> Iterator[Done]:
    """Yield every user protected, in the dataset's order whatever the number of workers.

    `workers` is all cores by default. Memory holds the users in flight, not the dataset.
    """
    count = workers or _cores()
    if workers is None and sum(dataset.size(user) for user in dataset) < SMALL:
        count = 1
    if min(count, len(dataset)) <= 1:
        yield from map(_Work(dataset, settings), dataset)
        return
    # Workers read a file themselves; records in memory are sent to them user by user.
    in_memory = isinstance(dataset.source, MemorySource)
    work = _Work(dataset.emptied() if in_memory else dataset, settings)
    # A fresh interpreter for each worker: a fork would copy the threads' locks of the readers.
    pool = ProcessPoolExecutor(
        min(count, len(dataset)),
        mp_context=get_context("spawn"),
        initializer=_start_worker,
        initargs=(tuple(plugins), pickle.dumps(work)),
    )
    try:
        yield from _in_order(pool, dataset, ahead=2 * count, in_memory=in_memory)
        pool.shutdown()
    except BrokenProcessPool:
        raise RuntimeError("a worker process died; try again with fewer --workers") from None
    except BaseException:
        _stop(pool)
        raise


@dataclass(frozen=True)
class _Work:
    """The work on one user, to be sent to a worker once."""

    dataset: Dataset
    settings: Settings

    def __call__(self, user: str, records: Records | None = None) -> Done:
        trace = self.dataset[user] if records is None else self.dataset.clean(user, records)
        protected = protect_user(trace, self.settings)
        return Done(user, len(trace), protected, self.dataset.repaired(user))


_work: _Work | None = None


def _start_worker(plugins: tuple[str, ...], pickled: bytes) -> None:
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent to handle
    load_plugins(plugins)  # first: the work may hold their objects
    _work = pickle.loads(pickled)


def _run(user: str, records: Records | None) -> Done:
    assert _work is not None  # the pool's initialiser has set it
    return _work(user, records)


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _in_order(
    pool: ProcessPoolExecutor, dataset: Dataset, ahead: int, *, in_memory: bool
) -> Iterator[Done]:
    waiting: deque[Future[Done]] = deque()
    for user in dataset:
        waiting.append(pool.submit(_run, user, dataset.source.read(user) if in_memory else None))
        if len(waiting) > ahead:
            yield _result(waiting.popleft())
    while waiting:
        yield _result(waiting.popleft())


def _result(future: Future[Done]) -> Done:
    # Looking up now and then: Ctrl-C may reach another thread, and not wake this one.
    while not wait([future], timeout=0.2).done:
        interruption.check()
    return future.result()


def _stop(pool: ProcessPoolExecutor) -> None:
    """End the workers now; what they were at is not needed."""
    for process in list((pool._processes or {}).values()):  # noqa: SLF001 — no public way
        process.terminate()
    pool.shutdown(wait=False, cancel_futures=True)
