"""Feeds a text to some patterns as the parser does, for the tests of single pattern modules."""

from __future__ import annotations

from collections.abc import Sequence

from errtriage.model import Event, Line, Span
from errtriage.parse import Parser
from errtriage.patterns.base import Pattern


def events_of(patterns: Sequence[Pattern], text: str) -> list[Event]:
    """Return the events that these patterns alone find in a text."""
    parser = Parser(patterns=tuple(patterns))
    found: list[Event] = []
    for number, row in enumerate(text.split("\n"), 1):
        found += parser.feed(Line(span=Span(first=number, last=number), text=row, source="log"))
    return found + parser.close()


def check_examples(patterns: Sequence[Pattern]) -> None:
    """Check that each example holds a literal and gives its kind, and that near misses give nothing of the kind."""
    for pattern in patterns:
        for example in pattern.examples:
            assert any(literal in example for literal in pattern.literals), example
            assert pattern.kind in {event.kind for event in events_of([pattern], example)}, example
        assert pattern.examples
        for ignore in pattern.ignore:
            assert events_of([pattern], ignore) == [], ignore
