"""Windows: whole lines of a source, about 256 KiB at a time, that depend on its bytes alone.

Where one ends can be told without reading what stands before it, so that parts of a file can be read by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from errtriage.model import Span
from errtriage.values import dataclass

WINDOW = 256 * 1024
BLOCK = 512  # windows, 128 MiB, after which a reader forgets what it remembered: parts of a file consist of blocks

LARGE = 128 * 1024  # bytes of a window from which on stringzilla's haste makes up for its import


@lru_cache(maxsize=1)
def _counter() -> Callable[[memoryview, bytes], int] | None:
    try:
        from stringzilla import count
    except ImportError:
        return None
    found: Callable[[memoryview, bytes], int] = count
    return found


def count_newlines(data: bytes, start: int = 0, end: int | None = None) -> int:
    """Return the number of newlines in `data[start:end]`, by stringzilla where it is installed."""
    stop = len(data) if end is None else end
    if stop - start > 4096 and len(data) >= LARGE and (counter := _counter()) is not None:
        return counter(memoryview(data)[start:stop], b"\n")
    return data.count(b"\n", start, stop)


@dataclass(frozen=True, slots=True)
class Window:
    r"""Some whole lines of a source, at most about 256 KiB.

    `first_line` is the raw line number of its first byte, `offset` that byte's place in the source. `spans` gives the
    raw lines of each line of `data` where dressing was taken off, and is None where lines are as they were read.
    `cut` says that a line without newline or carriage return was cut at the end. `newlines` counts those in `data`.
    """

    data: bytes
    first_line: int
    offset: int
    spans: tuple[Span, ...] | None = None
    cut: bool = False
    newlines: int = 0

    @property
    def block(self) -> int:
        """The number of the block that the window belongs to."""
        return -(-self.offset // WINDOW) // BLOCK

    def part(self, start: int, end: int) -> Window:
        """Return the lines between two places of `data` where lines begin."""
        data = self.data[start:end]
        skipped, newlines = count_newlines(self.data, 0, start), count_newlines(data)
        spans = self.spans[skipped : skipped + newlines] if self.spans is not None else None
        first = spans[0].first if spans else self.first_line + skipped
        return Window(data, first, self.offset + start, spans, self.cut and end == len(self.data), newlines)


@dataclass(slots=True)
class Tally:
    """What was read of a source so far; `partial` is 1 where its last line has no newline."""

    bytes: int = 0
    lines: int = 0
    partial: int = 0


def windows_of(chunks: Iterable[bytes], tally: Tally) -> Iterator[Window]:
    """Yield the windows of the joined chunks, numbered, and count them in `tally`."""
    for data, cut in _cut(chunks):
        newlines = count_newlines(data)
        window = Window(data, tally.lines + 1, tally.bytes, None, cut, newlines)
        tally.bytes += len(data)
        tally.lines += newlines
        tally.partial = int(not data.endswith(b"\n"))
        yield window


def _cut(chunks: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yield windows of the joined chunks, each with whether a line was cut at its end.

    A window ends with the last line end before a multiple of WINDOW bytes, so that where it does can be told from the
    WINDOW bytes there alone.
    """
    tail = b""  # what stands behind the end of the last window
    held: list[bytes] = []  # from the last multiple of WINDOW on
    size = 0  # of what is held
    for chunk in chunks:
        at = 0
        while size + len(chunk) - at >= WINDOW:
            stop = at + WINDOW - size
            whole = not held and stop - at == len(chunk)
            data = chunk if whole else b"".join((*held, memoryview(chunk)[at:stop]))
            end, cut = _end(data)
            yield b"".join((tail, memoryview(data)[:end])), cut
            tail, held, size, at = data[end:], [], 0, stop
        if at < len(chunk):
            held.append(chunk[at:])
            size += len(chunk) - at
    if tail or size:
        yield b"".join((tail, *held)), False


def _end(data: bytes) -> tuple[int, bool]:
    """Return where a full window ends, and whether that cuts a line."""
    end = data.rfind(b"\n") + 1 or _last_return(data, 0, len(data))
    if end:
        return end, False
    end = len(data)
    while end > len(data) - 3 and 0x80 <= data[end - 1] < 0xC0:
        end -= 1
    return (end - 1 if data[end - 1] >= 0xC0 else len(data)), True  # no UTF-8 character is cut


def _last_return(data: bytes, start: int, stop: int) -> int:
    """Return the place behind the last carriage return, 0 where there is none.

    One that is the last byte may belong to a newline that is not read yet.
    """
    return data.rfind(b"\r", start, stop - 1) + 1


def regrouped(lines: Iterable[tuple[bytes, Span]]) -> Iterator[Window]:
    """Yield windows of lines (without newlines) whose dressing was taken off."""
    batch: list[bytes] = []
    spans: list[Span] = []
    size = offset = 0
    for text, span in lines:
        if batch and size + len(text) >= WINDOW:
            yield _grouped(batch, spans, offset)
            offset += size
            batch, spans, size = [], [], 0
        batch.append(text)
        spans.append(span)
        size += len(text) + 1
    if batch:
        yield _grouped(batch, spans, offset)


def _grouped(batch: list[bytes], spans: list[Span], offset: int) -> Window:
    return Window(b"\n".join(batch) + b"\n", spans[0].first, offset, tuple(spans), False, len(batch))
