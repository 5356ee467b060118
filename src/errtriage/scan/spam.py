"""Lines by the thousand that differ only in ranged numbers, such as device assertions: counted in bulk, exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from errtriage.lazy_regex import lazy
from errtriage.model import Line, Range, Repeat
from errtriage.scan.engines import Dense
from errtriage.scan.segments import numbered
from errtriage.scan.shapes import Columns, Shape, Values, shape_of
from errtriage.scan.wanted import DIGITS, Wanted
from errtriage.values import dataclass, field

FEW = 8  # lines of one skeleton in a window that are still looked at one by one
_MOST_SHAPES = 64  # of one skeleton in one window: ranks, places in the code
_MOST_KNOWN = 2_000  # skeletons remembered as shapes or as none
_LATE = 256  # segments at the end of a window whose shapes are expected in the next one
_MOST_WOVEN = 64  # shapes that are expected at once

_AFTER_DIGIT = lazy(rb"[^0-9]+\Z")
Clean = Callable[[bytes], Line]


@dataclass(slots=True)
class Tally:
    """Lines of one shape that were counted in bulk: places are positions in the window's segments."""

    shape: Shape
    raw: bytes  # the first line
    first: int
    last: int
    count: int
    last_line: int = 0  # the number of the last line in the source
    values: Values = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Take the lines of another tally of the same shape and window in."""
        if other.first < self.first:
            self.first, self.raw = other.first, other.raw
        self.last = max(self.last, other.last)
        self.add_later(other)

    def add_later(self, later: Tally) -> None:
        """Take the lines of the same shape of a later window in."""
        self.last_line = later.last_line
        self.count += later.count
        for name, found in later.values.items():
            self.values[name] |= found

    def repeat(self) -> Repeat:
        """Return the tally as a line carries it."""
        values = {name: frozenset(found) for name, found in self.values.items()}
        return Repeat(
            count=self.count,
            last=self.last_line,
            ranges={name: range_of(numbers) for name, numbers in values.items() if numbers},
            values=values,
        )


def range_of(values: Iterable[tuple[int, ...]]) -> Range:
    """Return the smallest box that holds all the tuples, and how many there are."""
    distinct = set(values)
    sides = list(zip(*distinct, strict=False))
    return Range(low=tuple(map(min, sides)), high=tuple(map(max, sides)), distinct=len(distinct))


class Spam:
    """Collapses dense windows, and remembers the shapes that it met."""

    def __init__(self, wanted: Wanted, clean: Clean) -> None:
        """Take what names the ranged fields of a cleaned line, and what cleans a raw one."""
        self._wanted = wanted
        self._clean = clean
        self._plain = clean(b"")  # what holds for lines without any prefix
        self._shapes: dict[bytes, list[Shape | None]] = {}  # by skeleton; None: lines that must be read one by one
        self._columns: dict[Shape, Columns] = {}
        self._last: tuple[Shape, ...] = ()  # shapes of the last window
        self._woven: Columns | None = None  # their columns
        self._block = b""  # the skeleton of the only one, over and over

    def whole(self, data: bytes, newlines: int) -> dict[int, Tally] | None:
        """Return the tallies of a window by where they start, where every line is of a shape that the last one had."""
        first, last = data[: data.find(b"\n")], self._last
        if newlines < FEW or not any(shape.fits(first) for shape in last) or not data.endswith(b"\n"):
            return None
        bare = data.translate(None, DIGITS)
        if len(last) == 1:
            if len(bare) > len(self._block):
                self._block = (last[0].skeleton + b"\n") * (len(bare) // len(last[0].skeleton) + 1)
            if len(bare) != newlines * (len(last[0].skeleton) + 1) or not self._block.startswith(bare):
                return None
            values = self._columns_of(last[0]).read(data, newlines)
            return None if values is None else {0: Tally(last[0], first, 0, newlines - 1, newlines, values=values)}
        if self._woven is None:
            self._woven = Columns(last)
        told = self._woven.read_woven(data, bare, newlines)
        if told is None:
            return None
        begun = sorted(told.items(), key=lambda item: item[1].first)
        places = numbered(data, newlines + 1, [one.first for _, one in begun])
        return {
            start: Tally(shape, data[start:stop], one.first, one.last, one.count, values=one.values)
            for (shape, one), (start, stop) in zip(begun, places, strict=True)
        }

    def _columns_of(self, shape: Shape) -> Columns:
        if shape not in self._columns:
            if len(self._columns) > _MOST_KNOWN:
                self._columns.clear()
            self._columns[shape] = Columns([shape])
        return self._columns[shape]

    def collapse(self, dense: Dense) -> Collapsed:
        """Return the tallies of a dense window, and what is left of the segments that can hold a literal."""
        groups: dict[bytes, list[int]] = {skeleton: [] for skeleton in dense.hot}
        add = {skeleton: group.append for skeleton, group in groups.items()}.get
        for at, to_group in enumerate(map(add, dense.skeletons)):
            if to_group is not None:
                to_group(at)
        done = Collapsed({}, [], [])
        for members in groups.values():
            if len(members) < FEW:
                done.left += members
            else:
                self._family(members, dense, done)
        done.left.sort()
        if done.tallies:
            self._remember(done.tallies.values(), len(dense.segments))
        return done

    def _family(self, members: list[int], dense: Dense, done: Collapsed) -> None:
        """Collapse the lines of one skeleton: all at once, else by their beginnings, else shape by shape."""
        if len(self._shapes) > _MOST_KNOWN:
            self._shapes.clear()
        shape = self._shape(dense.segments[members[0]], dense)
        if shape is None:
            done.left += members
        elif not self._add(shape, members, dense, done):
            beginnings: dict[bytes, list[int]] = {}
            mark = _AFTER_DIGIT.search(shape.constants[0])
            for at in members:
                beginning = b"" if shape.free or mark is None else dense.segments[at].partition(mark[0])[0]
                beginnings.setdefault(beginning, []).append(at)
            for number, some in enumerate(beginnings.values()):
                if number < _MOST_SHAPES:
                    self._peel(some, dense, done)
                else:
                    done.left += some

    def _peel(self, members: list[int], dense: Dense, done: Collapsed) -> None:
        """Take the lines of one shape after the other out, while there are not too many shapes."""
        for _ in range(_MOST_SHAPES):
            shape = self._shape(dense.segments[members[0]], dense) if members else None
            if shape is None or self._add(shape, members, dense, done):
                members = members if shape is None else []
                break
            fitting = [at for at in members if shape.fits(dense.segments[at])]
            if not self._add(shape, fitting, dense, done):
                done.left += fitting
            members = [at for at in members if not shape.fits(dense.segments[at])]
        done.left += members

    def _add(self, shape: Shape, members: list[int], dense: Dense, done: Collapsed) -> bool:
        """Count all the members if they are of one shape; return whether they are."""
        lines = [dense.segments[at] for at in members]
        values = self._columns_of(shape).read(b"\n".join([*lines, b""]), len(lines))
        if values is None:
            return False
        tally = Tally(shape, lines[0], members[0], members[-1], len(members), values=values)
        before = done.tallies.setdefault(shape, tally)
        if before is not tally:
            before.add(tally)
        done.counted += members
        return True

    def _shape(self, raw: bytes, dense: Dense) -> Shape | None:
        skeleton = raw.translate(None, DIGITS)
        known = self._shapes.setdefault(skeleton, [])
        for shape in known:
            if shape is None or shape.fits(raw):
                return shape
        shape = self._new_shape(raw, dense.hot[skeleton].picking)
        known.insert(0, shape)
        del known[_MOST_SHAPES:]
        return shape

    def _new_shape(self, raw: bytes, literals: Iterable[bytes]) -> Shape | None:
        line = self._clean(raw)
        spans = self._wanted.ranged(line.text) if self._wanted.ranged else None
        same = (line.rank, line.host, line.channel) == (self._plain.rank, self._plain.host, "")
        shape = shape_of(raw, line, spans, free=same) if spans else None
        if shape is None or not any(self._wanted.holds(constant, literals) for constant in shape.constants):
            return None
        return shape

    def _remember(self, tallies: Iterable[Tally], segments: int) -> None:
        """Expect the shapes that go on at the end of a window in the next one."""
        late = [tally.shape for tally in tallies if tally.last > segments - _LATE]
        if set(late) != set(self._last):
            self._last, self._woven, self._block = tuple(late[:_MOST_WOVEN]), None, b""


@dataclass(slots=True)
class Collapsed:
    """What a dense window holds: tallies, the positions of the segments that they count, and of the other hot ones."""

    tallies: dict[Shape, Tally]
    counted: list[int]
    left: list[int]
