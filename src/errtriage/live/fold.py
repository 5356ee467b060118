"""Live folding: the spam of device-side assertions and lines that repeat become one line that counts up."""

from __future__ import annotations

import time
from collections.abc import Callable

SAME_SHOWN = 2  # equal lines in a row that are shown before counting starts
KINDS = 32  # assertions that one run of spam may weave
HOLD = 0.02  # seconds that the start of a line waits for its end, where the whole may be folded
REDRAW = 0.1  # seconds between two states of the counting line
_LONGEST_KEY = 4096  # bytes of a line that is compared; longer ones are never folded
_DIGITS = b"0123456789"
_ERASE = b"\r\x1b[K"


class Fold:
    r"""Takes the pieces of a stream and gives what a person shall see of them.

    Folded are device-side assertions that differ from one just shown by their numbers alone, and a line that comes more
    than twice in a row; in their place stands one line that counts them. Everything else goes through byte for byte
    and at once, a line with a carriage return inside (a progress bar) always. Only the start of a line that may yet be
    folded is held, for 20 ms at most.
    """

    def __init__(self, *, live: bool, now: Callable[[], float] = time.monotonic) -> None:
        """Take whether a terminal shows the counting line while it counts; else it is written once, at its end."""
        self._live = live
        self._now = now
        self._held, self._held_since = b"", 0.0
        self._in_line = False  # the start of the current line is already written
        self._previous: bytes | None = None  # the line before, where it was shown whole and may come again
        self._times = 0
        self._kinds: dict[bytes, None] = {}
        self._count = 0
        self._drawn = False
        self._drawn_count, self._drawn_at = 0, 0.0

    def feed(self, data: bytes) -> bytes:
        """Take a piece of the stream and return what is to be written for it."""
        if self._held:
            data, self._held = self._held + data, b""
        out: list[bytes] = []
        at = self._finish_line(data, out) if self._in_line else 0
        while (end := data.find(b"\n", at) + 1) > 0:
            self._line(data[at:end], out)
            at = end
        if at < len(data):
            self._begin_line(data[at:], out)
        if self._count and self._live and self._now() - self._drawn_at >= REDRAW:
            out.append(self._draw())
        return b"".join(out)

    def due(self) -> float | None:
        """Return the seconds until `tick` has something to write, None where it has nothing."""
        waits = []
        if self._held:
            waits.append(self._held_since + HOLD)
        if self._live and self._count != self._drawn_count:
            waits.append(self._drawn_at + REDRAW)
        return max(0.0, min(waits) - self._now()) if waits else None

    def tick(self) -> bytes:
        """Return what is to be written now though nothing has come."""
        out: list[bytes] = []
        if self._held and self._now() - self._held_since >= HOLD:
            self._release(out)
        if self._live and self._count != self._drawn_count and self._now() - self._drawn_at >= REDRAW:
            out.append(self._draw())
        return b"".join(out)

    def close(self) -> bytes:
        """Return what is still held."""
        out: list[bytes] = []
        if self._held:
            self._release(out)
        self._end_run(out)
        return b"".join(out)

    def _finish_line(self, data: bytes, out: list[bytes]) -> int:
        end = data.find(b"\n") + 1
        out.append(data[:end] if end else data)
        self._in_line = not end
        return end or len(data)

    def _line(self, line: bytes, out: list[bytes]) -> None:
        key = line.rstrip(b"\r\n")
        if len(key) > _LONGEST_KEY or b"\r" in key:
            self._show(line, out, None)
        elif _is_assertion(key):
            self._assertion(line, key.translate(None, _DIGITS), out)
        elif key == self._previous and key.strip() and self._times >= SAME_SHOWN:
            self._count += 1
        elif key == self._previous:
            self._times += 1
            out.append(line)
        else:
            self._show(line, out, key)

    def _show(self, line: bytes, out: list[bytes], key: bytes | None) -> None:
        self._end_run(out)
        self._previous, self._times = key, 1
        out.append(line)

    def _assertion(self, line: bytes, skeleton: bytes, out: list[bytes]) -> None:
        if not self._kinds:
            self._end_run(out)
            self._previous = None
        if skeleton in self._kinds:
            self._count += 1
            return
        if len(self._kinds) >= KINDS:
            self._end_run(out)
        elif self._drawn:
            out.append(_ERASE)
            self._drawn, self._drawn_count = False, 0
        self._kinds[skeleton] = None
        out.append(line)

    def _begin_line(self, start: bytes, out: list[bytes]) -> None:
        if self._may_be_folded(start):
            self._held, self._held_since = start, self._now()
        else:
            self._held = start
            self._release(out)

    def _may_be_folded(self, start: bytes) -> bool:
        if len(start) > _LONGEST_KEY or b"\r" in start[:-1]:
            return False
        if self._kinds:
            skeleton = start.translate(None, _DIGITS)
            return any(one.startswith(skeleton) for one in self._kinds)
        if self._previous is None or self._times < SAME_SHOWN:
            return False
        return self._previous.startswith(start.rstrip(b"\r"))

    def _release(self, out: list[bytes]) -> None:
        self._end_run(out)
        self._previous = None
        out.append(self._held)
        self._held, self._in_line = b"", True

    def _end_run(self, out: list[bytes]) -> None:
        if self._count:
            erase = _ERASE if self._drawn else b""
            out.append(erase + self._told() + (b"\r\n" if self._live else b"\n"))
        self._kinds.clear()
        self._count = self._drawn_count = 0
        self._drawn = False

    def _draw(self) -> bytes:
        self._drawn, self._drawn_count, self._drawn_at = True, self._count, self._now()
        return _ERASE + self._told()

    def _told(self) -> bytes:
        lines = "line" if self._count == 1 else "lines"
        like = f"the {len(self._kinds)} above" if len(self._kinds) > 1 else "the one above"
        return f"[errtriage: {self._count:,} more {lines} like {like}]".encode()


def _is_assertion(line: bytes) -> bool:
    return b"ssertion" in line and (b"thread: [" in line or b"local id: [" in line)
