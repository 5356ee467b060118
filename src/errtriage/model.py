"""Every value that passes from one step to another: frozen data, without logic beyond properties."""

from __future__ import annotations

from collections.abc import Mapping

from errtriage import TYPE_CHECKING
from errtriage.values import dataclass, field

if TYPE_CHECKING:
    from typing import Any


# The closed vocabularies of the contracts are plain strings, so that JSON, YAML and code share one spelling.
ROLES = ("cause", "symptom", "cascade")
SEVERITIES = ("fatal", "error", "silent", "warning", "note")
VERDICTS = ("failed", "suspect", "clean", "unknown")
ENDINGS = ("died", "completed", "stopped", "unknown")
ACTIONS = ("fix-code", "restart", "change-node", "more-resources", "unknown")
RELATIONS = ("cause", "handling", "worker", "spawn", "group")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Lines of one source, both ends included, counted by newline from 1."""

    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """The values that one numeric field took over a group: the corners of their box, and how many are distinct."""

    low: tuple[int, ...]
    high: tuple[int, ...]
    distinct: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """Lines that were collapsed in bulk onto the line that carries this."""

    count: int
    last: int
    ranges: Mapping[str, Range]
    ranks: tuple[int, ...] = ()
    values: Mapping[str, frozenset[tuple[int, ...]]] = field(default_factory=dict)  # all values behind `ranges`


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line worth a look: decoded, without control sequences and without the prefixes of its runner.

    A carriage return starts a new `Line` with the same span; a line joined from several raw ones has a longer span.
    """

    span: Span
    text: str
    source: str = ""
    offset: int = 0  # bytes from the start of the source to the raw line
    raw: str = ""  # as read, control sequences included; "" where equal to text
    channel: str = ""  # tells apart the streams woven into one source: rank, process, pod, task
    rank: int | None = None
    host: str | None = None
    time: float | None = None  # seconds since the epoch, or of a day or boot clock where only that is printed
    stream: str | None = None  # "stdout" or "stderr" where a prefix names it
    repeat: Repeat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One frame of a traceback. `user` is false for site-packages, the standard library and launchers."""

    file: str
    line: int | None = None
    function: str | None = None
    code: str | None = None
    user: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What one line or block is. `parent` is the later event that this one was wrapped into, by `relation`."""

    kind: str
    fields: Mapping[str, str]
    span: Span
    text: str  # the most telling line, as it is quoted in a report
    source: str = ""
    channel: str = ""
    rank: int | None = None
    host: str | None = None
    time: float | None = None
    frames: tuple[Frame, ...] = ()  # outermost first
    parent: Event | None = None
    relation: str | None = None
    repeat: Repeat | None = None
    attempt: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Equal events (by scrubbed identity) of one attempt, told by their first one."""

    event: Event
    count: int
    span: Span  # of all members; another source's members count but do not move it
    ranks: tuple[int, ...] = ()
    hosts: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    ranges: Mapping[str, Range] = field(default_factory=dict)
    parents: tuple[Group, ...] = ()  # the groups of the events that members were wrapped into
    relation: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One value of a metric. `step` is the printed step, else the ordinal of the print."""

    step: float
    value: float
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One metric of one split in one channel, thinned to a bounded number of points; first and last are kept."""

    name: str
    split: str = ""  # train, val, test or ""
    label: str = ""  # the name as printed
    channel: str = ""
    source: str = ""
    points: tuple[Point, ...] = ()
    mark: float | None = None  # the step that a finding points at
    count: int = 0  # points seen before thinning
    bad: Point | None = None  # the first non-finite value
    bad_run: int = 0  # how many non-finite values stand at its end, without a finite one between
    digits: int | None = None  # decimals printed
    attempt: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RankCollective:
    """What a watchdog line says of one rank of one process group."""

    rank: int | None
    op: str | None = None
    seq: int | None = None
    numel_in: int | None = None
    numel_out: int | None = None
    enqueued: int | None = None
    completed: int | None = None
    line: int = 0
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collectives:
    """The collectives of one process group, by rank, at the time that its watchdogs spoke."""

    group: str
    ranks: tuple[RankCollective, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """A fact that no single line says, worked out from several groups after collapse; it cites them."""

    name: str  # from the closed list `vocabulary.DERIVED`
    fields: Mapping[str, str]
    groups: tuple[Group, ...]


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
