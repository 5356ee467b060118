"""What is known of faults: entries with their matches, causes and links, and how one fits a log."""

from __future__ import annotations

from collections.abc import Mapping

from errtriage import TYPE_CHECKING
from errtriage.model.log import Group, Series
from errtriage.values import dataclass, field

if TYPE_CHECKING:
    from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class EventMatch:
    """An event kind with regexes on its fields: all of `where` and none of `unless` must be found."""

    event: str
    where: Mapping[str, str]
    unless: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[tuple[str, tuple[str, ...]], ...] = ()  # (field, any of these literals), worked out by the loader


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesMatch:
    """A metric and a test of the closed list in `series`, with the test's parameters."""

    metric: str
    test: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    with_metric: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedMatch:
    """A fact made after collapse (the closed list stands in `vocabulary.DERIVED`)."""

    derived: str
    where: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceMatch:
    """A rule of `source_check` that was found in the user's own source."""

    source: str


Match = EventMatch | SeriesMatch | DerivedMatch | SourceMatch


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Another entry (or all entries of a tag) that an entry explains."""

    target: str
    tag: bool = False
    order: str = "any"  # "after": the target stands later in the log; or "any"
    lines: int | None = None
    seconds: float | None = None
    same: str = "none"  # rank, pid, channel, process or none
    because: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One piece of evidence that lifts a cause: exactly one of the kinds of `vocabulary.CONDITIONS`."""

    kind: str
    value: Any
    because: str = ""
    needs: tuple[str, ...] = ()  # literals of which a text that a `frame` or `log` condition fits holds at least one


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """One thing that can have led to the fault, with the cheapest experiment that tells it from the others."""

    id: str
    why: str
    check: str = ""
    fix: str = ""
    code: str = ""
    when: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One fault of the knowledge base."""

    id: str
    title: str
    summary: str
    role: str
    severity: str
    tags: tuple[str, ...]
    match: tuple[Match, ...]
    leads_to: tuple[Link, ...] = ()
    causes: tuple[Cause, ...] = ()
    collect: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    renamed_from: tuple[str, ...] = ()
    action: str | None = None
    examples_match: tuple[Any, ...] = ()
    examples_ignore: tuple[Any, ...] = ()
    origin: str = ""  # the file it came from


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """An entry that was found in a group, a series or a derived fact, with what its regexes captured."""

    entry: Entry
    subject: Group | Series
    captures: Mapping[str, str] = field(default_factory=dict)
    specificity: float = 0.0  # share of the message that the match pins down, 0 to 1
    evidence: tuple[Group, ...] = ()  # further groups that this hit rests on
