"""Exception groups (Python 3.11 and later): a tree of tracebacks, drawn with bars and plus signs in its margin."""

from __future__ import annotations

from errtriage.lazy_regex import lazy
from errtriage.model import Event, Line
from errtriage.patterns.base import Block, BlockOpener, Fed, Pattern
from errtriage.patterns.python_frames import HEAD, read_exception, read_frame, read_link
from errtriage.patterns.traceback_strand import Part, Strand, show_parts
from errtriage.values import replace

_TITLE = "Exception Group Traceback (most recent call last)"
_HEAD = lazy(r"(?P<margin>.{0,200}?)\+ Exception Group Traceback \(most recent call last\):?\s*$")
_NEXT = lazy(r"(?P<margin>\s{0,200})\+(?P<deeper>-\+)?-{4,60} (?:\d{1,6}|\.\.\.) -{4,60}\s*$")
_END = lazy(r"\s{0,200}\+-{20,80}\s*$")
_INSIDE = lazy(r"(?P<margin>\s{0,200})\| ?(?P<text>.*)$")


class _Tree:
    """The exceptions that are open, by the column of their margin."""

    settled = False

    def __init__(self, line: Line, column: int) -> None:
        self.strands: list[Strand] = []
        self.open: dict[int, Strand] = {}
        self._start(line, column)

    def _start(self, line: Line, column: int) -> None:
        strand = Strand(line, 0, headless=True)
        above = [one for one in self.open if one < column]
        if above:
            strand.part.outer, strand.part.relation = self.open[max(above)].part, "group"
        self.open = {one: held for one, held in self.open.items() if one < column}
        self.open[column] = strand
        self.strands.append(strand)

    def feed(self, line: Line) -> Fed:
        """Take the next line."""
        text = line.text
        after = _NEXT.match(text)
        if after:
            self._start(line, len(after["margin"]) + (2 if after["deeper"] else 0))
            return Fed.TAKEN
        if _END.match(text):
            self.settled = True
            return Fed.TAKEN
        inside = _INSIDE.match(text)
        if inside is None:
            return Fed.ENDED if text.strip() else Fed.TAKEN
        strand = self.open.get(len(inside["margin"]))
        if strand is not None:
            self._read(strand, replace(line, text=inside["text"]))
        return Fed.TAKEN

    def _read(self, strand: Strand, line: Line) -> None:
        text = line.text
        found = read_frame(text)
        relation = read_link(text)
        said = read_exception(text, sure=True)
        if HEAD in text:
            self._restart(strand, line)
        elif relation is not None:
            strand.add_link(line, relation)
        elif not strand.in_frames:
            strand.add_message(line)
        elif found is not None:
            strand.add_frame(line, found)
        elif said is not None and said.indent <= strand.base:
            strand.add_exception(line, said)
        elif strand.part.frames:
            strand.add_indented(line)

    def _restart(self, strand: Strand, line: Line) -> None:
        """Start the traceback of an exception, or the one that its first one led to."""
        old = strand.part
        outer, relation = old.outer, old.relation
        strand.restart(line, 0, None)
        new = strand.part
        if relation == "group":
            new.outer, new.relation = outer, relation
            if new is not old and old.exception is not None:
                old.outer, old.relation = new, "handling"

    def close(self) -> tuple[Event, ...]:
        """Return the exceptions, each group before its members."""
        parts: list[Part] = [part for strand in self.strands for part in strand.parts]
        return tuple(show_parts(parts, {"origin": "traceback"}))


def _open(line: Line) -> Block | None:
    head = _HEAD.match(line.text)
    return _Tree(line, len(head["margin"])) if head else None


GROUP = BlockOpener(
    kind="exception",
    literals=(_TITLE,),
    bound=6000,
    opener=_open,
    examples=(
        "  + Exception Group Traceback (most recent call last):\n"
        '  |   File "/app/tb.py", line 27, in <module>\n'
        "  |     raise ExceptionGroup('two', [ValueError('a'), TypeError('b')])\n"
        "  | ExceptionGroup: two (2 sub-exceptions)\n"
        "  +-+---------------- 1 ----------------\n"
        "    | ValueError: a\n"
        "    +---------------- 2 ----------------\n"
        "    | TypeError: b\n"
        "    +------------------------------------",
    ),
    ignore=("Exception Group Traceback (most recent call last) is new",),
)

PATTERNS: tuple[Pattern, ...] = (GROUP,)
