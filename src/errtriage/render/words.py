"""Wording that formats share: the outline of a report as labelled pieces of text; counts, ranges, places, escaping."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from errtriage.model import CauseReading, Evidence, Explanation, Range, Report, Where
from errtriage.values import dataclass

REPORT_STARTS = "errtriage report"  # `dressing` leaves out what stands between these two lines of a log
REPORT_ENDS = "end of errtriage report"

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_EXCERPT = 160  # characters of a quoted line on one screen


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How much of a report is shown, and in which language."""

    top: int = 3
    everything: bool = False
    why: bool = False
    lang: str = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One line of an outline: what it is (`head`, `title`, `place`, `text`, `cause` …), its label and its text."""

    kind: str
    text: str
    label: str = ""


def clean(text: str) -> str:
    """Return text without control and direction-changing characters: no sequence of a log reaches a screen alive."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text.replace("\t", "    "))


def excerpt(text: str, length: int = _EXCERPT) -> str:
    """Return the first line of a text, cleaned and cut in the middle to `length` characters."""
    lines = clean(text).strip().splitlines()
    line = lines[0] if lines else ""
    if len(line) <= length:
        return line
    head = length * 2 // 3
    return f"{line[:head]} … {line[-(length - head - 3) :]}"


def count(number: int, noun: str, nouns: str = "") -> str:
    """Return `1 line`, `4,096 lines`."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def numbers(values: Sequence[int]) -> str:
    """Return runs of numbers: `0–2, 4–7`."""
    runs: list[list[int]] = []
    for value in sorted(set(values)):
        if runs and value == runs[-1][1] + 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    return ", ".join(str(low) if low == high else f"{low}–{high}" for low, high in runs)


def ranks(values: Sequence[int]) -> str:
    """Return `rank 3` or `ranks 0–2, 4–7`."""
    return ("rank " if len(set(values)) == 1 else "ranks ") + numbers(values)


def span(first: int, last: int) -> str:
    """Return the line numbers of a piece of evidence."""
    return str(first) if first == last else f"{first}–{last}"


def ranges(known: Mapping[str, Range]) -> str:
    """Return `block 0,0,0 … 15,0,0 (16 distinct)` for each ranged field."""
    told = []
    for name, one in known.items():
        low, high = (",".join(map(str, end)) for end in (one.low, one.high))
        told.append(f"{name} {low}" if low == high else f"{name} {low} … {high} ({one.distinct:,} distinct)")
    return "; ".join(told)


def place(where: Where) -> str:
    """Return `train.py:57 in step`."""
    line = f":{where.line}" if where.line else ""
    function = f" in {where.function}" if where.function and where.function != "<module>" else ""
    return clean(f"{where.file}{line}{function}")


def undecided(causes: Sequence[CauseReading]) -> bool:
    """Return whether the log holds no evidence for any of several causes."""
    return len(causes) > 1 and not any(cause.because for cause in causes)


def size(report: Report) -> str:
    """Return what was read: `train.log, 4,107 lines`."""
    names = [source.name for source in report.sources]
    lines = count(sum(source.lines for source in report.sources), "line")
    if len(names) > 3:
        return f"{len(names)} files, {lines}"
    return f"{', '.join(clean(name) for name in names)}, {lines}" if names else lines


def outline(report: Report, view: View) -> list[Piece]:
    """Return the report as pieces in reading order; a renderer only gives them their looks."""
    pieces = [Piece(kind="head", label=report.verdict, text=f"{REPORT_STARTS}: {report.verdict} ({size(report)})")]
    pieces += [Piece(kind="trouble", text=text) for text in _trouble(report)]
    if not report.explanations:
        pieces.append(Piece(kind="title", label=report.verdict, text=clean(report.headline)))
    roots = [one for one in report.explanations if one.explained_by is None]
    shown = report.explanations if view.everything else roots[: max(1, view.top)]
    for number, one in enumerate(shown):
        pieces += _explanation(one, report, view, full=number == 0 or view.everything)
    pieces += _after(report, view, len(report.explanations) - len(shown))
    pieces.append(Piece(kind="end", text=REPORT_ENDS))
    return pieces


def _trouble(report: Report) -> list[str]:
    told = [f"{source.name}: {source.error}" for source in report.sources if source.error]
    told += [f"cut: {cut}" for cut in report.stats.cut]
    return [clean(text) for text in told]


def _explanation(one: Explanation, report: Report, view: View, *, full: bool) -> list[Piece]:
    label = report.verdict if one is report.explanations[0] else one.role
    pieces = [Piece(kind="title", label=label, text=clean(one.title))]
    if one.where is not None:
        pieces += _where(one.where)
    pieces.append(Piece(kind="about", text=_about(one)))
    if full:
        pieces.append(Piece(kind="text", text=clean(one.summary)))
        pieces += _causes(one, view)
        pieces += _evidence(one, view)
        pieces += [Piece(kind="then", label="then", text=clean(f"{to}: {why}")) for to, why in dict(one.links).items()]
    if view.why:
        pieces += [
            Piece(kind="why", label=f"{term.points:+.2f}", text=clean(term.because or term.name)) for term in one.terms
        ]
    return pieces


def _where(where: Where) -> list[Piece]:
    pieces = [Piece(kind="place", label="where", text=place(where))]
    if where.code:
        pieces.append(Piece(kind="code", text=excerpt(where.code)))
    if where.late:
        late = "The device reports late: the fault is at or before this line. CUDA_LAUNCH_BLOCKING=1 finds it."
        pieces.append(Piece(kind="note", text=late))
    return pieces


def _about(one: Explanation) -> str:
    told = [one.id, one.severity, f"confidence {one.confidence:.0%}"]
    if one.ranks:
        told.append(ranks(one.ranks))
    if one.hosts:
        told.append("on " + ", ".join(clean(host) for host in one.hosts[:4]))
    return " · ".join(told)


def _causes(one: Explanation, view: View) -> list[Piece]:
    if not one.causes:
        return []
    pieces = []
    if undecided(one.causes):
        text = "The log does not tell these causes apart; try the checks in this order."
        pieces.append(Piece(kind="note", text=text))
    for number, cause in enumerate(one.causes if view.everything else one.causes[:3], 1):
        pieces.append(Piece(kind="cause", label=str(number), text=clean(cause.why)))
        pieces += [Piece(kind="because", label="because", text=excerpt(text)) for text in cause.because[:3]]
        if cause.check:
            pieces.append(Piece(kind="check", label="check", text=clean(cause.check)))
        if cause.fix:
            pieces.append(Piece(kind="fix", label="fix", text=clean(cause.fix)))
        pieces += [Piece(kind="code", text=clean(line)) for line in cause.code.strip("\n").splitlines()]
    return pieces


def _evidence(one: Explanation, view: View) -> list[Piece]:
    kept = one.evidence if view.everything else one.evidence[:5]
    several = len({item.source for item in one.evidence}) > 1
    return [Piece(kind="evidence", label=_label(item, several), text=_quote(item)) for item in kept]


def _label(item: Evidence, several: bool) -> str:
    at = span(item.line, item.last_line if item.count > 1 else item.line)
    return f"{clean(item.source)}:{at}" if several else at


def _quote(item: Evidence) -> str:
    times = f" ×{item.count:,}" if item.count > 1 else ""
    known = ranges(item.ranges)
    return excerpt(item.text) + times + (f" [{known}]" if known else "")


def _after(report: Report, view: View, hidden: int) -> list[Piece]:
    pieces = []
    if not report.cause_in_log:
        pieces.append(Piece(kind="note", text="The cause is not in this log."))
    pieces += [Piece(kind="collect", label="collect", text=clean(text)) for text in report.collect]
    if report.action != "unknown":
        pieces.append(Piece(kind="action", label="action", text=ACTIONS[report.action]))
    if report.work_lost:
        pieces.append(Piece(kind="action", label="lost", text=report.work_lost))
    pieces += [Piece(kind="earlier", label="earlier", text=excerpt(text)) for text in report.earlier_attempts]
    if report.explanations:
        more = f"; --all shows {hidden} more" if hidden > 0 and not view.everything else ""
        text = f"errtriage kb show {report.explanations[0].id} tells more{more}."
        pieces.append(Piece(kind="next", text=text))
    return pieces


ACTIONS = {
    "fix-code": "The code or its settings must be changed; a restart fails again.",
    "restart": "A restart is enough.",
    "change-node": "Take the node out of service, and restart on another one.",
    "more-resources": "Ask for more memory, space or time.",
    "unknown": "Not known.",
}
