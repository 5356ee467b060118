"""What is read: files, folders, pipes and bytes, unpacked and undressed, in windows that depend on the bytes alone."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence

from errtriage import TYPE_CHECKING
from errtriage.errors import SourceError
from errtriage.model import SourceInfo
from errtriage.sources import dressing, unpacking
from errtriage.sources.own_reports import without_reports
from errtriage.sources.windows import WINDOW, Tally, Window, count_newlines, windows_of

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any, BinaryIO

__all__ = [
    "WINDOW", "Source", "Window", "count_newlines", "from_bytes", "from_chunks", "from_file", "from_stream",
    "from_text", "open_paths",
]  # fmt: skip


class Source:
    """One log: a name and its windows. Nothing is opened before its windows are read, and nothing stays open after.

    `size` is the number of its bytes, where it is known before they are read; of a packed log that of the packed ones.
    `path` is where it lies, None where it is no file. Of a part of a file (`parts.Part`) `first` is the number of its
    first window, `head` the first window of the file, and `stops` are the blocks before which it can be left.
    """

    first = 0
    head = b""
    stops: frozenset[int] = frozenset()

    def __init__(
        self, name: str, chunks: Callable[[], Iterator[bytes]], size: int | None = None, path: str | None = None
    ) -> None:
        """Take what the report calls the log, a function that opens it and yields its bytes, its size and its path."""
        self.name = name
        self.size = size
        self.path = path
        self._chunks = chunks
        self._tally, self._trouble = Tally(), unpacking.Trouble()

    def info(self) -> SourceInfo:
        """Return how the source was read, as far as its windows were taken."""
        return SourceInfo(
            name=self.name,
            bytes=self._tally.bytes,
            lines=self._tally.lines + self._tally.partial,
            encoding=self._trouble.encoding,
            truncated=self._trouble.truncated,
            error=self._trouble.error,
        )

    def windows(self) -> Iterator[Window]:
        """Yield the source's windows; trouble while reading ends them and stands in `info()`."""
        self._tally, self._trouble = Tally(), unpacking.Trouble()
        plain = windows_of(unpacking.as_utf8(self._chunks(), self._trouble), self._tally)
        yield from without_reports(dressing.undress(self._watched(plain)))

    def data(self, most: int) -> bytes:
        """Return the first `most` bytes of the source, unpacked and as they are, for files that are no logs."""
        parts: list[bytes] = []
        size = 0
        for chunk in self._chunks():
            parts.append(chunk[: most - size])
            size += len(parts[-1])
            if size >= most:
                break
        self._tally.bytes = size
        return b"".join(parts)

    def _watched(self, windows: Iterator[Window]) -> Iterator[Window]:
        """Yield the windows, and note how the first one is encoded."""
        for window in windows:
            if not window.offset and self._trouble.encoding == "utf-8":
                self._trouble.encoding = _encoding(window.data)
            yield window


def _encoding(data: bytes) -> str:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        from errtriage.lines import encoding_of

        return encoding_of(data)
    return "utf-8"


def from_bytes(name: str, data: bytes) -> Source:
    """Return a source of bytes in memory; packed bytes are unpacked as those of files are."""
    return Source(name, lambda: unpacking.chunks(io.BytesIO(data)), len(data))


def from_text(name: str, text: str) -> Source:
    """Return a source of text in memory."""
    return from_bytes(name, text.encode("utf-8", "backslashreplace"))


def from_stream(name: str, stream: BinaryIO | Any) -> Source:
    """Return a source that reads an open binary stream, once; the stream is not closed."""
    return Source(name, lambda: unpacking.chunks(stream))


def from_chunks(name: str, chunks: Iterable[bytes]) -> Source:
    """Return a source of bytes that come piece by piece, as from a pipe that is being passed on."""
    return Source(name, lambda: iter(chunks))


def from_file(path: str | Path) -> Source:
    """Return a source of one file, which is opened when its windows are read and closed after."""
    return Source(str(path), lambda: unpacking.file_chunks(str(path)), _size_of(path), str(path))


def _size_of(path: str | Path) -> int | None:
    try:
        told = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return None
    return told.st_size or None  # of pipes and of what the kernel makes up nothing is told


def open_paths(paths: Sequence[str | Path], *, stdin: BinaryIO | None = None) -> Iterator[Source]:
    """Yield the logs at `paths`: files, folders (their log-like files, sorted) and `-` for standard input.

    Raises SourceError, one line for the person, where a path is missing, may not be read, is a socket, is a folder
    without logs, or is packed in a way that needs an extra. Call it for each path where the others shall still be read.
    """
    for path in paths:
        if str(path) == "-":
            stream = stdin if stdin is not None else getattr(sys.stdin, "buffer", None)
            if stream is None or getattr(stream, "closed", False):
                raise SourceError("standard input is closed")
            yield from_stream("<stdin>", stream)
            continue
        for file in _files_at(path):
            yield from_file(file)


def _files_at(place: str | Path) -> list[str]:
    # Not by pathlib, whose import would be felt in the time that a small log takes.
    path = os.fspath(place)
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116
        if stat.S_ISDIR(mode):
            return _files_in(path)
        if stat.S_ISSOCK(mode):
            raise SourceError(f"{path}: a socket, not a log")
        if stat.S_ISREG(mode):
            with open(path, "rb") as file:  # noqa: PTH123
                unpacking.check_packing(file.read(unpacking.MAGIC_BYTES), path)
    except FileNotFoundError:
        raise SourceError(f"{path}: no such file or folder") from None
    except PermissionError:
        raise SourceError(f"{path}: no permission to read it") from None
    except (OSError, ValueError) as error:
        raise SourceError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    return [path]


def _files_in(folder: str) -> list[str]:
    from errtriage.sources.folders import logs_of

    found = logs_of(folder)
    if not found:
        raise SourceError(f"{folder}: no logs in this folder")
    return found
