"""Shapes of lines with holes, and what stands in the holes of thousands of lines, read in a few passes over all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from errtriage.lazy_regex import lazy
from errtriage.model import Line
from errtriage.scan.wanted import DIGITS, Spans
from errtriage.values import dataclass

_NUMBER = lazy(rb"[0-9]+")
_INTEGER = lazy(rb"-?\d+")
_ENDS_IN_DIGITS = lazy(rb"[0-9]\n|\n[0-9]")
_BYTES = range(256)
_MOST_VALUES = 10_000  # pieces of a column whose numbers are remembered


@dataclass(frozen=True, slots=True)
class Shape:
    """A line with holes: constant bytes, and between them the texts of ranged fields.

    The digits of `prefix`, which is part of no constant, do not matter: it tells only the time.
    """

    prefix: bytes
    constants: tuple[bytes, ...]
    fields: tuple[str, ...]
    inner: frozenset[int]  # bytes that stand in fields beside digits
    skeleton: bytes

    @property
    def free(self) -> bool:
        """Whether the digits before the first constant do not matter."""
        return bool(self.prefix)

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
    begin = len(prefix) if free else 0
    edges = [begin, *(edge for low, high, _ in holes for edge in (low, high)), len(raw)]
    return Shape(
        prefix=raw[:begin],
        constants=tuple(raw[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)),
        fields=tuple(name for _, _, name in holes),
        inner=frozenset(inner),
        skeleton=raw.translate(None, DIGITS),
    )


Value = tuple[int, ...]
Values = dict[str, set[Value]]  # of each field what stands in it


class _Column:
    """A piece of each line: a field's text or nothing, and then what is the same in all; `loose`: behind anything."""

    def __init__(self, field: str, known: bytes, *, loose: bool = False) -> None:
        self.field = field
        self.known = known
        self._loose = loose
        self._values: dict[bytes, Value] = {}  # of pieces that were seen

    def values(self, pieces: set[bytes]) -> set[Value] | None:
        """Return the numbers before what is known, or None where a piece does not end with that."""
        if not self.field:
            fit = all(piece.endswith(self.known) for piece in pieces) if self._loose else pieces == {self.known}
            return set() if fit else None
        new = pieces - self._values.keys()
        if new:
            if not all(piece.endswith(self.known) for piece in new):
                return None
            if len(self._values) > _MOST_VALUES:
                self._values.clear()
                new = pieces
            for piece in new:
                text = piece[: len(piece) - len(self.known)]
                self._values[piece] = tuple(map(int, _INTEGER.findall(text)))
        return set(map(self._values.__getitem__, pieces))


@dataclass(frozen=True, slots=True)
class Counted:
    """Lines of one shape among others: the numbers of the first and the last one, how many, and their values."""

    first: int
    last: int
    count: int
    values: Values


class Columns:
    """Cuts lines of some shapes into pieces, of which each has its place in the line.

    The cut is behind each byte that stands before a field, and at the newline. Of the other bytes only digits are kept,
    with those that stand beside digits or fields: between two of these the skeleton has no byte that is left out. So a
    line of a shape's skeleton whose pieces are those of the shape, but for the fields, is a line of the shape.
    """

    def __init__(self, shapes: Sequence[Shape]) -> None:
        """Take the shapes."""
        inner = frozenset[int]().union(*(shape.inner for shape in shapes))
        self._ends = {10}.union(constant[-1] for shape in shapes for constant in shape.constants[:-1])
        kept = inner.union(DIGITS, *(_beside(shape) for shape in shapes))
        self._table = bytes(10 if byte in self._ends else byte for byte in _BYTES)
        self._delete = bytes(byte for byte in _BYTES if byte not in kept | self._ends)
        self._shapes = tuple(shapes)
        self._columns = [self._columns_of(shape) for shape in shapes]
        self._sound = not self._ends & inner

    def _columns_of(self, shape: Shape) -> list[_Column]:
        free = len(self._cut(shape.prefix)) if shape.free else 0
        first, *_ = self._cut(shape.constants[0])
        pieces = self._cut(shape.prefix + shape.constants[0])[:-1]
        columns = [_Column("", b"", loose=True) for _ in pieces[: max(0, free - 1)]]
        columns += [_Column("", first, loose=True) for _ in pieces[len(columns) : free]]
        columns += [_Column("", piece) for piece in pieces[free:]]
        for name, constant in zip(shape.fields, shape.constants[1:], strict=True):
            known, *more = self._cut(constant)
            columns += [_Column(name, known), *(_Column("", piece) for piece in more[:-1])]
        return columns + [_Column("", piece) for piece in self._cut(shape.constants[-1])[1:][-1:]]

    def _cut(self, text: bytes) -> list[bytes]:
        return text.translate(self._table, self._delete).split(b"\n")

    def read(self, lines: bytes, count: int) -> Values | None:
        """Return the values in lines of the skeleton of the only shape, or None where one is of another shape.

        `lines` ends with a newline.
        """
        columns = self._joined or self._columns[0]
        if self._joined:
            begin = self._columns[0][0].known
            text = lines.translate(self._table, self._delete + b"\n")
            if not text.startswith(begin + b"\n"):
                return None
            pieces = (text[len(begin) + 1 :] + begin).split(b"\n")
        else:
            pieces = self._cut(lines)
            pieces.pop()
        if len(pieces) != count * len(columns):
            return None
        values: Values = {}
        for at, column in enumerate(columns):
            found = column.values(set(pieces[at :: len(columns)]))
            if found is None:
                return None
            if column.field:
                values[column.field] = found
        return values

    @cached_property
    def _joined(self) -> list[_Column]:
        """The columns where the last piece of a line and the first one of the next are one, which saves time.

        Nothing where digits stand at an end of the line, as one could not tell in which line.
        """
        (shape,) = self._shapes
        first, *columns = self._columns[0]
        if shape.free or _ENDS_IN_DIGITS.search(shape.constants[-1] + b"\n" + shape.constants[0]):
            return []
        return [*columns[:-1], _Column(columns[-1].field, columns[-1].known + first.known)]

    @cached_property
    def _telling(self) -> int | None:
        """The column that differs from shape to shape; None where there is none."""
        names = {tuple(column.field for column in columns) for columns in self._columns}
        if len(names) > 1 or not self._sound or any(shape.free for shape in self._shapes):
            return None
        for at, column in enumerate(self._columns[0]):
            if not column.field and len({columns[at].known for columns in self._columns}) == len(self._shapes):
                return at
        return None

    @cached_property
    def _common(self) -> set[int]:
        """The columns that are the same in all shapes."""
        known = [{columns[at].known for columns in self._columns} for at in range(len(self._columns[0]))]
        return {at for at, column in enumerate(self._columns[0]) if not column.field and len(known[at]) == 1}

    def read_woven(self, lines: bytes, bare: bytes, count: int) -> dict[Shape, Counted] | None:
        """Return what lines of the shapes hold, or None where one is of another shape; `bare` lacks their digits."""
        telling = self._telling
        if telling is None:
            return None
        width = len(self._columns[0])
        pieces = self._cut(lines)
        if len(pieces) != count * width + 1:
            return None
        pieces.pop()
        marks = pieces[telling::width]
        numbers = {columns[telling].known: number for number, columns in enumerate(self._columns)}
        counts = Counter(marks)
        if not counts.keys() <= numbers.keys():
            return None
        skeletons = {mark: self._shapes[numbers[mark]].skeleton for mark in counts}
        one = next(iter(skeletons.values())) + b"\n"
        expected = one * count if len(set(skeletons.values())) == 1 else b""
        if (expected or b"\n".join([*map(skeletons.__getitem__, marks), b""])) != bare:
            return None
        values: dict[bytes, Values] = {mark: {} for mark in counts}
        for at in set(range(width)) - {telling}:
            if at in self._common and self._columns[0][at].values(set(pieces[at::width])) is not None:
                continue
            for mark, texts in _by_mark(marks, pieces[at::width], counts).items():
                column = self._columns[numbers[mark]][at]
                found = column.values(texts)
                if found is None:
                    return None
                if column.field:
                    values[mark][column.field] = found
        marks.reverse()
        ends = {mark: count - 1 - marks.index(mark) for mark in counts}
        marks.reverse()
        return {
            self._shapes[numbers[mark]]: Counted(marks.index(mark), ends[mark], number, values[mark])
            for mark, number in counts.items()
        }


def _by_mark(marks: list[bytes], pieces: list[bytes], counts: Iterable[bytes]) -> dict[bytes, set[bytes]]:
    """Return the different pieces that stand in the lines of each mark."""
    found: dict[bytes, set[bytes]] = {mark: set() for mark in counts}
    for mark, piece in set(zip(marks, pieces, strict=True)):
        found[mark].add(piece)
    return found


def _beside(shape: Shape) -> set[int]:
    """Return the bytes beside the fields of a shape, and those beside the digits of its constants."""
    found = {constant[0] for constant in shape.constants[1:]}
    for constant in shape.constants:
        for number in _NUMBER.finditer(constant):
            found.update(constant[max(0, number.start() - 1) : number.start()])
            found.update(constant[number.end() : number.end() + 1])
    return found
