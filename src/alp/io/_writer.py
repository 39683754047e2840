"""Writing traces: a file appears whole or not at all, and never in place of another unasked."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import combinations
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from alp.errors import OutputError
from alp.io._base import Format, Sink, format_of
from alp.trace import Trace


class Writer:
    """Writes traces to one file; use it in a `with` statement.

    The records go to a temporary file in the same folder. At the end it takes its final name; if
    anything was raised, it disappears.
    """

    def __init__(self, path: Path, form: Format, digits: int | None = None) -> None:
        self.path = path
        self.digits = digits
        self._form = form
        self._target, self._part = _target_and_part(path)
        self._file: BinaryIO | None = None
        self._sink: Sink | None = None

    def __enter__(self) -> Self:
        try:
            with output_errors(self.path):
                self._file = self._part.open("xb")
                self._sink = self._form.sink(self._file, self._target)
        except BaseException:
            self._discard()
            raise
        return self

    def write(self, trace: Trace) -> None:
        """Add one user's records; users come in sorted order."""
        if self._sink is None:
            raise OutputError(f"{self.path} is not open for writing; use the writer in a `with`")
        if not len(trace):
            return
        with output_errors(self.path):
            self._sink.write(trace if self.digits is None else trace.rounded(self.digits))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            self._discard()
            return
        try:
            with output_errors(self.path):
                self._finish()
        except BaseException:
            self._discard()
            raise

    def _finish(self) -> None:
        assert self._file is not None
        assert self._sink is not None
        self._sink.close()
        self._file.close()
        _publish(self._part, self._target)
        self._file = self._sink = None

    def _discard(self) -> None:
        file, self._file, self._sink = self._file, None, None
        if file is not None:
            with suppress(OSError):  # a full disk fails once more on closing
                file.close()
            self._part.unlink(missing_ok=True)


def open_writer(
    path: str | Path, format: str | None = None, force: bool = False, digits: int | None = None
) -> Writer:
    """Return a writer of traces to `path`, in the format that its suffix tells.

    Args:
        path: Where the file will appear.
        format: The format's short name, if the suffix does not tell.
        force: Whether a file that exists is replaced.
        digits: Decimals of degrees to round to; all of them by default.
    """
    check_output(path, force, format)
    return Writer(Path(path), format_of(Path(path), format, writing=True), digits)


@contextmanager
def written_whole(path: str | Path) -> Iterator[Path]:
    """Give a temporary name to write a file under; it takes the name `path` at the end.

    If anything is raised, nothing is left behind.
    """
    target, part = _target_and_part(Path(path))
    try:
        with output_errors(Path(path)):
            yield part
            _publish(part, target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def check_output(
    path: str | Path,
    force: bool = False,
    format: str | None = None,
    *,
    suffixes: Sequence[str] | None = None,
) -> None:
    """Make sure that `path` can be written, before long work.

    Args:
        path: Where a file is to appear.
        force: Whether a file that exists may be replaced.
        format: The format's short name, if the suffix does not tell.
        suffixes: The suffixes to choose from, for a file that holds no traces.

    Raises:
        OutputError: if it cannot, or exists and `force` is not set.
    """
    path = Path(path)
    if path.is_dir():
        raise OutputError(f"{path} is a folder; give the name of a file in it")
    check_folder(path)
    if path.exists() and not path.is_file():
        raise OutputError(f"{path} is no regular file and cannot be replaced; choose another name")
    if path.exists() and not force:
        raise OutputError(f"{path} exists; choose another name, or replace it with --force")
    if suffixes is None:
        form = format_of(path, format, writing=True)
        if not form.writes:
            raise OutputError(f"{path}: the format '{form.name}' cannot be written as one file")
    elif not path.name.lower().endswith(tuple(suffixes)):
        raise OutputError(f"{path} must end in one of: {', '.join(suffixes)}")


def check_apart(*paths: str | Path) -> None:
    """Make sure that no two paths are the same file, by whatever name: `force` is no excuse.

    Raises:
        OutputError: if two are.
    """
    for one, other in combinations(map(Path, paths), 2):
        same = os.path.realpath(one) == os.path.realpath(other)
        if same or (one.exists() and other.exists() and one.samefile(other)):
            raise OutputError(f"{one} and {other} are one file; write to another")


def check_folder(path: Path) -> None:
    """Make sure that something can be created beside `path`."""
    folder = Path(os.path.realpath(path)).parent
    if not folder.exists():
        raise OutputError(f"the folder {path.parent} does not exist; create it first")
    if not folder.is_dir():
        raise OutputError(f"{path.parent} is not a folder; choose another place")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OutputError(f"the folder {path.parent} is not writable; choose another place")


@contextmanager
def output_errors(path: Path) -> Iterator[None]:
    """Turn what the operating system refuses into an `OutputError`."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(
            f"{path} cannot be written: {reason}; make room or choose another place"
        ) from error


def _target_and_part(path: Path) -> tuple[Path, Path]:
    target = Path(os.path.realpath(path))  # a link stays a link
    return target, target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")


def _publish(part: Path, target: Path) -> None:
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    os.replace(part, target)
