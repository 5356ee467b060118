"""The steps in order: open, read, diagnose, judge; a log goes in, a report comes out."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence

from errtriage import TYPE_CHECKING, circumstances, reruns
from errtriage.matcher import hits_of_series
from errtriage.model import Explanation, Report, Stats
from errtriage.patterns import all_patterns
from errtriage.reading import Attempt, Reading, read
from errtriage.scan import Wanted
from errtriage.sources import Source, from_bytes, from_text, open_paths
from errtriage.values import replace
from errtriage.verdict import Diagnosis, earlier_attempts, judge

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
    sources: Iterable[Source],
    *,
    knowledge: Knowledge | None = None,
    source_root: str | Path | None = None,
    side_by_side: bool = False,
) -> Report:
    """Explain several sources as one job (its ranks, nodes, kernel and scheduler logs).

    With `side_by_side` large ones may be read by processes of their own: for a program that is errtriage's alone.
    """
    started = time.perf_counter()
    if knowledge is None:
        from errtriage.knowledge import load_knowledge

        knowledge = load_knowledge()
    reading = read(sources, wanted(knowledge), knowledge.literals, side_by_side=side_by_side)
    told = explain(reading, knowledge, source_root)
    return replace(told, stats=replace(told.stats, seconds=round(time.perf_counter() - started, 4)))


def wanted(knowledge: Knowledge) -> Wanted:
    """Return what to look for in the raw bytes: the literals of all patterns and of the entries' texts."""
    return Wanted.of(knowledge.literals, all_patterns().rows)


def explain(reading: Reading, knowledge: Knowledge, source_root: str | Path | None = None) -> Report:
    """Explain the last attempt of what was read."""
    attempts = reading.attempts
    if len(reading.sources) == 1:
        attempts = tuple(run for attempt in attempts for run in reruns.runs(attempt))
    chosen = circumstances.explained_attempt(attempts)
    attempt = attempts[chosen]
    found = _diagnosis(attempt, reading.order, knowledge, source_root)
    ended = circumstances.ending(attempt, found.recovered)
    verdict = judge(found.explanations, attempt, ended, reading.sources, knowledge.lang)
    return Report(
        sources=reading.sources,
        verdict=verdict.verdict,
        ending=ended,
        headline=verdict.headline,
        explanations=verdict.explanations,
        cause_in_log=verdict.cause_in_log,
        collect=(*verdict.collect, *found.changed),
        action=verdict.action,
        work_lost=verdict.work_lost,
        fingerprint=_fingerprint(verdict.explanations),
        timeline=found.timeline if verdict.explanations else (),
        series=found.series,
        ranks=found.ranks,
        facts=attempt.facts,
        stats=Stats(events=reading.events, groups=len(attempt.groups), cut=reading.cut, engine=reading.engine),
        earlier_attempts=earlier_attempts(attempts[:chosen], knowledge.lang),
        knowledge=knowledge.digest,
    )


# Most logs are healthy: what links, ranks and explains faults is not even imported for them.


def _diagnosis(
    attempt: Attempt, order: Mapping[str, int], knowledge: Knowledge, source_root: str | Path | None
) -> Diagnosis:
    of_series = hits_of_series(attempt.series, knowledge, attempt.facts)
    if not attempt.groups and not of_series:
        return Diagnosis()
    from errtriage.diagnosis import diagnose

    return diagnose(attempt, of_series, order, knowledge, source_root)


def _fingerprint(explained: Sequence[Explanation]) -> str:
    if not explained:
        return ""
    from errtriage.report import fingerprint

    return fingerprint(explained)
