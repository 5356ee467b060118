"""What lines tell whose shape has been read before: it is cut out of them, rather than read anew.

A run prints the same few lines over and over with other numbers in them. The shape of a line is its text with every
digit as 0. Some patterns go by the shape alone (`by_shape`): whatever stands in the free digits, each field that they
make is a piece of the text at the same place. Which place that is shows in twins of a line that has been read, in
which every digit stands where no other one does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from errtriage.lazy_regex import lazy
from errtriage.model import Event, Line
from errtriage.patterns.base import event
from errtriage.values import dataclass, replace

Read = Callable[[Line], "Sequence[Event] | None"]
"""Reads a line; None where not only patterns that go by the shape had a word in it."""

_ZEROS = str.maketrans("123456789", "000000000")
# Digits that belong to a word (`top1`, `acc@5`, `l2`, `fold-3`) may tell what it means; those of an exponent are free.
_WORDED = lazy(r"(?:[A-DF-Za-df-z_@]|(?<![\d.])[eE])-?(\d+)")
_ODD = "nan.0"  # the one value whose digit tells that it is one
_SIGHTS = 3  # lines of a shape that are read before it is learnt
_KEPT = 2_000  # shapes with the digits of their words, before all are forgotten
_LONGEST = 500  # characters of a line that is learnt
_WORDS = 16  # words with digits in such a line

_Piece = tuple[str, str, int, int]  # a field: its name, and its value or, where that is empty, the piece that it is
_Plan = tuple[tuple[str, tuple[_Piece, ...]], ...]  # the kinds of the events of a line, with their fields


@dataclass(slots=True, eq=False)
class _Shape:
    """What is known of a shape: where its words' digits stand, and by these how often it was seen, and its plans."""

    worded: tuple[tuple[int, int], ...]
    seen: dict[tuple[str, ...], int]
    plans: dict[tuple[str, ...], _Plan]


class Recall:
    """Remembers shapes; for lines of one source or of many."""

    def __init__(self, telling: Iterable[str]) -> None:
        """Take the literals that pick lines: those that hold digits must not come about by other digits."""
        self._numbered = tuple({one.translate(_ZEROS) for one in telling if any(map(str.isdigit, one))})
        self._shapes: dict[str, _Shape] = {}
        self._kept = 0

    def events(self, line: Line) -> list[Event] | None:
        """Return what a line tells where its shape is known, else None."""
        text = line.text
        shape = self._shapes.get(text.translate(_ZEROS))
        if shape is None:
            return None
        plan = shape.plans.get(tuple([text[start:end] for start, end in shape.worded]))
        if plan is None:
            return None
        return [
            event(kind, line, {name: value or text[start:end] for name, value, start, end in pieces})
            for kind, pieces in plan
        ]

    def learn(self, line: Line, made: Sequence[Event], read: Read) -> None:
        """Take what was read out of a line by patterns that all go by its shape."""
        text = line.text
        if len(text) > _LONGEST:
            return
        if self._kept >= _KEPT:
            self._shapes.clear()
            self._kept = 0
        name = text.translate(_ZEROS)
        shape = self._shapes.get(name)
        if shape is None:
            worded = tuple(found.span(1) for found in _WORDED.finditer(text))
            if len(worded) > _WORDS:
                return
            shape = self._shapes[name] = _Shape(worded, {}, {})
        digits = tuple([text[start:end] for start, end in shape.worded])
        seen = shape.seen[digits] = shape.seen.get(digits, 0) + 1
        self._kept += seen == 1
        if seen == _SIGHTS and _ODD not in name.lower() and not any(one in name for one in self._numbered):
            plan = _plan(line, made, read, shape.worded)
            if plan is not None:
                shape.plans[digits] = plan


def _plan(line: Line, made: Sequence[Event], read: Read, worded: Sequence[tuple[int, int]]) -> _Plan | None:
    """Return how to cut the events out of lines of the shape of this one; None where that can not be told."""
    lines = [line, *(replace(line, text=twin) for twin in _twins(line.text, worded))]
    told = [made]
    for twin in lines[1:]:
        events = read(twin)
        if events is None or len(events) != len(made):
            return None
        told.append(events)
    plan = []
    for number, first in enumerate(made):
        same = [events[number] for events in told]
        if any(one.kind != first.kind or list(one.fields) != list(first.fields) for one in same):
            return None
        if any(one.text != of.text.strip() or one.frames or one.parent for one, of in zip(same, lines, strict=True)):
            return None
        pieces = [_piece(name, [one.fields[name] for one in same], [of.text for of in lines]) for name in first.fields]
        if None in pieces:
            return None
        plan.append((first.kind, tuple(filter(None, pieces))))
    return tuple(plan)


def _piece(name: str, values: Sequence[str], texts: Sequence[str]) -> _Piece | None:
    """Return the one piece of all texts that a field is, or what it is in all of them alike."""
    if len(set(values)) == 1 and values[0]:
        return name, values[0], 0, 0
    start, length = texts[0].find(values[0]), len(values[0])
    found = []
    while start >= 0:
        if all(text.startswith(value, start) for text, value in zip(texts, values, strict=True)):
            found.append(start)
        start = texts[0].find(values[0], start + 1)
    same = len(set(map(len, values))) == 1 and length > 0
    return (name, "", found[0], found[0] + length) if same and len(found) == 1 else None


def _twins(text: str, worded: Sequence[tuple[int, int]]) -> list[str]:
    """Return texts of the same shape: a place tells itself by the free digits that stand there in all of them.

    The first three count the digits, up to a thousand; by the last each of them is another one somewhere.
    """
    kept = {at for start, end in worded for at in range(start, end)}
    free = [at for at, character in enumerate(text) if character in "0123456789" and at not in kept]
    characters = [list(text) for _ in range(4)]
    for number, at in enumerate(free):
        for twin, digit in zip(characters, f"{number:03}{(number + 5) % 10}", strict=True):
            twin[at] = digit
    return ["".join(twin) for twin in characters]
