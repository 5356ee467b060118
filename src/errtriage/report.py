"""The ranked graph of one attempt to the `Report` that renderers read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from errtriage.lazy_regex import lazy
from errtriage.link import Graph, Node
from errtriage.model import (
    Evidence,
    Explanation,
    Group,
    Hit,
    Series,
    TimelineItem,
    Where,
)
from errtriage.rank import Ranked
from errtriage.readings import Story, read_causes, values_of
from errtriage.scrub import scrubbed
from errtriage.templates import fill

_EVIDENCE_KEPT = 24  # pieces of evidence for one explanation
_TEXT_KEPT = 600  # characters of one quoted line
_LATE_CODES = lazy(
    r"device-side assert|illegal memory access|misaligned address|unspecified launch failure|EXECUTION_FAILED"
)


def explanations(ranked: Sequence[Ranked], story: Story) -> tuple[Explanation, ...]:
    """Return one explanation for each ranked node, in the given order."""
    return tuple(_explanation(one, story) for one in ranked)


def _explanation(one: Ranked, story: Story) -> Explanation:
    graph, node = story.graph, story.graph.nodes[one.node]
    where = _where(graph, one.node)
    values = values_of(_most_telling(node), story.facts)
    if where is not None:
        values["where"] = f"{where.file}:{where.line}" if where.line else where.file
    causes = graph.causes_of(one.node)
    ours = [edge for edge in graph.edges if edge.cause == one.node]
    return Explanation(
        id=node.entry.id,
        title=fill(node.entry.title, values),
        summary=fill(node.entry.summary, values),
        role=node.entry.role,
        severity=node.entry.severity,
        confidence=one.confidence,
        ranks=tuple(sorted(node.ranks)),
        hosts=tuple(sorted({host for group in node.groups for host in group.hosts})),
        where=where,
        evidence=_evidence(graph, one.node),
        causes=read_causes(one.node, story, values),
        terms=one.terms,
        explained_by=graph.nodes[causes[0]].entry.id if causes and not graph.wraps_unknown(one.node) else None,
        leads_to=tuple(dict.fromkeys(graph.nodes[edge.effect].entry.id for edge in ours)),
        links=tuple((graph.nodes[edge.effect].entry.id, edge.because) for edge in ours),
        see=node.entry.see,
        collect=tuple(fill(text, values) for text in node.entry.collect),
        action=_action(node),
    )


def _action(node: Node) -> str:
    """Return who can act: as the entry says, else by its role and tags."""
    entry = node.entry
    if entry.action:
        return entry.action
    if entry.role != "cause":
        return "unknown"
    if "hardware" in entry.tags:
        return "change-node"
    return "more-resources" if "host-memory" in entry.tags else "fix-code"


def _most_telling(node: Node) -> Hit:
    """Return the first of the hits that pin down the most: its captures fill the texts."""
    return max(node.hits, key=lambda hit: hit.specificity)


def _where(graph: Graph, index: int) -> Where | None:
    """Return the innermost frame of the user's own code of a node, else of the nearest effect that has one."""
    inner = graph.causes_of(index) if graph.wraps_unknown(index) else []
    places = [(here, group) for here in [*inner, index, *graph.effects_of(index)] for group in graph.nodes[here].groups]
    # The place in a source file where a compiler stopped counts where no traceback tells who called it.
    for here, group in sorted(places, key=lambda place: place[1].event.kind == "build_error"):
        found = _user_place(group, late=here not in (index, *inner))
        if found is not None:
            return found
    return None


def _user_place(group: Group, *, late: bool) -> Where | None:
    for frame in reversed(group.event.frames):
        if frame.user and frame.line is not None:
            message = group.event.fields.get("message", "")
            is_late = bool(_LATE_CODES.search(message)) and (late or group.event.kind == "exception")
            return Where(file=frame.file, line=frame.line, function=frame.function, code=frame.code, late=is_late)
    return None


def _evidence(graph: Graph, index: int) -> tuple[Evidence, ...]:
    node = graph.nodes[index]
    found = [_evidence_of_group(group, node.entry.role) for group in node.groups]
    found += [one for hit in node.hits if isinstance(hit.subject, Series) for one in _evidence_of_series(hit)]
    for effect in graph.effects_of(index):
        groups = graph.nodes[effect].groups[:2]
        found += [_evidence_of_group(group, graph.nodes[effect].entry.role) for group in groups]
    return tuple(found[:_EVIDENCE_KEPT])


def _evidence_of_group(group: Group, role: str) -> Evidence:
    return Evidence(
        source=group.event.source,
        line=group.span.first,
        last_line=group.span.last,
        count=group.count,
        text=group.event.text[:_TEXT_KEPT],
        role=role,
        rank=group.ranks[0] if len(group.ranks) == 1 else None,
        time=group.event.time,
        ranges=group.ranges,
    )


def _evidence_of_series(hit: Hit) -> list[Evidence]:
    series = hit.subject
    if not isinstance(series, Series) or not series.points:
        return []
    marked = hit.captures.get("line")
    points = [point for point in series.points if str(point.line) == marked] or [series.bad or series.points[-1]]
    return [
        Evidence(
            source=series.source,
            line=point.line,
            last_line=max(point.line, series.points[-1].line),
            count=series.count,
            text=f"{series.label or series.name} = {point.value:g} at step {point.step:g}",
            role=hit.entry.role,
        )
        for point in points[:1]
    ]


def timeline(graph: Graph, order: Mapping[str, int]) -> tuple[TimelineItem, ...]:
    """Return the moments of the story in the order of the log: every group that an explanation rests on."""
    items = [
        TimelineItem(
            source=group.event.source,
            line=group.span.first,
            last_line=group.span.last,
            kind=group.event.kind,
            text=group.event.text[:_TEXT_KEPT],
            time=group.event.time,
            rank=group.ranks[0] if len(group.ranks) == 1 else None,
            explanation=node.entry.id,
            ranks=group.ranks,
            count=group.count,
        )
        for node in graph.nodes
        for group in node.groups
    ]
    return tuple(sorted(items, key=lambda item: (order.get(item.source, 0), item.line)))


_NAMES = lazy(r"[\w.-]+@[\w.-]+|(?:[A-Za-z]:)?[\\/][^\s'\":,]+")


def fingerprint(explained: Sequence[Explanation]) -> str:
    """Return a hash that is equal for the same fault in another run: no ranks, counts, paths, lines or versions.

    It is of the root's id, its first piece of evidence without numbers and names, and the user's function and code.
    """
    if not explained:
        return ""
    root = explained[0]
    text = root.evidence[0].text if root.evidence else ""
    for host in root.hosts:
        text = text.replace(host, "#")
    where = root.where
    function = where.function if where and where.function else ""
    # Where the device reports late the line is any line of that function.
    code = where.code if where and where.code and not where.late else ""
    parts = (root.id, scrubbed(_NAMES.sub("#", text)), function, scrubbed(code))
    return _digest("\n".join(parts).encode("utf-8", "replace"))


def _digest(data: bytes) -> str:
    """Return 64 bits in hexadecimal digits: FNV-1a, as `hashlib` takes longer to import than a small log to explain."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"
