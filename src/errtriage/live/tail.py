"""The end of a file that grows: rotated, cut short, or not there yet (as `tail -F`)."""

from __future__ import annotations

import os
import stat

from errtriage.errors import SourceError

MOST = 4 * 1024 * 1024  # bytes that are read of one file at a time
_LONGEST_LINE = 1024 * 1024  # bytes without a line end after which a piece is given all the same


class Tail:
    """Reads what is new in a file; `restarted` is true after a `read` that began the file, or its successor, anew."""

    def __init__(self, path: str) -> None:
        """Take the path; nothing needs to be there yet."""
        self.path = path
        self.restarted = False
        self._descriptor = -1
        self._at = 0
        self._partial = b""

    def read(self) -> bytes:
        """Return new whole lines, at most about 4 MiB of them, and nothing where there are none.

        What a rotated file still held comes before what its successor holds. A state of a progress bar counts as whole.

        Raises:
            SourceError: The path is a folder or may not be read.

        """
        self.restarted = False
        if self._descriptor < 0 and not self._open():
            return b""
        data = os.read(self._descriptor, MOST)
        self._at += len(data)
        if data:
            return self._whole(self._partial + data)
        if self._was_replaced():
            left, self._partial = self._partial, b""
            self.close()
            return left + b"\n" if left else b""
        return b""

    def settle(self) -> bytes:
        """Return the last line though it has no end: nothing has come for some time."""
        left, self._partial = self._partial, b""
        return left

    def close(self) -> None:
        """Close the file; the next `read` opens what then is at the path."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1

    def _open(self) -> bool:
        try:
            descriptor = os.open(self.path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        except FileNotFoundError:
            return False
        except OSError as error:
            raise SourceError(f"{self.path}: {error.strerror}") from None
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise SourceError(f"{self.path}: a folder")
        self._descriptor, self._at, self.restarted = descriptor, 0, True
        return True

    def _was_replaced(self) -> bool:
        """Return whether another file has taken the place of ours, or ours was cut short."""
        try:
            there = os.stat(self.path)  # noqa: PTH116 (four times a second)
        except OSError:
            return False  # taken away: it may still be written to, until something new is there
        ours = os.fstat(self._descriptor)
        return (there.st_ino, there.st_dev) != (ours.st_ino, ours.st_dev) or ours.st_size < self._at

    def _whole(self, data: bytes) -> bytes:
        end = max(data.rfind(b"\n"), data.rfind(b"\r", 0, len(data) - 1)) + 1
        if not end and len(data) > _LONGEST_LINE:
            end = len(data)
        self._partial = data[end:]
        return data[:end]
