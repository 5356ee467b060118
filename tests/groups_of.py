"""Reads the text of a log, or the logs of several ranks, as the program does, for tests of what its lines are."""

from __future__ import annotations

from errtriage.model import Group
from errtriage.patterns import all_patterns
from errtriage.reading import read
from errtriage.scan.wanted import Wanted
from errtriage.sources import from_text

WANTED = Wanted.of({literal for row in all_patterns().rows for literal in row.literals}, all_patterns().rows)


def groups_of(*texts: str) -> tuple[Group, ...]:
    """Return the groups of one job whose sources are texts, those of all its attempts."""
    sources = [from_text(f"log{number}", text) for number, text in enumerate(texts)]
    return tuple(group for attempt in read(sources, WANTED, ()).attempts for group in attempt.groups)


def fields_of(text: str, kind: str) -> list[dict[str, str]]:
    """Return the fields of all events of a kind, in the order of the log."""
    return [dict(group.event.fields) for group in groups_of(text) if group.event.kind == kind]
