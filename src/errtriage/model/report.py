"""What a report says: explanations with their evidence, the ranks, the timeline, and how the log was read."""

from __future__ import annotations

from collections.abc import Mapping

from errtriage import TYPE_CHECKING
from errtriage.model.log import Range, Series
from errtriage.values import dataclass, field

if TYPE_CHECKING:
    from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One summand of an explanation's log-odds."""

    name: str
    points: float
    because: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """The place in the user's own code; `late` where the device reports late, so that the line is only near."""

    file: str
    line: int | None
    function: str | None = None
    code: str | None = None
    late: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Lines of the log that a claim rests on."""

    source: str
    line: int
    last_line: int
    count: int
    text: str
    role: str
    rank: int | None = None
    time: float | None = None
    ranges: Mapping[str, Range] = field(default_factory=dict)
    context: tuple[tuple[int, str], ...] = ()  # numbered lines around it, where a page shows them


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseReading:
    """A cause with this run's values filled in, and the evidence that lifted it."""

    id: str
    why: str
    check: str
    fix: str
    code: str
    because: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One fault that the log shows, in the words of its entry, with this run's values filled in."""

    id: str
    title: str
    summary: str
    role: str
    severity: str
    confidence: float
    ranks: tuple[int, ...] = ()
    hosts: tuple[str, ...] = ()
    where: Where | None = None
    evidence: tuple[Evidence, ...] = ()
    causes: tuple[CauseReading, ...] = ()
    terms: tuple[Term, ...] = ()
    explained_by: str | None = None
    leads_to: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()  # (target id, because) of every edge from this explanation
    see: tuple[str, ...] = ()
    collect: tuple[str, ...] = ()  # what to fetch where the cause is not in the log
    action: str = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceInfo:
    """How one source was read."""

    name: str
    bytes: int = 0
    lines: int = 0
    encoding: str = "utf-8"
    truncated: bool = False
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineItem:
    """One moment of the story, first warning to last line."""

    source: str
    line: int
    last_line: int
    kind: str
    text: str
    time: float | None = None
    rank: int | None = None
    explanation: str | None = None
    ranks: tuple[int, ...] = ()  # all ranks that said it
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RankState:
    """What is known of one rank at the end of the log."""

    rank: int
    host: str | None = None
    last_step: int | None = None
    state: str = "unknown"  # died, waiting, behind, absent or unknown
    seq: int | None = None
    op: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the log tells of the run beside its faults."""

    versions: Mapping[str, str] = field(default_factory=dict)
    world_size: int | None = None
    classes: int | None = None
    batch_size: int | None = None
    last_step: int | None = None
    total_steps: int | None = None
    last_checkpoint: int | None = None
    attempts: int = 1
    command: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """What the engine did; `cut` names every bound that was reached."""

    seconds: float = 0.0
    events: int = 0
    groups: int = 0
    redacted: int = 0
    cut: tuple[str, ...] = ()
    engine: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The one value that the engine makes and every renderer reads."""

    sources: tuple[SourceInfo, ...]
    verdict: str
    ending: str
    headline: str
    explanations: tuple[Explanation, ...] = ()
    cause_in_log: bool = True
    collect: tuple[str, ...] = ()
    action: str = "unknown"
    work_lost: str | None = None
    fingerprint: str = ""
    timeline: tuple[TimelineItem, ...] = ()
    series: tuple[Series, ...] = ()
    ranks: tuple[RankState, ...] = ()
    facts: Facts = field(default_factory=Facts)
    stats: Stats = field(default_factory=Stats)
    earlier_attempts: tuple[str, ...] = ()  # one line each
    knowledge: str = ""  # digest of the knowledge that was used

    def to_dict(self) -> dict[str, Any]:
        """Return the report as the JSON contract says (`render.json`)."""
        from errtriage.render.json import to_dict

        return to_dict(self)
