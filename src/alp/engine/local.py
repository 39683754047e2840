"""The local engine: users one after another, or several at a time in processes."""

from __future__ import annotations

import os
import pickle
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import NamedTuple

from alp.adapt import Protected, Settings, protect_user
from alp.errors import AlpError
from alp.plugins import load_plugins
from alp.trace import Dataset, Repairs

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
    count = workers or os.cpu_count() or 1
    if workers is None and sum(dataset.size(user) for user in dataset) < SMALL:
        count = 1
    work = _Work(dataset, settings)
    if min(count, len(dataset)) <= 1:
        yield from map(work, dataset)
        return
    # A fresh interpreter for each worker: a fork would copy the threads' locks of the readers.
    pool = ProcessPoolExecutor(
        min(count, len(dataset)),
        mp_context=get_context("spawn"),
        initializer=_start_worker,
        initargs=(tuple(plugins), pickle.dumps(work)),
    )
    try:
        yield from _in_order(pool, dataset, ahead=2 * count)
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

    def __call__(self, user: str) -> Done:
        trace = self.dataset[user]
        protected = protect_user(trace, self.settings)
        return Done(user, len(trace), protected, self.dataset.repaired(user))


_work: _Work | None = None


def _start_worker(plugins: tuple[str, ...], pickled: bytes) -> None:
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent to handle
    load_plugins(plugins)  # first: the work may hold their objects
    _work = pickle.loads(pickled)


def _run(user: str) -> Done:
    if _work is None:
        raise AlpError("the worker was not started by the engine")
    return _work(user)


def _in_order(pool: ProcessPoolExecutor, dataset: Dataset, ahead: int) -> Iterator[Done]:
    waiting: deque[Future[Done]] = deque()
    for user in dataset:
        waiting.append(pool.submit(_run, user))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _stop(pool: ProcessPoolExecutor) -> None:
    """End the workers now; what they were at is not needed."""
    for process in list((pool._processes or {}).values()):  # noqa: SLF001 — no public way
        process.terminate()
    pool.shutdown(wait=False, cancel_futures=True)
