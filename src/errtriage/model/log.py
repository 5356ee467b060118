"""What a log is read into: lines, events, groups and series of metrics."""

from __future__ import annotations

from collections.abc import Mapping

from errtriage.values import dataclass, field


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
    training: int = 0  # which of several trainings, one after another, it belongs to


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
