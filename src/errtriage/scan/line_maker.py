"""From places in the windows of a source to its lines, cleaned, and with what was learnt from earlier ones."""

from __future__ import annotations

from collections.abc import Iterable

from errtriage import TYPE_CHECKING
from errtriage.lines import Cleaner
from errtriage.model import Line, Span
from errtriage.scan.awaited import Prefixes
from errtriage.scan.places import Places
from errtriage.scan.segments import first_hit, next_end
from errtriage.scan.wanted import Wanted

if TYPE_CHECKING:
    from errtriage.scan.strands import Row

LONGEST = 64 * 1024  # bytes of a segment that are handed on

CUT_LONG = "a line longer than 64 KiB was read around its first telling place only"


class LineMaker:
    """Makes the lines of one source."""

    def __init__(self, cleaner: Cleaner, wanted: Wanted, cuts: set[str]) -> None:
        """Take what cleans lines, what is looked for, around which long ones are cut, and where that is noted."""
        self.cleaner = cleaner
        self.prefixes = Prefixes()
        self._cuts = cuts
        self._wanted = wanted
        self._known_head: tuple[bytes, Span, Line] | None = None

    def line(self, places: Places, start: int, stop: int) -> Line:
        """Return the line of a segment."""
        data = places.data
        span = places.span(start)
        head = self._head(places, start, span) if start and data[start - 1] == 13 else None
        if stop - start > LONGEST:
            self._cuts.add(CUT_LONG)
            hit = first_hit(data[start:stop], self._wanted)
            start = max(start, start + hit - LONGEST // 2)
            stop = min(stop, start + LONGEST)
        line = self.cleaner.clean_one(data[start:stop], span, places.window.offset + start, head)
        if line.channel and head is None:
            self.prefixes.learn(line.channel, data[start:stop], line.text)
        return line

    def row(self, row: Row) -> Line:
        """Return a line that was kept as it was read."""
        return self.cleaner.clean_one(row.raw, Span(first=row.number, last=row.number), row.offset)

    def trial(self, rows: Iterable[bytes]) -> list[Line]:
        """Return what raw lines would be read as, each on a line of its own; nothing is learnt from them."""
        cleaner = self.cleaner.like()
        return [cleaner.clean_one(raw, Span(first=at, last=at)) for at, raw in enumerate(rows, 1)]

    def _head(self, places: Places, start: int, span: Span) -> Line:
        """Return the first state of the line that a later state stands on."""
        first = places.line_start(start)
        raw = places.data[first : min(next_end(places.data, first), first + LONGEST)]
        known = self._known_head
        if known is None or known[:2] != (raw, span):
            known = self._known_head = (raw, span, self.cleaner.clean_one(raw, span))
        return known[2]
