"""Events to groups: equal events of one attempt become one, with their count, ranges, ranks, hosts and channels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from errtriage.model import Event, Group, Range, Span
from errtriage.patterns import all_patterns
from errtriage.scrub import scrubbed
from errtriage.values import dataclass, field

_GROUPS = 8_000
_VALUES = 65_536  # distinct values that a range counts exactly; more are not told apart
_NAMES = 4_096  # ranks, hosts, channels of one group
_VARIANTS = 32  # texts that differ by their numbers alone and stay apart
_NOT_COLLAPSED = frozenset({"progress", "metric", "environment"})

# The fields that make two events of a kind the same, those after the bar without their numbers. A kind that is not
# here is told by all of its fields, without their numbers.
_IDENTITY: Mapping[str, tuple[str, str]] = {
    "exception": ("type module origin ignored code oom", "message worker"),
    "warning": ("category file line", "message"),
    "device_assert": ("file line condition", ""),
    "cuda_error": ("code file line api oom", "message"),
    "cpp_error": ("type code oom", "message"),
    "torch_log": ("level file line code", "message"),
    "native_crash": ("signal", "message"),
    "process_exit": ("signal code", "message"),
    "collective": ("phase group seq op numel_in numel_out shape enqueued completed missing ranks", "message"),
    "nccl": ("level file line code", "message"),
    "launcher": ("what launcher exitcode signal root", "name message"),
    "scheduler": ("system reason signal code job", "message"),
    "kernel_log": ("what xid device process", "message"),
    "build_error": ("tool file line", "message"),
}
_NAMES_OF = {kind: (exact.split(), loose.split()) for kind, (exact, loose) in _IDENTITY.items()}
# Of these the rank that the line tells of counts, not the one that printed it.
_TOLD_RANK = frozenset({"launcher", "collective"})
RANGED: Mapping[str, tuple[str, ...]] = {row.kind: row.ranged for row in all_patterns().rows if row.ranged}

Key = tuple[object, ...]


@dataclass(slots=True)
class _Values:
    """What one ranged field took: the corners of its box, and distinct values, exact up to a bound."""

    low: tuple[int, ...]
    high: tuple[int, ...]
    seen: set[tuple[int, ...]] = field(default_factory=set)
    bulk: int = 0  # distinct values that a bulk count told of without naming them

    def add(self, value: tuple[int, ...]) -> None:
        self._widen(value, value)
        if len(self.seen) < _VALUES:
            self.seen.add(value)

    def merge(self, other: Range, values: frozenset[tuple[int, ...]]) -> None:
        apart = other.high < self.low or other.low > self.high
        self._widen(other.low, other.high)
        if len(values) + len(self.seen) <= _VALUES:
            self.seen |= values
        if not values:
            self.bulk = self.bulk + other.distinct if apart else max(self.bulk, other.distinct - len(self.seen))

    def range(self) -> Range:
        return Range(low=self.low, high=self.high, distinct=len(self.seen) + self.bulk)

    def _widen(self, low: tuple[int, ...], high: tuple[int, ...]) -> None:
        if len(low) == len(self.low):
            self.low = tuple(map(min, self.low, low))
            self.high = tuple(map(max, self.high, high))


@dataclass(slots=True)
class _Members:
    """The members of one group so far; sets that keep their order are dicts."""

    event: Event
    place: int  # of the first member among all events, which orders sources
    count: int = 0
    last: int = 0
    ranks: set[int] = field(default_factory=set)
    hosts: dict[str, None] = field(default_factory=dict)
    channels: dict[str, None] = field(default_factory=dict)
    values: dict[str, _Values] = field(default_factory=dict)
    parents: dict[Key, None] = field(default_factory=dict)

    def add(self, event: Event) -> None:
        repeat = event.repeat
        self.count += repeat.count if repeat else 1
        if event.source == self.event.source:
            self.last = max(self.last, event.span.last, repeat.last if repeat else 0)
        rank = _rank(event)
        if rank is not None and len(self.ranks) < _NAMES:
            self.ranks.add(rank)
        if repeat is not None:
            self.ranks.update(repeat.ranks[:_NAMES])
        if event.host and len(self.hosts) < _NAMES:
            self.hosts[event.host] = None
        if event.channel and len(self.channels) < _NAMES:
            self.channels[event.channel] = None
        self._add_values(event)

    def _add_values(self, event: Event) -> None:
        bulk = event.repeat.ranges if event.repeat is not None else {}
        for name in RANGED.get(event.kind, ()):
            value = _numbers(event.fields.get(name, ""))
            if value:
                self.values.setdefault(name, _Values(value, value)).add(value)
            if name in bulk:
                values = self.values.setdefault(name, _Values(bulk[name].low, bulk[name].high))
                values.merge(bulk[name], event.repeat.values.get(name, frozenset()) if event.repeat else frozenset())


class Collapser:
    """Takes events one by one and gives their groups; memory grows with distinct events only."""

    def __init__(self, limit: int = _GROUPS) -> None:
        """Take the number of groups beyond which new ones are dropped."""
        self._limit = limit
        self._members: dict[Key, _Members] = {}
        self._variants: dict[Key, dict[str, None]] = {}
        self._places = 0
        self.cut: tuple[str, ...] = ()

    def add(self, event: Event) -> None:
        """Add an event; metrics, progress and versions are not collapsed and ignored."""
        if event.kind in _NOT_COLLAPSED:
            return
        key = self._key(event)
        members = self._members.get(key)
        if members is None:
            if len(self._members) >= self._limit:
                self.cut = (f"groups beyond {self._limit}",)
                return
            self._places += 1
            members = self._members[key] = _Members(event, self._places, last=event.span.last)
        members.add(event)
        if event.parent is not None and len(members.parents) < _NAMES:
            members.parents[self._key(event.parent)] = None

    def groups(self) -> tuple[Group, ...]:
        """Return the groups in the order of their first lines, sources in the order in which they were read."""
        sources: dict[str, int] = {}
        for members in self._members.values():
            sources.setdefault(members.event.source, len(sources))
        made: dict[Key, Group] = {}
        for key in self._members:
            self._group(key, made, frozenset())
        order = {key: (sources[m.event.source], m.event.span.first, m.place) for key, m in self._members.items()}
        return tuple(made[key] for key in sorted(self._members, key=order.__getitem__))

    def _group(self, key: Key, made: dict[Key, Group], inside: frozenset[Key]) -> Group | None:
        """Make the group of a key after those it was wrapped into; a circle is cut where it closes."""
        if key in made:
            return made[key]
        members = self._members.get(key)
        if members is None or key in inside or len(inside) > 64:
            return None
        parents = [self._group(parent, made, inside | {key}) for parent in members.parents if parent != key]
        event = members.event
        made[key] = Group(
            event=event,
            count=members.count,
            span=Span(first=event.span.first, last=members.last),
            ranks=tuple(sorted(members.ranks)),
            hosts=tuple(members.hosts),
            channels=tuple(members.channels),
            ranges={name: values.range() for name, values in members.values.items()},
            parents=tuple(parent for parent in parents if parent is not None),
            relation=event.relation,
        )
        return made[key]

    def _key(self, event: Event) -> Key:
        if event.kind == "attempt":
            return (event.kind, event.attempt, event.source, event.span.first)
        if event.kind == "text":
            return (event.kind, event.attempt, self._variant(event.attempt, event.fields.get("message", "")))
        return _identity(event)

    def _variant(self, attempt: int, message: str) -> str:
        """Return the text that a line stands with: itself, or without numbers where too many differ by these alone.

        An entry may look for one number (`scale to 1`), so that a few variants must stay apart.
        """
        skeleton = (attempt, scrubbed(message))
        if skeleton not in self._variants and len(self._variants) >= self._limit:
            return message
        known = self._variants.setdefault(skeleton, {})
        if message in known or len(known) < _VARIANTS:
            known[message] = None
            return message
        return next(iter(known))


def collapse(events: Iterable[Event]) -> tuple[Group, ...]:
    """Return the groups of events, in the order of their first lines."""
    collapser = Collapser()
    for event in events:
        collapser.add(event)
    return collapser.groups()


def identity(event: Event) -> Key | None:
    """Return all that a later event of a group adds to it beside its count and its place; None where that is more.

    Where two events have the same, the second one changes nothing else.
    """
    if event.kind in _NOT_COLLAPSED or event.kind == "attempt" or event.repeat is not None:
        return None
    said = event.fields.get("message") if event.kind == "text" else _identity(event)
    ranged = tuple(event.fields.get(name) for name in RANGED.get(event.kind, ()))
    parent = identity(event.parent) if event.parent is not None else None
    return (event.kind, said, ranged, _rank(event), event.host, event.channel, event.relation, parent)


def _identity(event: Event) -> Key:
    fields = event.fields
    if event.kind not in _NAMES_OF:
        rest = tuple(sorted((name, scrubbed(value)) for name, value in fields.items()))
        return (event.kind, event.attempt, _place(event), rest)
    exact, loose = _NAMES_OF[event.kind]
    return (
        event.kind,
        event.attempt,
        _place(event),
        *map(fields.get, exact),
        *(_loose(fields.get(name, "")) for name in loose),
    )


def _loose(text: str) -> str:
    """Return a message without its numbers, or as it is where it is little more than a number."""
    return text if len(text) <= 12 else scrubbed(text)


def _place(event: Event) -> tuple[str, int | None, str | None] | None:
    """Return where the event's traceback ends in the user's own code, or where it ends at all."""
    if not event.frames:
        return None
    frame = next((frame for frame in reversed(event.frames) if frame.user), event.frames[-1])
    return frame.file, frame.line, frame.function


def _rank(event: Event) -> int | None:
    told = event.fields.get("rank", "") if event.kind in _TOLD_RANK else ""
    return int(told) if told.isdecimal() and len(told) < 9 else event.rank


def _numbers(value: str) -> tuple[int, ...]:
    parts = value.split(",")
    if len(parts) > 4 or not all(part.strip().isdecimal() and len(part) < 19 for part in parts):
        return ()
    return tuple(int(part) for part in parts)
