"""The report of an exception in its own process: that of its traceback, with what the values in its frames add."""

from __future__ import annotations

import os
import sys
import traceback as tracebacks
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from errtriage.inprocess.readings import Reading, read
from errtriage.inprocess.values import Value, values_of
from errtriage.knowledge import Knowledge, configured_folders, load_knowledge
from errtriage.model import CauseReading, Evidence, Explanation, Report
from errtriage.redact import redact_report
from errtriage.render import renderer
from errtriage.render.words import View
from errtriage.sources import from_text
from errtriage.triage import triage_sources
from errtriage.values import replace

_NAME = "<traceback>"
_MOST_TOLD = 8  # values that are listed


def told(error: BaseException, traceback: TracebackType | None) -> str:
    """Return the text of the report."""
    report = redact_report(report_of(error, traceback))
    return "\n" + renderer("terminal" if _wants_colour() else "plain")(report, View())


def report_of(error: BaseException, traceback: TracebackType | None) -> Report:
    """Return the report of an exception that is still at hand."""
    text = "".join(tracebacks.format_exception(type(error), error, traceback))
    known = load_knowledge(configured_folders())
    report = triage_sources([from_text(_NAME, text)], knowledge=known, source_root=Path())
    try:
        values = values_of(error, traceback)
    except Exception:  # the traceback alone is worth a report
        values = []
    return with_values(report, values, known, text) if values and report.explanations else report


def with_values(report: Report, values: Sequence[Value], known: Knowledge, traceback: str) -> Report:
    """Return a report whose first explanation says what the values show."""
    first = report.explanations[0]
    tags = frozenset(known.entry(first.id).tags) if first.id in known.by_id else frozenset()
    readings = read(values, tags)
    summary = " ".join([first.summary, *(f"Here {one.text}" for one in readings[:3])])
    listed = [one for one in values if one.kind != "number"]
    listed.sort(key=lambda one: not any(one.name in reading.text for reading in readings))
    lines = traceback.splitlines()
    evidence = tuple(_evidence(one, lines) for one in listed[:_MOST_TOLD])
    told = replace(
        first,
        summary=summary,
        causes=_lifted(first, readings),
        evidence=first.evidence[:1] + evidence + first.evidence[1:],
    )
    return replace(report, explanations=(told, *report.explanations[1:]))


def _lifted(first: Explanation, readings: Sequence[Reading]) -> tuple[CauseReading, ...]:
    """Return the causes, first those that the values speak for."""
    causes = []
    for cause in first.causes:
        spoken = tuple(f"Here {one.text}" for one in readings if cause.id in one.causes)
        causes.append((not spoken, replace(cause, because=spoken + cause.because)))
    causes.sort(key=lambda pair: pair[0])
    return tuple(cause for _, cause in causes)


def _evidence(value: Value, lines: Sequence[str]) -> Evidence:
    """Return a value as evidence at the line of the traceback that shows its frame."""
    frame = f'File "{value.file}", line {value.line},'
    line = next((number for number, text in enumerate(lines, 1) if frame in text), 1)
    where = f"{os.path.basename(value.file)}:{value.line}"  # noqa: PTH119 (a name such as <stdin>, too)
    return Evidence(source=_NAME, line=line, last_line=line, count=1, text=f"{value.text()} ({where})", role="cause")


def _wants_colour() -> bool:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(sys.stderr is not None and sys.stderr.isatty())
