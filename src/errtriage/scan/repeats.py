"""Picked lines that come again and again with other numbers: after the first 64 they are counted, not read."""

from __future__ import annotations

from errtriage.model import Line, Span
from errtriage.scan.wanted import DIGITS
from errtriage.values import dataclass

FIRST = 64  # lines of one skeleton that are read
FIRST_RANKS = 2_048  # those that speak of ranks: more than most jobs have
_MOST = 20_000  # skeletons that are remembered
_LONGEST = 2_000  # bytes of a skeleton that is remembered


@dataclass(slots=True)
class Counted:
    """Lines of one skeleton that were counted: the first one, how many, and the line number of the last one."""

    line: Line
    count: int
    last: int


class Repeats:
    """Remembers the skeletons of picked lines that were read, and whether each was a line by itself."""

    def __init__(self) -> None:
        """Remember nothing."""
        self._left: dict[bytes, int] = {}  # lines of a skeleton that are still to be read; negative: always
        self._counted: dict[bytes, Counted] = {}
        self._last: dict[bytes, int] = {}  # where the last one of the lines of this window that were counted starts

    def known(self, line: bytes) -> bytes | None:
        """Return the skeleton of a picked line that is to be counted, not read; else None."""
        skeleton = line.translate(None, DIGITS)
        return skeleton if self._left.get(skeleton) == 0 else None

    def count(self, skeleton: bytes, start: int) -> bool:
        """Count a line that starts at a place of the window; return whether it is the first one: `begin` wants it."""
        self._last[skeleton] = start
        counted = self._counted.get(skeleton)
        if counted is None:
            return True
        counted.count += 1
        return False

    def begin(self, skeleton: bytes, line: Line) -> None:
        """Take the first one of the lines of a skeleton that are counted."""
        self._counted[skeleton] = Counted(line, 1, line.span.last)

    def end_window(self) -> dict[bytes, int]:
        """Return where the last ones of the lines start that were counted in the window, by skeleton."""
        last, self._last = self._last, {}
        return last

    def was_last(self, skeleton: bytes, span: Span) -> None:
        """Take the line of the last one of a window."""
        self._counted[skeleton].last = span.last

    def was_read(self, line: bytes, *, alone: bool) -> None:
        """Remember that a line was read; one that others belong to is not `alone`, and none like it is ever counted."""
        skeleton = line.translate(None, DIGITS)
        left = self._left.get(skeleton)
        if left is None:
            if len(self._left) >= _MOST or len(skeleton) > _LONGEST:
                return
            left = FIRST_RANKS if b"ank" in skeleton else FIRST
        self._left[skeleton] = left - 1 if alone and left > 0 else -1

    def take(self) -> list[Counted]:
        """Return what was counted since the last call, in the order of the first lines."""
        taken, self._counted = list(self._counted.values()), {}
        return taken
