"""The report as the JSON contract says; `report.schema.json` beside this file is its schema."""

from __future__ import annotations

import json

from errtriage import TYPE_CHECKING, __version__
from errtriage.model import Evidence, Explanation, Report, Series
from errtriage.render.words import View

if TYPE_CHECKING:
    from typing import Any

SCHEMA = "errtriage.report/1"


def render(report: Report, _view: View) -> str:
    """Return the report as one JSON object, indented, that ends with a newline."""
    return _dumps(report, indent=1)


def render_line(report: Report) -> str:
    """Return the report as one JSON object on one line."""
    return _dumps(report)


def _dumps(report: Report, indent: int | None = None) -> str:
    text = json.dumps(to_dict(report), indent=indent, ensure_ascii=False, allow_nan=False) + "\n"
    # Lone surrogates stand for bytes that are no text; they can not be written as UTF-8.
    return text.encode("utf-8", "replace").decode("utf-8")


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the report."""
    from importlib import resources

    text = resources.files("errtriage.render").joinpath("report.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def to_dict(report: Report) -> dict[str, Any]:
    """Return the report as plain lists and dictionaries, ready for `json.dumps`."""
    return {
        "schema": SCHEMA,
        "tool": {"version": __version__, "knowledge": report.knowledge},
        "sources": [
            {
                "name": source.name,
                "bytes": source.bytes,
                "lines": source.lines,
                "encoding": source.encoding,
                "truncated": source.truncated,
                "error": source.error,
            }
            for source in report.sources
        ],
        "verdict": report.verdict,
        "ending": report.ending,
        "headline": report.headline,
        "cause_in_log": report.cause_in_log,
        "collect": list(report.collect),
        "action": report.action,
        "work_lost": report.work_lost,
        "fingerprint": report.fingerprint,
        "explanations": [_explanation(one) for one in report.explanations],
        "timeline": [
            {
                "source": item.source,
                "line": item.line,
                "last_line": item.last_line,
                "time": item.time,
                "rank": item.rank,
                "kind": item.kind,
                "text": item.text,
                "explanation": item.explanation,
            }
            for item in report.timeline
        ],
        "series": [_series(series) for series in report.series],
        "ranks": [
            {
                "rank": one.rank,
                "host": one.host,
                "last_step": one.last_step,
                "state": one.state,
                "seq": one.seq,
                "op": one.op,
            }
            for one in report.ranks
        ],
        "facts": _facts(report),
        "earlier_attempts": list(report.earlier_attempts),
        "stats": {
            "seconds": report.stats.seconds,
            "events": report.stats.events,
            "groups": report.stats.groups,
            "redacted": report.stats.redacted,
            "cut": list(report.stats.cut),
        },
    }


def _explanation(one: Explanation) -> dict[str, Any]:
    return {
        "id": one.id,
        "title": one.title,
        "summary": one.summary,
        "role": one.role,
        "severity": one.severity,
        "confidence": one.confidence,
        "ranks": list(one.ranks),
        "hosts": list(one.hosts),
        "where": None
        if one.where is None
        else {
            "file": one.where.file,
            "line": one.where.line,
            "function": one.where.function,
            "code": one.where.code,
            "late": one.where.late,
        },
        "evidence": [_evidence(item) for item in one.evidence],
        "causes": [
            {
                "id": cause.id,
                "why": cause.why,
                "check": cause.check,
                "fix": cause.fix,
                "code": cause.code,
                "because": list(cause.because),
            }
            for cause in one.causes
        ],
        "because": [term.because for term in one.terms if term.points > 0 and term.because],
        "terms": [{"name": term.name, "points": term.points} for term in one.terms],
        "explained_by": one.explained_by,
        "leads_to": list(one.leads_to),
        "see": list(one.see),
    }


def _evidence(item: Evidence) -> dict[str, Any]:
    return {
        "source": item.source,
        "line": item.line,
        "last_line": item.last_line,
        "count": item.count,
        "rank": item.rank,
        "time": item.time,
        "text": item.text,
        "role": item.role,
        "ranges": {name: [list(one.low), list(one.high)] for name, one in item.ranges.items()},
    }


def _series(series: Series) -> dict[str, Any]:
    """JSON knows no NaN: a value that is not finite is null."""
    points = [[point.step, point.value if abs(point.value) < float("inf") else None] for point in series.points]
    return {
        "name": series.name,
        "split": series.split,
        "channel": series.channel,
        "points": points,
        "mark": series.mark,
    }


def _facts(report: Report) -> dict[str, Any]:
    facts = report.facts
    return {
        **facts.versions,
        "world_size": facts.world_size,
        "classes": facts.classes,
        "batch_size": facts.batch_size,
        "last_step": facts.last_step,
        "total_steps": facts.total_steps,
        "last_checkpoint": facts.last_checkpoint,
        "attempts": facts.attempts,
        "command": facts.command,
    }
