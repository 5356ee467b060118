"""Events of a part of a file, numbered as in the file: their lines are counted from the beginning of the part."""

from __future__ import annotations

from collections.abc import Sequence

from errtriage.model import Event, Span
from errtriage.values import replace


def later(events: Sequence[Event], lines: int) -> list[Event]:
    """Return the events so many lines further on; an event that is another's parent stays so."""
    moved: dict[int, Event] = {}
    return [_later(event, lines, moved) for event in events]


def _later(event: Event, lines: int, moved: dict[int, Event]) -> Event:
    known = moved.get(id(event))
    if known is None:
        known = moved[id(event)] = replace(
            event,
            span=Span(first=event.span.first + lines, last=event.span.last + lines),
            repeat=replace(event.repeat, last=event.repeat.last + lines) if event.repeat is not None else None,
            parent=_later(event.parent, lines, moved) if event.parent is not None else None,
        )
    return known
