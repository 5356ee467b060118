"""Lines by the thousand that differ only in ranged numbers, such as device assertions: counted in bulk, exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from errtriage.lazy_regex import lazy
from errtriage.model import Line, Range, Repeat
from errtriage.scan.engines import Dense
from errtriage.scan.wanted import DIGITS, Spans, Wanted
from errtriage.values import dataclass, field

FEW = 8  # lines of one skeleton in a window that are still looked at one by one
_MOST_SHAPES = 64  # of one skeleton in one window: ranks, places in the code
_MOST_KNOWN = 2_000  # skeletons remembered as shapes or as none

_AFTER_DIGIT = lazy(rb"[^0-9]+\Z")
_INTEGER = lazy(rb"-?\d+")
Clean = Callable[[bytes], Line]


@dataclass(frozen=True, slots=True)
class Shape:
    """A line with holes: constant bytes, and between them the texts of ranged fields.

    With `free` the digits before the first constant do not matter: they belong to a prefix that tells only the time.
    """

    skeleton: bytes
    constants: tuple[bytes, ...]
    fields: tuple[str, ...]
    columns: tuple[int, ...]  # of each field among the pieces of a line
    pieces: int  # of a line
    table: bytes  # translates what bounds a field to a newline
    delete: bytes  # what stands in no field
    free: bool

    def read(self, lines: bytes, count: int) -> dict[str, set[bytes]] | None:
        """Return the texts of the fields in lines of this skeleton, or None where a constant differs in one of them.

        `lines` ends with a newline. The proof counts each constant that holds digits, and the bytes of all lines.
        """
        first, last = self.constants[0], self.constants[-1] + b"\n"
        if self.free:
            if any(lines.count(constant) != count for constant in (*self.constants[:-1], last)):
                return None
        elif not lines.startswith(first) or lines.count(b"\n" + first) != count - 1 or lines.count(last) != count:
            return None
        parts = lines.translate(self.table, self.delete).split(b"\n")
        if len(parts) != count * self.pieces + 1:
            return None
        texts = [parts[column :: self.pieces] for column in self.columns]
        if not self.free:
            size = count * (sum(map(len, self.constants)) + 1) + sum(len(b"".join(column)) for column in texts)
            if size != len(lines) or any(
                lines.count(constant) != count
                for constant in self.constants[1:-1]
                if constant.translate(None, DIGITS) != constant
            ):
                return None
        return {name: set(column) for name, column in zip(self.fields, texts, strict=True)}

    def fits(self, line: bytes) -> bool:
        """Return whether a line of this skeleton begins and ends as the shape does."""
        return line.endswith(self.constants[-1]) and (self.free or line.startswith(self.constants[0]))


def shape_of(raw: bytes, line: Line, spans: Spans, *, free: bool) -> Shape | None:
    """Return the shape of a raw line whose cleaned form has ranged fields at `spans`; None where it has none.

    `free` says that the line's prefix, if it has one, tells nothing but the time.
    """
    text = line.text.encode()
    prefix = raw.rstrip()[: -len(text)] if raw.rstrip().endswith(text) and text else None
    if prefix is None or len(text) != len(line.text) or not spans:
        return None
    holes = sorted((low + len(prefix), high + len(prefix), name) for name, (low, high) in spans.items())
    inner: set[int] = set()
    outer: set[int] = {10}
    for low, high, _ in holes:
        inner |= set(raw[low:high].translate(None, DIGITS))
        outer |= set(raw[low - 1 : low] + raw[high : high + 1])
        if low == len(prefix) or high >= len(raw):
            return None
    if inner & outer or outer & set(DIGITS) or any(chr(byte).isalpha() for byte in inner):
        return None
    keep = inner | outer | set(DIGITS)
    free = free and bool(prefix)
    edges = [len(prefix) if free else 0, *(edge for low, high, _ in holes for edge in (low, high)), len(raw)]
    return Shape(
        skeleton=raw.translate(None, DIGITS),
        constants=tuple(raw[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)),
        fields=tuple(name for _, _, name in holes),
        columns=tuple(sum(byte in outer for byte in raw[:low]) for low, _, _ in holes),
        pieces=sum(byte in outer for byte in raw) + 1,
        table=bytes(10 if byte in outer else byte for byte in range(256)),
        delete=bytes(byte for byte in range(256) if byte not in keep),
        free=free,
    )


@dataclass(slots=True)
class Tally:
    """Lines of one shape that were counted in bulk: places are positions in the window's segments."""

    shape: Shape
    raw: bytes  # the first line
    first: int
    last: int
    count: int
    values: dict[str, set[bytes]] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Take the lines of another tally of the same shape and window in."""
        if other.first < self.first:
            self.first, self.raw = other.first, other.raw
        self.last = max(self.last, other.last)
        self.add_later(other)

    def add_later(self, later: Tally) -> None:
        """Take the lines of the same shape of a later window in."""
        self.count += later.count
        for name, texts in later.values.items():
            self.values[name] |= texts

    def repeat(self, last_line: int) -> Repeat:
        """Return the tally as a line carries it."""
        values = {
            name: frozenset(tuple(map(int, _INTEGER.findall(text))) for text in texts)
            for name, texts in self.values.items()
        }
        return Repeat(
            count=self.count,
            last=last_line,
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
        self._last: Shape | None = None
        self._block = b""  # the last shape's skeleton, over and over

    def whole(self, data: bytes, newlines: int) -> Tally | None:
        """Return the tally of a window in which every line is of the shape that came last, else None."""
        shape = self._last
        if shape is None or newlines < FEW or not shape.fits(data[: data.find(b"\n")]):
            return None
        bare = data.translate(None, DIGITS)
        if len(bare) != newlines * (len(shape.skeleton) + 1):
            return None
        if len(self._block) < len(bare):
            self._block = (shape.skeleton + b"\n") * newlines
        if not self._block.startswith(bare):
            return None
        values = shape.read(data, newlines)
        if values is None:
            return None
        return Tally(shape, data[: data.find(b"\n")], 0, newlines - 1, newlines, values)

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
            self._remember(max(done.tallies.values(), key=lambda tally: tally.last).shape)
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
        values = shape.read(b"\n".join([*lines, b""]), len(lines))
        if values is None:
            return False
        tally = Tally(shape, lines[0], members[0], members[-1], len(members), values)
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

    def _remember(self, shape: Shape) -> None:
        if shape is not self._last:
            self._last = shape
            self._block = b""


@dataclass(slots=True)
class Collapsed:
    """What a dense window holds: tallies, the positions of the segments that they count, and of the other hot ones."""

    tallies: dict[Shape, Tally]
    counted: list[int]
    left: list[int]
