"""Groups, series and derived facts against knowledge entries: each fit is a `Hit`, and of a group the best one wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from errtriage import TYPE_CHECKING
from errtriage.model import Derived, DerivedMatch, Entry, EventMatch, Facts, Group, Hit, Series, SeriesMatch
from errtriage.patterns.base import compiled

if TYPE_CHECKING:
    import re
    from typing import Any

    from errtriage.knowledge import Knowledge

_LONGEST_FIELD = 8192  # characters of a field that a regex looks at: what tells faults apart stands near the start
_LEAST_LOGGED = 16.0  # characters that an entry must know of a message that was logged without its type


def match(
    groups: Sequence[Group], of_series: Sequence[Hit], knowledge: Knowledge, derived: Sequence[Derived] = ()
) -> list[Hit]:
    """Return the hits of all groups, those of the series (`hits_of_series`) and those of derived facts, in this order.

    Of the entries that fit one group, the one whose regexes pin down the most of its text wins; equals all stay.
    """
    hits: list[Hit] = []
    for group in groups:
        hits += _most_specific(hits_of_group(group, knowledge))
    hits += of_series
    hits += _hits_of_derived(derived, knowledge)
    return hits


def hits_of_group(group: Group, knowledge: Knowledge) -> list[Hit]:
    """Return the best fit of every entry that fits a group at all."""
    best: dict[str, tuple[float, Mapping[str, str]]] = {}
    for name, row in knowledge.candidates(group.event.kind, group.event.fields):
        found = fits(row, group.event.fields) if isinstance(row, EventMatch) else None
        if found is not None and found[1] < _LEAST_LOGGED and _is_untyped(group):
            continue
        if found is not None and (name not in best or found[1] > best[name][0]):
            best[name] = (found[1], found[0])
    return [
        Hit(entry=knowledge.entry(name), subject=group, captures=captures, specificity=pinned)
        for name, (pinned, captures) in best.items()
    ]


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


def _is_untyped(group: Group) -> bool:
    """Return whether a program logged a message without saying what kind of exception it was."""
    return group.event.fields.get("origin") == "logged" and not group.event.fields.get("type")


def _most_specific(hits: list[Hit]) -> list[Hit]:
    if len(hits) < 2:
        return hits
    most = max(hit.specificity for hit in hits)
    return [hit for hit in hits if hit.specificity == most]


def hits_of_series(series: Sequence[Series], knowledge: Knowledge, facts: Facts) -> list[Hit]:
    """Return the hits of all tests that see something in a series."""
    if not series:
        return []
    from errtriage.series.tests import find

    hits = []
    for name, row in knowledge.rows("(metric)"):
        for finding in find(row, series, facts) if isinstance(row, SeriesMatch) else ():
            entry = knowledge.entry(name)
            hits.append(
                Hit(entry=entry, subject=finding.series, captures=finding.values, specificity=finding.certainty)
            )
    return hits


def _hits_of_derived(derived: Sequence[Derived], knowledge: Knowledge) -> list[Hit]:
    rows = knowledge.rows("(derived)") if derived else ()
    found = [
        _hit_of_fact(knowledge.entry(name), row, fact)
        for name, row in rows
        for fact in derived
        if isinstance(row, DerivedMatch)
    ]
    return [hit for hit in found if hit is not None]


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
