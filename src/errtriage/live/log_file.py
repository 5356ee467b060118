"""The log file that `--log` keeps: the raw stream, compressed where the file's name says so."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from errtriage.errors import ErrtriageError
from errtriage.live.complaints import complain
from errtriage.live.pipes import write_all

MEMBER_BYTES = 16 * 1024 * 1024  # of the log, and
MEMBER_SECONDS = 10.0  # after which a member is ended: what a killed job loses of its packed log


class LogFile:
    """Writes the stream to a file; a full disk is said once, and then the file is left as it is."""

    def __init__(self, path: str) -> None:
        """Open the file, which is emptied.

        Raises:
            ErrtriageError: It can not be opened, or its compression is not at hand.

        """
        self._path = path
        self._packer = _packer(path)
        self._member: Any = None
        self._since, self._packed = 0.0, 0
        try:
            self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o666)
        except OSError as error:
            raise ErrtriageError(f"{path}: {error.strerror}") from None

    def write(self, data: bytes) -> None:
        """Take a piece of the stream."""
        if self._packer is None:
            self._write(data)
            return
        if self._member is None:
            self._member, self._since, self._packed = self._packer(), time.monotonic(), 0
        self._packed += len(data)
        self._write(self._member.compress(data))
        if self._packed >= MEMBER_BYTES or time.monotonic() - self._since >= MEMBER_SECONDS:
            self._end_member()

    def due(self) -> float | None:
        """Return the seconds until `tick` must be called, None where it need not be."""
        return max(0.0, self._since + MEMBER_SECONDS - time.monotonic()) if self._member is not None else None

    def tick(self) -> None:
        """Write out what a packer has held long enough."""
        if self.due() == 0.0:
            self._end_member()

    def close(self) -> None:
        """End the file."""
        self._end_member()
        if self._descriptor >= 0:
            try:
                os.close(self._descriptor)
            except OSError as error:  # some file systems tell only now that the disk is full
                self._fail(error)
            self._descriptor = -1

    def _end_member(self) -> None:
        if self._member is not None:
            member, self._member = self._member, None
            self._write(member.flush())

    def _write(self, data: bytes) -> None:
        if not data or self._descriptor < 0:
            return
        try:
            write_all(self._descriptor, data)
        except Exception as error:  # a reader of a named pipe that has gone is trouble with this file alone
            self._fail(error)
            descriptor, self._descriptor, self._member = self._descriptor, -1, None
            try:
                os.close(descriptor)
            except OSError:
                return

    def _fail(self, error: Exception) -> None:
        why = getattr(error, "strerror", None) or "its reader has gone"
        complain(f"{self._path}: {why}; the log ends there, and the stream goes on")


def _packer(path: str) -> Callable[[], Any] | None:
    """Return a maker of members, each a whole packed file (joined ones unpack as one), or None for a plain log."""
    ending = os.path.splitext(path)[1].lower()  # noqa: PTH122 (pathlib is felt in the start-up)
    makers = {".gz": _gzip, ".bz2": _bzip2, ".xz": _xz, ".zst": _zstd}
    return makers[ending]() if ending in makers else None


def _gzip() -> Callable[[], Any]:
    import zlib

    gzip_container = 31  # wbits of zlib.compressobj
    return lambda: zlib.compressobj(3, zlib.DEFLATED, gzip_container)


def _bzip2() -> Callable[[], Any]:
    import bz2

    return lambda: bz2.BZ2Compressor(3)


def _xz() -> Callable[[], Any]:
    import lzma

    return lambda: lzma.LZMACompressor(preset=1)


def _zstd() -> Callable[[], Any]:
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        try:
            import zstandard
        except ImportError:
            raise ErrtriageError("a log that ends in .zst needs `pip install errtriage[zstd]`") from None
        return lambda: zstandard.ZstdCompressor(level=3).compressobj()
    return lambda: zstd.ZstdCompressor(level=3)
