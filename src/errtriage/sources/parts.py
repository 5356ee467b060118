"""Parts of a large file that are read by themselves: some blocks of its windows, as they come when it is read whole."""

from __future__ import annotations

from collections.abc import Iterator

from errtriage.sources import Source
from errtriage.sources.dressing import wears
from errtriage.sources.own_reports import without_reports
from errtriage.sources.unpacking import ShrunkError, is_plain_utf8
from errtriage.sources.windows import BLOCK, WINDOW, Tally, Window, windows_of

BLOCK_BYTES = BLOCK * WINDOW


class UnsureError(Exception):
    """A part of a file can not be read without what stands before it."""


class Part(Source):
    """A file from one of its blocks on. Its lines are numbered from 1.

    It goes on to the end of the file, as what is open at the end of a block must be read on: it is left before one of
    the blocks `stops`.
    """

    def __init__(self, path: str, *, block: int, stops: frozenset[int], size: int) -> None:
        """Take the file's path and bytes, the part's first block, and those at which later parts begin."""
        super().__init__(path, lambda: iter(()), size, path)
        self.first = block * BLOCK
        self.stops = stops
        self.head = _head(path, size)
        self._bytes = size

    def windows(self) -> Iterator[Window]:
        """Yield the windows. Raises OSError, and UnsureError where the file holds a report of ours."""
        before = max(0, self.first - 1) * WINDOW
        self._tally = Tally(bytes=before)
        windows = windows_of(_chunks(self.name, before, self._bytes), self._tally)
        if self.first:
            next(windows)  # it ends where the part begins
            self._tally.lines = 0
        for window in self._watched(windows):
            if next(without_reports([window]), None) is not window:
                raise UnsureError("a report of errtriage in the log")
            yield window


def can_be_parted(source: Source, least: int) -> bool:
    """Return whether a source is a file of at least so many bytes that is neither packed nor dressed, in UTF-8."""
    if source.path is None or (source.size or 0) < least or "_trace_" in source.name:
        return False
    try:
        first = _head(source.path, source.size or 0)
    except OSError:
        return False
    return is_plain_utf8(first) and not wears(first)


def _head(path: str, size: int) -> bytes:
    """Return the first window of a file, as it stands."""
    return next((window.data for window in windows_of(_chunks(path, 0, size), Tally())), b"")


def _chunks(path: str, start: int, size: int) -> Iterator[bytes]:
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123, one system call for each window
        file.seek(start)
        left = size - start
        while left > 0:
            got = file.read(min(WINDOW, left))
            if not got:
                raise ShrunkError("the file became shorter while it was read")
            left -= len(got)
            yield got
