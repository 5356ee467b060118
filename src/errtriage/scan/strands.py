"""The lines of channels as blocks that may come again: what is compared of a block, and what is remembered of it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import accumulate, count

from errtriage.lazy_regex import lazy
from errtriage.model import Event
from errtriage.sources import Window
from errtriage.values import dataclass, field

_ZEROS = bytes(48 if 48 <= byte <= 57 else byte for byte in range(256))
_NUMBER = lazy(rb"\d+")
# A time of day may be another one each time; numbers of lines and of ranks say where something was.
_CLOCK = lazy(rb"(?:\d{2,4}[-/]\d\d[-/]\d{2,4}[T ,]|\d{4} |\d\d/\d\d )?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?")
_PLACE = lazy(rb"(?:\.\w{1,5}:|[Rr]ank[ _=:-]{0,2}|RANK[ _=:-]{0,2}|\bline )\Z")

Ids = tuple[int, ...]  # the skeletons of a block's lines, by number
Slices = tuple[slice, ...]  # digits of a block


@dataclass(frozen=True, slots=True)
class Row:
    """A raw line and where it stands: its number, and its place in the source."""

    raw: bytes
    number: int
    offset: int


class Skeletons(dict[bytes, int]):
    """Numbers lines without the values of their digits; no number is given twice."""

    def __init__(self) -> None:
        """Know none."""
        self._numbers = count()

    def __missing__(self, skeleton: bytes) -> int:
        """Return the number of a new one."""
        number = self[skeleton] = next(self._numbers)
        return number

    def of(self, raw: bytes) -> int:
        """Return the number of a line's skeleton."""
        return self[raw.translate(_ZEROS)]


class Lines:
    """The lines of a window that has no carriage return, with the numbers of their skeletons."""

    def __init__(self, window: Window, skeletons: Skeletons) -> None:
        """Take the window, and what numbers skeletons."""
        self.window = window
        rows = window.data.split(b"\n")
        rows.pop()  # nothing, or a line without its end
        self.ids = list(map(skeletons.__getitem__, window.data.translate(_ZEROS).split(b"\n")[: len(rows)]))
        self.starts = list(accumulate(map(len, rows), lambda start, length: start + length + 1, initial=0))

    def raw(self, at: int, length: int = 1) -> bytes:
        """Return some lines, joined as they stand, without the last line end."""
        return self.window.data[self.starts[at] : self.starts[at + length] - 1]

    def number(self, at: int) -> int:
        """Return the number of a line in the source."""
        return self.window.first_line + at

    def rows(self, at: int, length: int) -> list[Row]:
        """Return some lines."""
        return [
            Row(self.raw(one), self.number(one), self.window.offset + self.starts[one])
            for one in range(at, at + length)
        ]


@dataclass(slots=True, eq=False)
class Variant:
    """Blocks that tell the same: how many were read, what the last one told, how many were counted since."""

    read: int = 0
    identity: Hashable = None  # what they tell, where that is known and can be counted
    events: Sequence[Event] = ()
    numbers: Sequence[int] = ()  # of the lines of the block that told these events
    count: int = 0
    last: Sequence[int] = ()  # the numbers of the lines of the last one that was counted


@dataclass(slots=True, eq=False)
class Kind:
    """Blocks of one skeleton in one channel; `fixed` are the digits that tell variants apart, None: all of them."""

    ends_itself: bool
    fixed: Slices | None = None
    variants: dict[bytes, Variant] = field(default_factory=dict)

    def key(self, raw: bytes) -> bytes:
        """Return what tells the variant of a block from others."""
        return raw if self.fixed is None else b"".join([raw[one] for one in self.fixed])


@dataclass(slots=True, eq=False)
class Reading:
    """A block that is being read in full; `settled` where its end has been seen."""

    rows: list[bytes]
    numbers: list[int]
    ids: list[int]
    size: int
    settled: bool = False
    ends_itself: bool = False

    def add(self, raw: bytes, number: int, skeleton: int) -> None:
        """Take a further line."""
        self.rows.append(raw)
        self.numbers.append(number)
        self.ids.append(skeleton)
        self.size += len(raw) + 1


@dataclass(slots=True, eq=False)
class Waiting:
    """A block that is known unless the next line of its channel shows that it goes on."""

    ids: Ids
    variant: Variant
    numbers: range  # of its lines
    rows: Sequence[Row] = ()  # once they were asked for, or their window has passed
    count: int = 0  # of the reader after its last line

    def keep(self, lines: Lines) -> None:
        """Take the lines from their window, if that was not done before."""
        self.rows = self.rows or lines.rows(self.numbers[0] - lines.window.first_line, len(self.ids))


@dataclass(slots=True, eq=False)
class Strand:
    """The lines of one channel, which begin with `prefix`."""

    channel: str
    prefix: bytes = b""
    kinds: dict[Ids, Kind] = field(default_factory=dict)
    lengths: dict[int, list[int]] = field(default_factory=dict)  # of kinds that can be counted, by their first line
    reading: Reading | None = None
    waiting: Waiting | None = None

    def expect(self, ids: Ids) -> None:
        """Look for a kind from now on: the longest first."""
        lengths = self.lengths.setdefault(ids[0], [])
        if len(ids) not in lengths:
            lengths.append(len(ids))
            lengths.sort(reverse=True)

    def forget(self) -> None:
        """Forget all kinds."""
        self.kinds.clear()
        self.lengths.clear()


class Digits:
    """The digits of a block: those that must be the same, times, and others, of which that must be tried."""

    def __init__(self, rows: Sequence[bytes], prefix: bytes) -> None:
        """Take the lines of a block, and what each begins with."""
        self._rows = rows
        self._prefix = len(prefix)
        self.fixed: list[slice] = []
        self._clocks: list[slice] = []
        self.others: list[slice] = []
        start = 0
        for raw in rows:
            self._sort(raw, start)
            start += len(raw) + 1

    def _sort(self, raw: bytes, start: int) -> None:
        clocks = [match.span() for match in _CLOCK.finditer(raw)]
        for match in _NUMBER.finditer(raw):
            first, last = match.span()
            one = slice(start + first, start + last)
            if first < self._prefix or b'File "' in raw or _PLACE.search(raw, max(0, first - 16), first):
                self.fixed.append(one)
            elif any(low <= first and last <= high for low, high in clocks):
                self._clocks.append(one)
            else:
                self.others.append(one)

    def tries(self) -> Iterable[list[bytes]]:
        """Yield the block with other digits, times a little earlier."""
        for number in range(4):
            made = bytearray(b"\n".join(self._rows))
            for one in self._clocks:
                made[one] = _earlier(bytes(made[one]))
            for one in self.others:
                made[one] = _other(bytes(made[one]), number, one.start)
            yield bytes(made).split(b"\n")


def _earlier(digits: bytes) -> bytes:
    """Return a number less one, where that is a day or a month, too."""
    value = int(digits)
    return digits if value < 2 else b"%0*d" % (len(digits), value - 1)


def _other(digits: bytes, number: int, start: int) -> bytes:
    """Return a number of as many digits, each another one: all 0, all 9, or some."""
    if number < 2:
        return (b"0", b"9")[number] * len(digits)
    return bytes(48 + (digit - 47 + (at * 7 + start + number * 3) % 9) % 10 for at, digit in enumerate(digits))
