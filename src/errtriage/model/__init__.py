"""Every value that passes from one step to another: frozen data, without logic beyond properties."""

from __future__ import annotations

from errtriage.model.entry import (
    Cause,
    Condition,
    DerivedMatch,
    Entry,
    EventMatch,
    Hit,
    Link,
    Match,
    SeriesMatch,
    SourceMatch,
)
from errtriage.model.log import (
    Collectives,
    Derived,
    Event,
    Frame,
    Group,
    Line,
    Point,
    Range,
    RankCollective,
    Repeat,
    Series,
    Span,
)
from errtriage.model.report import (
    CauseReading,
    Evidence,
    Explanation,
    Facts,
    RankState,
    Report,
    SourceInfo,
    Stats,
    Term,
    TimelineItem,
    Where,
)

__all__ = [
    "ACTIONS", "ENDINGS", "RELATIONS", "ROLES", "SEVERITIES", "VERDICTS", "Cause", "CauseReading", "Collectives",
    "Condition", "Derived", "DerivedMatch", "Entry", "Event", "EventMatch", "Evidence", "Explanation", "Facts",
    "Frame", "Group", "Hit", "Line", "Link", "Match", "Point", "Range", "RankCollective", "RankState", "Repeat",
    "Report", "Series", "SeriesMatch", "SourceInfo", "SourceMatch", "Span", "Stats", "Term", "TimelineItem", "Where",
]  # fmt: skip

# The closed vocabularies of the contracts are plain strings, so that JSON, YAML and code share one spelling.
ROLES = ("cause", "symptom", "cascade")
SEVERITIES = ("fatal", "error", "silent", "warning", "note")
VERDICTS = ("failed", "suspect", "clean", "unknown")
ENDINGS = ("died", "completed", "stopped", "unknown")
ACTIONS = ("fix-code", "restart", "change-node", "more-resources", "unknown")
RELATIONS = ("cause", "handling", "worker", "spawn", "group")
