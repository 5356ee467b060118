"""Whether blocks of lines tell the same: by the events that are made of them, and what these add to a group."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

from errtriage.collapse import identity
from errtriage.model import Event, Line
from errtriage.parse import Parser


class Sameness:
    """Judges blocks for `Refrains`."""

    def __init__(self, text_literals: Iterable[str], clean: Callable[[Iterable[bytes]], list[Line]]) -> None:
        """Take the literals that make a line a `text` event, and what cleans raw lines without learning from them."""
        self._parser = Parser(text_literals=text_literals)
        self._clean = clean

    def identity(self, events: Sequence[Event]) -> Hashable:
        """Return all that events add to what is known, beside their count; None where that is always something."""
        found = tuple(identity(event) for event in events)
        return None if None in found else found

    def tell_same(self, blocks: Iterable[Sequence[bytes]]) -> bool:
        """Return whether all of these blocks, each given by its raw lines, tell the same."""
        first, *others = (self._told(block) for block in blocks)
        return all(other == first for other in others)

    def _told(self, block: Sequence[bytes]) -> list[Hashable]:
        events = [event for line in self._clean(block) for event in self._parser.feed(line)] + self._parser.close()
        return [(self.identity([event]), event.span.first, event.span.last) for event in events]
