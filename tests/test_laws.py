"""What holds of every log: no content raises, how bytes arrive does not matter, and reading twice says the same."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mission_logs
from case_files import LOGS
from errtriage.knowledge import load_knowledge
from errtriage.link import link
from errtriage.model import Entry, Event, Group, Hit, Report, Span
from errtriage.render.json import to_dict
from errtriage.render.plain import render as render_plain
from errtriage.render.words import View
from errtriage.sources import from_chunks
from errtriage.triage import triage, triage_sources

SAMPLES = sorted((LOGS / "reported").glob("*.log"))[::9]
ROUNDS = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])

PIECES = [line for sample in SAMPLES for line in sample.read_bytes().splitlines(keepends=True)[-12:]]
LINES = st.lists(
    st.one_of(st.sampled_from(PIECES), st.binary(max_size=60).map(lambda raw: raw + b"\n")), max_size=60
).map(b"".join)


def said(report: Report) -> str:
    """All that a report says, less how long it took."""
    told = to_dict(report)
    told["stats"].pop("seconds")
    return json.dumps(told, sort_keys=True)


def chunks(data: bytes, size: int) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


@ROUNDS
@given(LINES)
def test_no_content_raises(data: bytes) -> None:
    """Whatever lines stand in whatever order, a report comes out, and its text can be rendered."""
    report = triage(data)
    assert report.verdict in ("failed", "suspect", "clean", "unknown")
    assert render_plain(report, View(everything=True, why=True))


@ROUNDS
@given(LINES, st.integers(min_value=1, max_value=4096))
def test_how_the_bytes_arrive_does_not_matter(data: bytes, size: int) -> None:
    """The same bytes in any pieces give the same report."""
    whole = triage_sources([from_chunks("log", [data])])
    pieces = triage_sources([from_chunks("log", chunks(data, size))])
    assert said(pieces) == said(whole)


@pytest.mark.parametrize("log", [pytest.param(path, id=path.stem) for path in SAMPLES])
def test_reading_twice_says_the_same(log: Path) -> None:
    """A report depends on the log alone."""
    assert said(triage(log)) == said(triage(log))


@pytest.mark.parametrize("log", [pytest.param(path, id=path.stem) for path in SAMPLES])
def test_evidence_lies_in_the_log(log: Path) -> None:
    """Every line that is cited exists, and spans do not run backwards."""
    report = triage(log)
    lines = report.sources[0].lines
    for item in [*report.timeline, *(one for told in report.explanations for one in told.evidence)]:
        assert 1 <= item.line <= item.last_line <= lines


@pytest.mark.parametrize("log", [pytest.param(path, id=path.stem) for path in SAMPLES])
def test_a_log_that_holds_our_own_report_gets_the_same_answer(log: Path) -> None:
    """A report that was appended to its log (by the pipe, in a job script) changes nothing."""
    data = log.read_bytes()
    first = triage(data)
    again = triage(data + b"\n" + render_plain(first, View()).encode())
    assert [one.id for one in again.explanations] == [one.id for one in first.explanations]
    assert again.verdict == first.verdict


def test_repeating_a_line_changes_counts_alone() -> None:
    """A hundred or ten thousand assertion lines give the same story."""
    few, many = (triage(mission_logs.overflow_then_assert(lines)) for lines in (100, 10_000))
    assert [one.id for one in few.explanations] == [one.id for one in many.explanations]
    assert few.fingerprint == many.fingerprint


def test_thousands_of_warnings_are_linked_in_bounded_memory() -> None:
    """Each fault of one entry is paired with each of another one, and the pairs are never held all at once."""
    known = load_knowledge()
    overflow, invalid = known.entry("numpy-overflow"), known.entry("numpy-invalid-value")

    def hits(entry: Entry, start: int) -> list[Hit]:
        spans = [Span(first=line, last=line) for line in range(start, start + 4_000, 2)]
        events = [Event(kind="warning", fields={}, span=span, text="w", source="a") for span in spans]
        groups = [Group(event=event, count=1, span=event.span) for event in events]
        return [Hit(entry=entry, subject=group, captures={}, specificity=1.0) for group in groups]

    found = [*hits(invalid, 1), *hits(overflow, 2)]
    tracemalloc.start()
    graph = link(found, {"a": 0})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(graph.nodes) == 2
    assert graph.edges
    assert peak < 4_000_000
