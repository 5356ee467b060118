"""The report as workflow commands of GitHub Actions: annotations at the user's own file and line.

The form `::error file=…,line=…,title=…::message` and its escapes are those of GitHub's documentation
(https://docs.github.com/actions/reference/workflow-commands-for-github-actions); it shows ten of a kind for a step.
"""

from __future__ import annotations

from errtriage.model import Explanation, Report
from errtriage.render.phrases import say
from errtriage.render.words import View, clean, lines_of, quote

_MOST = 10
_LEVELS = {"fatal": "error", "error": "error", "silent": "warning", "warning": "warning", "note": "notice"}
_VERDICT_LEVELS = {"failed": "error", "suspect": "warning", "clean": "notice", "unknown": "notice"}


def render(report: Report, view: View) -> str:
    """Return at most ten annotations, one a line: roots first, then what followed from them."""
    if not report.explanations:
        title = f"errtriage: {say(view.lang, report.verdict)}"
        return _command(_VERDICT_LEVELS[report.verdict], {"title": title}, clean(report.headline))
    ordered = sorted(report.explanations, key=lambda one: one.explained_by is not None)
    shown = [one for one in ordered if view.everything or one.explained_by is None or one.where is not None]
    return "".join(_annotation(one, report, view) for one in shown[:_MOST])


def _annotation(one: Explanation, report: Report, view: View) -> str:
    known = {}
    if one.where is not None:
        known["file"] = clean(one.where.file).replace("\\", "/")
        if one.where.line:
            known["line"] = str(one.where.line)
    known["title"] = clean(f"{one.title} ({one.id})")
    told = [clean(one.summary)]
    for cause in one.causes[: 3 if view.everything else 1]:
        told.append(f"{say(view.lang, 'cause')}: {clean(cause.why)}")
        told += [
            f"{say(view.lang, key)}: {clean(text)}"
            for key, text in (("check", cause.check), ("fix", cause.fix))
            if text
        ]
    told += [
        f"{say(view.lang, 'line')} {lines_of(item, report)}: {quote(item, view.lang)}" for item in one.evidence[:1]
    ]
    return _command(_LEVELS.get(one.severity, "warning"), known, "\n".join(told))


def _command(level: str, known: dict[str, str], message: str) -> str:
    properties = ",".join(f"{name}={_escaped(value, inside=True)}" for name, value in known.items())
    return f"::{level} {properties}::{_escaped(message, inside=False)}\n"


def _escaped(text: str, *, inside: bool) -> str:
    for sign in "%\r\n:," if inside else "%\r\n":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text
