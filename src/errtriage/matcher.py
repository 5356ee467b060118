"""Groups, series and derived facts against knowledge entries: each fit is a `Hit`, the most telling fit of a group wins."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from errtriage.model import Derived, DerivedMatch, Entry, EventMatch, Facts, Group, Hit, Series, SeriesMatch
from errtriage.patterns.base import compiled

if TYPE_CHECKING:
    from errtriage.knowledge import Knowledge

_LONGEST_FIELD = 8192  # characters of a field that a regex looks at: what tells faults apart stands near the start


def match(
    groups: Sequence[Group],
    series: Sequence[Series],
    knowledge: Knowledge,
    derived: Sequence[Derived] = (),
    facts: Facts | None = None,
) -> list[Hit]:
    """Return the hits of all groups, series and derived facts, in the order of the subjects.

    Of the entries that fit one group, the one whose regexes pin down the most of its text wins; equals all stay.
    """
    by_kind = _by_kind(knowledge)
    hits: list[Hit] = []
    for group in groups:
        hits += _most_specific(_hits_of_group(group, by_kind.get(group.event.kind, ())))
    hits += _hits_of_series(series, knowledge, facts or Facts())
    hits += _hits_of_derived(derived, knowledge)
    return hits


@lru_cache(maxsize=4)
def _by_kind(knowledge: Knowledge) -> Mapping[str, tuple[tuple[Entry, EventMatch], ...]]:
    table: dict[str, list[tuple[Entry, EventMatch]]] = defaultdict(list)
    for entry in knowledge.entries:
        for one in entry.match:
            if isinstance(one, EventMatch):
                table[one.event].append((entry, one))
    return {kind: tuple(rows) for kind, rows in table.items()}


def _hits_of_group(group: Group, rows: Iterable[tuple[Entry, EventMatch]]) -> list[Hit]:
    hits: dict[str, Hit] = {}
    for entry, row in rows:
        found = fits(row, group.event.fields)
        if found is None:
            continue
        captures, pinned = found
        best = hits.get(entry.id)
        if best is None or pinned > best.specificity:
            hits[entry.id] = Hit(entry=entry, subject=group, captures=captures, specificity=pinned)
    return list(hits.values())


def fits(row: EventMatch, fields: Mapping[str, str]) -> tuple[dict[str, str], float] | None:
    """Return captures and the number of characters pinned down where all of `where` and none of `unless` is found."""
    for name, literals in row.needs:
        value = fields.get(name)
        if value is None or not any(literal in value for literal in literals):
            return None
    captures: dict[str, str] = {}
    pinned = 0.0
    for name, pattern in row.where.items():
        value = fields.get(name)
        found = compiled(pattern).search(value[:_LONGEST_FIELD]) if value is not None else None
        if found is None:
            return None
        captures.update({k: v for k, v in found.groupdict().items() if v is not None})
        pinned += _pinned(found)
    for name, pattern in row.unless.items():
        value = fields.get(name)
        if value is not None and compiled(pattern).search(value[:_LONGEST_FIELD]):
            return None
    return captures, pinned


def _pinned(found: re.Match[str]) -> float:
    """Return how many characters of the match its pattern names itself, rather than leaves to captures and holes."""
    held = sum(len(v) for v in found.groups() if v)
    return max(1.0, min(len(found[0]) - held, len(found.re.pattern)))


def _most_specific(hits: list[Hit]) -> list[Hit]:
    if len(hits) < 2:
        return hits
    most = max(hit.specificity for hit in hits)
    return [hit for hit in hits if hit.specificity == most]


def _hits_of_series(series: Sequence[Series], knowledge: Knowledge, facts: Facts) -> list[Hit]:
    rows = [(entry, one) for entry in knowledge.entries for one in entry.match if isinstance(one, SeriesMatch)]
    if not rows or not series:
        return []
    from errtriage.series_tests import find

    hits = []
    for entry, row in rows:
        for finding in find(row, series, facts):
            hits.append(
                Hit(entry=entry, subject=finding.series, captures=finding.values, specificity=finding.certainty)
            )
    return hits


def _hits_of_derived(derived: Sequence[Derived], knowledge: Knowledge) -> list[Hit]:
    hits = []
    for entry in knowledge.entries:
        for row in entry.match:
            if isinstance(row, DerivedMatch):
                hits += [hit for fact in derived if (hit := _hit_of_fact(entry, row, fact)) is not None]
    return hits


def _hit_of_fact(entry: Entry, row: DerivedMatch, fact: Derived) -> Hit | None:
    if fact.name != row.derived or not fact.groups:
        return None
    found = fits(EventMatch(event=fact.name, where=row.where), fact.fields)
    if found is None:
        return None
    captures: dict[str, Any] = {**fact.fields, **found[0]}
    return Hit(
        entry=entry, subject=fact.groups[0], captures=captures, specificity=30.0, evidence=tuple(fact.groups[1:])
    )
