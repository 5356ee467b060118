"""Picked lines that come again and again with other numbers: after the first 64 they are counted, not read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from errtriage.model import Line, Repeat, Span
from errtriage.scan.segments import Segment, next_end
from errtriage.scan.wanted import DIGITS
from errtriage.values import dataclass, replace

FIRST = 64  # lines of one skeleton that are read
FIRST_RANKS = 2_048  # those that speak of ranks: more than most jobs have
MOST_FOLLOWERS = 4  # lines after a picked one that can be known with it
LATER = 16  # of either in the blocks after the first, where most of them were read before
_MOST = 20_000  # skeletons that are remembered
_MOST_KNOWN = 256  # rows of followers of one skeleton that are
_LONGEST = 2_000  # bytes of a skeleton that is remembered

Followers = tuple[bytes, ...]  # the lines, without their digits, that the reader wanted after a picked one


def followers_at(data: bytes, stop: int, free: int) -> list[Segment]:
    """Return the whole segments right after a line that ends at `stop`, as far as newlines alone part them."""
    found: list[Segment] = []
    while len(found) < MOST_FOLLOWERS and stop + 1 < free and data[stop] == 10:
        start, stop = stop + 1, next_end(data, stop + 1)
        if data[stop : stop + 1] != b"\n":
            break
        found.append((start, stop))
    return found


def skeletons_at(data: bytes, segments: Iterable[Segment]) -> Followers:
    """Return the lines of segments without their digits."""
    return tuple(data[start:stop].translate(None, DIGITS) for start, stop in segments)


def known_followers(data: bytes, segments: Sequence[Segment], known: Set[Followers]) -> Sequence[Segment] | None:
    """Return the segments, from the first one on, that are a known row of followers; None where none are."""
    if not known:
        return None
    row = skeletons_at(data, segments)
    return next((segments[:count] for count in range(len(row) + 1) if row[:count] in known), None)


@dataclass(slots=True)
class _Counted:
    """Lines of one skeleton that were counted: the first one and its followers, how many, the number of the last."""

    lines: Sequence[Line]
    count: int
    last: int


class Repeats:
    """Remembers the skeletons of picked lines that were read, and the lines that were wanted after each."""

    def __init__(self, *, later: bool = False) -> None:
        """Remember nothing; `later` says that these are not the first lines of their source."""
        self._first, self._first_ranks = (LATER, LATER) if later else (FIRST, FIRST_RANKS)
        self._left: dict[bytes, int] = {}  # lines of a skeleton that are still to be read; negative: always
        self._known: dict[bytes, set[Followers]] = {}
        self._counted: dict[bytes, _Counted] = {}
        self._last: dict[bytes, int] = {}  # where the last one of the lines of this window that were counted starts

    def is_new(self, skeleton: bytes) -> bool:
        """Return whether no line of a skeleton was read before, and remember it from now on."""
        if skeleton in self._left:
            return False
        if len(self._left) < _MOST and len(skeleton) <= _LONGEST:
            self._left[skeleton] = self._first_ranks if b"ank" in skeleton else self._first
        return True

    def followers(self, skeleton: bytes) -> set[Followers]:
        """Return after which lines a picked line is to be counted; nothing where it is to be read."""
        return self._known[skeleton] if self._left.get(skeleton) == 0 else set()

    def count(self, skeleton: bytes, start: int) -> bool:
        """Count a line that starts at a place of the window; return whether it is the first one: `tell` wants it."""
        self._last[skeleton] = start
        counted = self._counted.get(skeleton)
        if counted is None:
            return True
        counted.count += 1
        return False

    def tell(self, skeleton: bytes, lines: Sequence[Line]) -> None:
        """Take the line, and its followers, that shall stand for all those of a skeleton that are counted."""
        counted = self._counted.setdefault(skeleton, _Counted(lines, 1, lines[0].span.last))
        counted.lines = lines

    def end_window(self) -> dict[bytes, int]:
        """Return where the last ones of the lines start that were counted in the window, by skeleton."""
        last, self._last = self._last, {}
        return last

    def was_last(self, skeleton: bytes, span: Span) -> None:
        """Take the line of the last one of a window."""
        self._counted[skeleton].last = span.last

    def was_read(self, skeleton: bytes, followers: Followers | None) -> None:
        """Remember what a line was read with; where that was more than can be known, none like it is ever counted."""
        left = self._left.get(skeleton, -1)
        if left < 0:
            return
        known = self._known.setdefault(skeleton, set())
        if followers is None or len(known) == _MOST_KNOWN:
            self._left[skeleton] = -1
            known.clear()
        else:
            self._left[skeleton] = max(0, left - 1)
            known.add(followers)

    def take(self) -> list[Line]:
        """Return what was counted since the last call: of each skeleton one line with a `Repeat`, and its followers."""
        taken, self._counted = list(self._counted.values()), {}
        lines: list[Line] = []
        for counted in taken:
            first, *followers = counted.lines
            lines.append(replace(first, repeat=Repeat(count=counted.count, last=counted.last, ranges={})))
            lines += followers
        return lines
