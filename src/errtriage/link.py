"""Hits to one graph: which fault led to which, by exception chains and by what entries say they lead to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from errtriage.lazy_regex import lazy
from errtriage.model import Entry, Group, Hit, Link, Series
from errtriage.values import dataclass

# Exceptions that programs raise and catch to probe for something: the later one is then the fault.
_PROBING = frozenset(
    {"ImportError", "ModuleNotFoundError", "KeyError", "AttributeError", "StopIteration", "IndexError"}
)
# Exceptions of a wait that ran out: who waits looks then whether the others still live.
_POLLING = frozenset({"Empty", "Full"})
_PAIRED = 128  # hits of a node, at each end, that are compared with those of another one
_PROBED_WITHIN = 2  # frames: the code that probes and the one that it asks
_METRIC_CODE = lazy(r"(?:^|[\\/_.])(?:eval\w*|metrics?|scor(?:e|er|ing)\w*|plot\w*|report\w*|summary)(?=[\\/_.]|$)")


@dataclass(frozen=True, kw_only=True)
class Node:
    """One fault of one attempt: all hits of one entry, earliest first."""

    entry: Entry
    hits: tuple[Hit, ...]

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The groups that the hits rest on."""
        found = [hit.subject for hit in self.hits if isinstance(hit.subject, Group)]
        return tuple(found + [group for hit in self.hits for group in hit.evidence])

    @cached_property
    def ranks(self) -> frozenset[int]:
        """The ranks that show the fault; empty where unknown."""
        return frozenset(rank for group in self.groups for rank in group.ranks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """`cause` led to `effect` (indices of nodes), and why that is believed."""

    cause: int
    effect: int
    because: str
    relation: str | None = None  # of the exception chain that it stands for; None where knowledge says so


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """Nodes in the order of their first evidence, and edges without a cycle."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    def causes_of(self, node: int) -> list[int]:
        """Return the nodes that led to a node."""
        return [edge.cause for edge in self.edges if edge.effect == node]

    def wraps_unknown(self, node: int) -> bool:
        """Return whether a node is a known symptom that a worker's exceptions, which no entry knows, were raised as."""
        chain = [edge for edge in self.edges if edge.effect == node]
        unknown = all(self.nodes[edge.cause].entry.id == "unrecognised-exception" for edge in chain)
        by_worker = bool(chain) and all(edge.relation == "worker" for edge in chain)
        return self.nodes[node].entry.role == "symptom" and by_worker and unknown

    def effects_of(self, node: int) -> list[int]:
        """Return all nodes that a node led to, near and far, each once."""
        reached: list[int] = []
        waiting = [node]
        while waiting:
            here = waiting.pop(0)
            for edge in self.edges:
                if edge.cause == here and edge.effect not in reached and edge.effect != node:
                    reached.append(edge.effect)
                    waiting.append(edge.effect)
        return reached


def link(hits: Sequence[Hit], order: Mapping[str, int]) -> Graph:
    """Return the graph of hits. `order` numbers the sources as they were given; it only breaks ties of place."""
    nodes = _nodes(hits, order)
    edges: list[Edge] = []
    for edge in [*_chain_edges(nodes), *_knowledge_edges(nodes)]:
        if edge.cause != edge.effect and not _reaches(edges, edge.effect, edge.cause):
            edges.append(edge)
    return Graph(nodes=nodes, edges=tuple(edges))


def _nodes(hits: Sequence[Hit], order: Mapping[str, int]) -> tuple[Node, ...]:
    merged: dict[object, list[Hit]] = {}
    for hit in hits:
        # What no entry knows stays apart: two unknown exceptions are two faults.
        key = (hit.entry.id, id(hit.subject)) if hit.entry.id == "unrecognised-exception" else hit.entry.id
        merged.setdefault(key, []).append(hit)
    nodes = [
        Node(entry=found[0].entry, hits=tuple(sorted(found, key=lambda hit: place(hit.subject, order))))
        for found in merged.values()
    ]
    return tuple(sorted(nodes, key=lambda node: place(node.hits[0].subject, order)))


def place(subject: Group | Series, order: Mapping[str, int]) -> tuple[int, int]:
    """Return where a subject stands: the number of its source and its first line."""
    if isinstance(subject, Group):
        return order.get(subject.event.source, 0), subject.span.first
    point = subject.bad or (subject.points[0] if subject.points else None)
    return order.get(subject.source, 0), point.line if point else 0


def _reaches(edges: Sequence[Edge], start: int, goal: int) -> bool:
    seen = {start}
    waiting = [start]
    while waiting:
        here = waiting.pop()
        if here == goal:
            return True
        for edge in edges:
            if edge.cause == here and edge.effect not in seen:
                seen.add(edge.effect)
                waiting.append(edge.effect)
    return False


def _chain_edges(nodes: Sequence[Node]) -> list[Edge]:
    """Return the edges of exceptions that were wrapped into one another, inner first."""
    owner = {id(group): index for index, node in enumerate(nodes) for group in node.groups}
    edges = []
    for index, node in enumerate(nodes):
        for group in node.groups:
            for outer in group.parents:
                other = owner.get(id(outer))
                if other is None or _is_named_by(node, nodes[other]):
                    continue
                if _is_reworded(group, node, nodes[other]):
                    edges.append(Edge(cause=other, effect=index, because="A library caught it, and said more."))
                elif group.relation != "handling":
                    relation = group.relation or "cause"
                    edges.append(Edge(cause=index, effect=other, because=_WRAPPED[relation], relation=relation))
                elif not _is_probe(group, node):
                    edges.append(Edge(cause=index, effect=other, because=_WRAPPED["handling"]))
                elif not _is_probe(outer, nodes[other]):
                    edges.append(Edge(cause=other, effect=index, because="The earlier error was only a probe."))
    # A fault that was met again while its wrapper was handled is not what the wrapper led to.
    wrapped = {(edge.effect, edge.cause) for edge in edges if edge.relation is not None}
    return [edge for edge in edges if edge.relation is not None or (edge.cause, edge.effect) not in wrapped]


def _is_named_by(inner: Node, outer: Node) -> bool:
    """Whether only the outer exception of a chain is known, and as a fault of its own rather than as a wrapper."""
    if inner.entry.id != "unrecognised-exception" or outer.entry.id == "unrecognised-exception":
        return False
    return outer.entry.role == "cause" or all(group.event.fields.get("type") in _POLLING for group in inner.groups)


def _is_reworded(group: Group, inner: Node, outer: Node) -> bool:
    """Whether a library looked something up in vain and raised a known fault from that, which says what lacks."""
    generic = inner.entry.id == "unrecognised-exception" or "python" in inner.entry.tags
    looked_up = generic and group.event.fields.get("type") in {*_PROBING, "TypeError"}
    frames = group.event.frames
    if group.relation not in (None, "cause", "handling") or not looked_up or not frames or any(f.user for f in frames):
        return False
    named = outer.entry.role == "cause" and "python" not in outer.entry.tags
    return named and outer.entry.id != "unrecognised-exception"


_WRAPPED = {
    "cause": "It was raised from it.",
    "handling": "It was raised while that was being handled.",
    "worker": "The worker's exception was raised again in the main process.",
    "spawn": "The child's exception was raised again in the parent.",
    "group": "It is a member of the exception group.",
}


def _is_probe(group: Group, node: Node) -> bool:
    known = node.entry.id != "unrecognised-exception" and "python" not in node.entry.tags
    return not known and group.event.fields.get("type") in _PROBING and not _comes_from_afar(group)


def _comes_from_afar(group: Group) -> bool:
    """Return whether an exception was raised deep below the code that caught it: nobody probes through other code.

    Imports are the exception: a probe for a module fails within whatever that module imports.
    """
    fields = group.event.fields
    if fields.get("type") in ("ImportError", "ModuleNotFoundError"):
        return False
    return "worker" in fields or len(group.event.frames) > _PROBED_WITHIN


def _knowledge_edges(nodes: Sequence[Node]) -> list[Edge]:
    edges = []
    for index, node in enumerate(nodes):
        for rule in node.entry.leads_to:
            for other, target in enumerate(nodes):
                if other == index or not _is_target(rule, target.entry):
                    continue
                if _may_have_led(rule, node, target):
                    edges.append(Edge(cause=index, effect=other, because=rule.because))
    return sorted(edges, key=lambda edge: (edge.effect - edge.cause <= 0, edge.cause))


def _is_target(rule: Link, entry: Entry) -> bool:
    return rule.target in entry.tags if rule.tag else rule.target == entry.id


def _may_have_led(rule: Link, node: Node, target: Node) -> bool:
    if node.entry.severity == "warning" and all(is_in_metric_code(group) for group in node.groups):
        return False
    return any(
        _pair_fits(rule, cause.subject, effect.subject) for cause in _ends(node.hits) for effect in _ends(target.hits)
    )


def _ends(hits: Sequence[Hit]) -> Sequence[Hit]:
    """Return the hits, of very many the first and the last ones: each is paired with each."""
    return hits if len(hits) <= 2 * _PAIRED else (*hits[:_PAIRED], *hits[-_PAIRED:])


def is_in_metric_code(group: Group) -> bool:
    """Return whether a warning stands in code that only measures or draws: it can not have spoilt the training."""
    frames = group.event.frames
    return bool(frames) and bool(_METRIC_CODE.search(frames[-1].file) or _METRIC_CODE.search(frames[-1].function or ""))


def _pair_fits(rule: Link, cause: Group | Series, effect: Group | Series) -> bool:
    first, second = _span(cause), _span(effect)
    same_source = _source(cause) == _source(effect)
    if rule.order == "after" and same_source and second[1] < first[0]:
        return False
    if rule.lines is not None and same_source and _gap(first, second) > rule.lines:
        return False
    if rule.seconds is not None and not _within_seconds(cause, effect, rule.seconds):
        return False
    return _same(rule.same, cause, effect)


def _span(subject: Group | Series) -> tuple[int, int]:
    if isinstance(subject, Group):
        return subject.span.first, subject.span.last
    line = subject.bad.line if subject.bad else (subject.points[0].line if subject.points else 0)
    return line, subject.points[-1].line if subject.points else line


def _source(subject: Group | Series) -> str:
    return subject.event.source if isinstance(subject, Group) else subject.source


def _gap(first: tuple[int, int], second: tuple[int, int]) -> int:
    return max(0, second[0] - first[1], first[0] - second[1])


def _within_seconds(cause: Group | Series, effect: Group | Series, limit: float) -> bool:
    times = [one.event.time for one in (cause, effect) if isinstance(one, Group)]
    if len(times) < 2 or times[0] is None or times[1] is None:
        return True
    return -1.0 <= times[1] - times[0] <= limit


def _same(what: str, cause: Group | Series, effect: Group | Series) -> bool:
    if what == "none":
        return True
    if what == "rank":
        ours = frozenset(cause.ranks) if isinstance(cause, Group) else frozenset()
        theirs = frozenset(effect.ranks) if isinstance(effect, Group) else frozenset()
        return not ours or not theirs or bool(ours & theirs)
    ours_in, theirs_in = _channels(cause), _channels(effect)
    return not ours_in or not theirs_in or bool(ours_in & theirs_in)


def _channels(subject: Group | Series) -> frozenset[str]:
    named = subject.channels if isinstance(subject, Group) else (subject.channel,)
    return frozenset(channel for channel in named if channel)
