"""Every pattern against its own examples: hits are hits, near misses are not, and literals pick each example."""

import pytest

from errtriage.model import Event, Line, Span
from errtriage.parse import Parser
from errtriage.patterns import PATTERNS
from errtriage.patterns.base import LinePattern, Pattern
from errtriage.patterns.table import Table


def _lines(text: str) -> list[Line]:
    return [Line(span=Span(first=n, last=n), text=row) for n, row in enumerate(text.split("\n"), 1)]


def _events(pattern: Pattern, text: str) -> list[Event]:
    parser = Parser(patterns=Table.of([pattern]))
    made = [event for line in _lines(text) for event in parser.feed(line)]
    return [*made, *parser.close()]


def _name(pattern: Pattern, text: str) -> str:
    return f"{pattern.kind}-{text.splitlines()[0][:40]}" if text else pattern.kind


_HITS = [pytest.param(p, text, id=_name(p, text)) for p in PATTERNS for text in p.examples]
_MISSES = [pytest.param(p, text, id=_name(p, text)) for p in PATTERNS for text in p.ignore]


@pytest.mark.parametrize(("pattern", "text"), _HITS)
def test_example_is_recognised(pattern, text):
    """Each example of a pattern gives an event of its kind, and a literal of the pattern picks it."""
    made = _events(pattern, text)
    assert pattern.kind in {event.kind for event in made}
    assert any(literal in text for literal in pattern.literals)


@pytest.mark.parametrize(("pattern", "text"), _MISSES)
def test_near_miss_is_not_recognised(pattern, text):
    """No near miss of a pattern gives an event of its kind."""
    assert [event.text for event in _events(pattern, text) if event.kind == pattern.kind] == []


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda p: f"{p.kind}-{p.literals[0][:30]}")
def test_pattern_shows_both_sides(pattern):
    """Each pattern has an example and a near miss."""
    assert pattern.examples
    assert pattern.ignore


@pytest.mark.parametrize(
    "pattern", [p for p in PATTERNS if isinstance(p, LinePattern)], ids=lambda p: p.literals[0][:30]
)
def test_ranged_fields_are_groups(pattern):
    """A ranged field of a line pattern is one that its examples fill."""
    filled = {field for text in pattern.examples for event in _events(pattern, text) for field in event.fields}
    assert set(pattern.ranged) <= filled
