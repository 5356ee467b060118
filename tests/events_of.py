"""Feeds a text to some patterns as the parser does, for the tests of single pattern modules."""

from __future__ import annotations

from collections.abc import Sequence

from errtriage.model import Event, Line, Span
from errtriage.parse import Parser
from errtriage.patterns.base import Pattern
from errtriage.patterns.table import Table


def events_of(patterns: Sequence[Pattern], text: str) -> list[Event]:
    """Return the events that these patterns alone find in a text."""
    parser = Parser(patterns=Table.of(patterns))
    found: list[Event] = []
    for number, row in enumerate(text.split("\n"), 1):
        found += parser.feed(Line(span=Span(first=number, last=number), text=row, source="log"))
    return found + parser.close()
