"""The report as SARIF 2.1.0 for editors and code scanning: one result for each explanation, its evidence beside it.

The format is the OASIS standard (https://docs.oasis-open.org/sarif/sarif/v2.1.0/).
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote as percent

from errtriage import __version__
from errtriage.lazy_regex import lazy
from errtriage.model import Evidence, Explanation, Report, Where
from errtriage.render.words import View, clean

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"fatal": "error", "error": "error", "silent": "warning", "warning": "warning", "note": "note"}
_MOST_EVIDENCE = 24
_DRIVE = lazy(r"^[A-Za-z]:[\\/]")


def render(report: Report, view: View) -> str:
    """Return the report as one SARIF log, indented, that ends with a newline."""
    rules = {one.id: one for one in report.explanations}
    order = {name: at for at, name in enumerate(rules)}
    run = {
        "tool": {
            "driver": {
                "name": "errtriage",
                "version": __version__,
                "rules": [_rule(one) for one in rules.values()],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    {"level": "warning", "message": {"text": clean(f"{source.name}: {source.error}")}}
                    for source in report.sources
                    if source.error
                ],
            }
        ],
        "results": [_result(one, order[one.id], report, view) for one in report.explanations],
        "properties": {"verdict": report.verdict, "headline": clean(report.headline), "action": report.action},
    }
    text = json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1, ensure_ascii=False)
    return text + "\n"


def _rule(one: Explanation) -> dict[str, Any]:
    rule: dict[str, Any] = {
        "id": one.id,
        "shortDescription": {"text": clean(one.title)},
        "fullDescription": {"text": clean(one.summary)},
        "defaultConfiguration": {"level": _LEVELS.get(one.severity, "warning")},
        "properties": {"role": one.role, "severity": one.severity},
    }
    told = [
        f"{at}. {clean(cause.why)} {clean(cause.check)} {clean(cause.fix)}" for at, cause in enumerate(one.causes, 1)
    ]
    if told:
        rule["help"] = {"text": "\n".join(told)}
    if one.see:
        rule["helpUri"] = percent(one.see[0], safe=":/?#[]@!$&'()*+,;=%~")
    return rule


def _result(one: Explanation, index: int, report: Report, view: View) -> dict[str, Any]:
    told = [clean(one.title), clean(one.summary)]
    if one.causes:
        told += [clean(text) for text in (one.causes[0].why, one.causes[0].check, one.causes[0].fix) if text]
    evidence = one.evidence if view.everything else one.evidence[:_MOST_EVIDENCE]
    # Code scanning asks for a location: the place in the program, else the line of the log.
    places = [_place(one.where)] if one.where is not None else [_line(item) for item in evidence[:1]]
    result: dict[str, Any] = {
        "ruleId": one.id,
        "ruleIndex": index,
        "level": _LEVELS.get(one.severity, "warning"),
        "rank": round(100 * one.confidence, 1),
        "message": {"text": "\n".join(told)},
        "locations": places,
        "relatedLocations": [{"id": at, **_line(item)} for at, item in enumerate(evidence)],
        "properties": {
            "confidence": one.confidence,
            "ranks": list(one.ranks),
            "hosts": [clean(host) for host in one.hosts],
            "explainedBy": one.explained_by,
        },
    }
    if report.fingerprint and one is report.explanations[0]:
        result["partialFingerprints"] = {"errtriage/v1": report.fingerprint}
    return result


def _place(where: Where) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri(where.file)}}
    if where.line:
        physical["region"] = {"startLine": where.line}
        if where.code:
            physical["region"]["snippet"] = {"text": clean(where.code)}
    location: dict[str, Any] = {"physicalLocation": physical}
    if where.function:
        location["logicalLocations"] = [{"name": clean(where.function), "kind": "function"}]
    return location


def _line(item: Evidence) -> dict[str, Any]:
    region = {"startLine": max(item.line, 1), "snippet": {"text": clean(item.text)}}
    return {
        "physicalLocation": {"artifactLocation": {"uri": uri(item.source)}, "region": region},
        "message": {"text": clean(f"{item.role}: {item.text}")},
    }


def uri(path: str) -> str:
    r"""Return a path as a URI reference: relative ones stay relative, `C:\x` becomes `file:///C:/x`."""
    text = clean(path).replace("\\", "/")
    start = "file:///" if _DRIVE.match(path) else "file://" if text.startswith("/") else ""
    quoted = percent(text, safe="/:" if start else "/")
    return start + quoted or "log"
