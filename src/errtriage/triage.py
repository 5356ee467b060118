"""The steps in order: open, scan, parse, collapse, match, link, rank; a log goes in, a report comes out."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping

from errtriage import TYPE_CHECKING, circumstances, ranks, report, unrecognised
from errtriage.link import Graph, link
from errtriage.matcher import match
from errtriage.model import Report, Series, Stats
from errtriage.patterns import all_patterns
from errtriage.rank import Circumstances, rank
from errtriage.reading import Attempt, Reading, read
from errtriage.readings import Story, lifted_entries
from errtriage.scan import Wanted
from errtriage.sources import Source, from_bytes, from_text, open_paths
from errtriage.values import replace
from errtriage.verdict import earlier_attempts, judge

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TypeAlias

    from errtriage.knowledge import Knowledge

    Log: TypeAlias = str | bytes | os.PathLike[str] | Iterable[str] | Iterable[bytes]


def triage(log: Log, *, knowledge: Knowledge | None = None, source_root: Path | None = None) -> Report:
    """Explain a log.

    Args:
        log: The text of a log, its bytes, a path (a `Path`: a string is always text), or its lines.
        knowledge: The entries to use; the built-in ones where left out.
        source_root: The folder in which the failing program's source may be read; None reads nothing.

    Returns:
        The report. A log's content never raises.

    Raises:
        SourceError: The path can not be read.

    """
    return triage_sources(_sources_of(log), knowledge=knowledge, source_root=source_root)


def _sources_of(log: Log) -> Iterable[Source]:
    if isinstance(log, str):
        return [from_text("log", log)]
    if isinstance(log, (bytes, bytearray)):
        return [from_bytes("log", bytes(log))]
    if isinstance(log, os.PathLike):
        return open_paths([os.fspath(log)])
    pieces = [piece.encode("utf-8", "surrogateescape") if isinstance(piece, str) else piece for piece in log]
    return [from_bytes("log", b"".join(piece if piece.endswith(b"\n") else piece + b"\n" for piece in pieces))]


def triage_sources(
    sources: Iterable[Source], *, knowledge: Knowledge | None = None, source_root: str | Path | None = None
) -> Report:
    """Explain several sources as one job (its ranks, nodes, kernel and scheduler logs)."""
    started = time.perf_counter()
    if knowledge is None:
        from errtriage.knowledge import load_knowledge

        knowledge = load_knowledge()
    told = explain(read(sources, wanted(knowledge), knowledge.literals), knowledge, source_root)
    return replace(told, stats=replace(told.stats, seconds=round(time.perf_counter() - started, 4)))


def wanted(knowledge: Knowledge) -> Wanted:
    """Return what to look for in the raw bytes: the literals of all patterns and of the entries' texts."""
    return Wanted.of(knowledge.literals, all_patterns().rows)


def explain(reading: Reading, knowledge: Knowledge, source_root: str | Path | None = None) -> Report:
    """Explain the last attempt of what was read."""
    chosen = circumstances.explained_attempt(reading.attempts)
    attempt = reading.attempts[chosen]
    derived = ranks.derive(attempt.groups, attempt.facts.world_size)
    hits = match(attempt.groups, attempt.series, knowledge, derived, attempt.facts)
    graph = link([*hits, *unrecognised.hits(attempt.groups, hits, knowledge.lang)], reading.order)
    broken, changed = _near(graph, attempt, source_root)
    story = Story(
        graph=graph,
        groups=attempt.groups,
        series=attempt.series,
        facts=attempt.facts,
        lint=broken,
        lang=knowledge.lang,
    )
    around = _around(story, attempt)
    ended = circumstances.ending(attempt, around.recovered)
    told = report.explanations(rank(graph, around), story)
    verdict = judge(told, attempt, ended, reading.sources, knowledge.lang)
    return Report(
        sources=reading.sources,
        verdict=verdict.verdict,
        ending=ended,
        headline=verdict.headline,
        explanations=verdict.explanations,
        cause_in_log=verdict.cause_in_log,
        collect=(*verdict.collect, *changed),
        action=verdict.action,
        work_lost=verdict.work_lost,
        fingerprint=report.fingerprint(verdict.explanations),
        timeline=report.timeline(graph, reading.order) if verdict.explanations else (),
        series=_told_series(graph),
        ranks=ranks.rank_states(attempt.groups, attempt.progress.rank_steps),
        facts=attempt.facts,
        stats=Stats(events=reading.events, groups=len(attempt.groups), cut=reading.cut, engine=reading.engine),
        earlier_attempts=earlier_attempts(reading.attempts[:chosen], knowledge.lang),
        knowledge=knowledge.digest,
    )


def _around(story: Story, attempt: Attempt) -> Circumstances:
    return Circumstances(
        recovered=circumstances.recovered_groups(attempt),
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
