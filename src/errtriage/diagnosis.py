"""The faults of one attempt: what fits its groups and series is linked, ranked and explained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from errtriage import TYPE_CHECKING, circumstances, ranks, report, unrecognised
from errtriage.link import Graph, link
from errtriage.matcher import match
from errtriage.model import Hit, Series
from errtriage.rank import Circumstances, rank
from errtriage.readings import Story, lifted_entries
from errtriage.verdict import Diagnosis

if TYPE_CHECKING:
    from pathlib import Path

    from errtriage.knowledge import Knowledge
    from errtriage.reading import Attempt


def diagnose(
    attempt: Attempt,
    of_series: Sequence[Hit],
    order: Mapping[str, int],
    knowledge: Knowledge,
    source_root: str | Path | None,
) -> Diagnosis:
    """Return the ranked explanations of an attempt, and what the report tells beside them.

    `of_series` are the hits of its series, `order` numbers the sources; in `source_root` the failing program's source
    may be read (None reads nothing).
    """
    derived = ranks.derive(attempt.groups, attempt.facts.world_size)
    hits = match(attempt.groups, of_series, knowledge, derived)
    recovered = circumstances.recovered_groups(attempt)
    linked = link([*hits, *unrecognised.hits(attempt.groups, hits, knowledge.lang)], order)
    graph = _without_survived(linked, recovered)
    broken, changed = _near(graph, attempt, source_root)
    story = Story(
        graph=graph,
        groups=attempt.groups,
        series=attempt.series,
        facts=attempt.facts,
        lint=broken,
        lang=knowledge.lang,
    )
    around = _around(story, attempt, recovered)
    return Diagnosis(
        explanations=report.explanations(rank(graph, around), story),
        recovered=around.recovered,
        changed=changed,
        timeline=report.timeline(graph, order),
        series=_told_series(graph),
        ranks=ranks.rank_states(attempt.groups, attempt.progress.rank_steps),
    )


def _without_survived(graph: Graph, recovered: frozenset[int]) -> Graph:
    """Return the graph without the edges from what the run survived to what ended it."""
    over = {
        number
        for number, node in enumerate(graph.nodes)
        if node.groups and all(id(group) in recovered for group in node.groups)
    }
    edges = tuple(edge for edge in graph.edges if edge.cause not in over or edge.effect in over)
    return Graph(nodes=graph.nodes, edges=edges)


def _around(story: Story, attempt: Attempt, recovered: frozenset[int]) -> Circumstances:
    return Circumstances(
        recovered=recovered,
        initiators=frozenset(id(group) for group in ranks.initiators(attempt.groups)),
        victims=frozenset(id(group) for group in ranks.victims(attempt.groups)),
        unordered=frozenset(id(group) for group in ranks.unordered(attempt.groups)),
        lifted=lifted_entries(story),
    )


def _told_series(graph: Graph) -> tuple[Series, ...]:
    """Return the series that explanations rest on."""
    told = [hit.subject for node in graph.nodes for hit in node.hits if isinstance(hit.subject, Series)]
    return tuple({id(series): series for series in told}.values())


def _near(graph: Graph, attempt: Attempt, source_root: str | Path | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """Return what the program's own source shows near the fault, by lint rule, and which files have changed."""
    if source_root is None or not graph.nodes:
        return {}, ()
    from errtriage.source_check.near import rules_near

    frames = [frame for node in graph.nodes for group in node.groups for frame in group.event.frames if frame.user]
    near = rules_near(frames, attempt.facts.command, source_root)
    return near.broken, near.changed
