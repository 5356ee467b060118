"""Wording that formats share: the outline of a report as labelled pieces of text; counts, ranges, places, escaping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from errtriage.lazy_regex import lazy
from errtriage.model import CauseReading, Evidence, Explanation, Range, Report, Where
from errtriage.render.phrases import say
from errtriage.render.words_terms import term_words
from errtriage.unrecognised import IDS
from errtriage.values import dataclass

REPORT_STARTS = "errtriage report"  # `dressing` leaves out what stands between these two lines of a log
REPORT_ENDS = "end of errtriage report"

_CONTROL = lazy(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_CODE = lazy(r"`([^`\n]{1,400})`")
_EXCERPT = 160  # characters of a quoted line on one screen
_MOST_RUNS = 8  # of the numbers of ranks in one line


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


def flat(text: str) -> str:
    """Return text cleaned, on one line."""
    return " ".join(clean(text).split("\n"))


def spans(text: str) -> list[tuple[bool, str]]:
    """Return the parts of a text of ours, each with whether it stands between backticks: whether it is code."""
    parts = [(at % 2 == 1, part) for at, part in enumerate(_CODE.split(clean(text)))]
    return [(code, part) for code, part in parts if part]


_PLAINER: dict[str, str | int | None] = {
    "–": "-", "…": "...", "×": "x", "·": "-", "✗": "x", "✓": "ok", "▲": "^", "◆": "*", "●": "o", "○": ".",
    **dict(zip("▁▂▃▄▅▆▇█", "_.:-=+*#", strict=True)),
}  # fmt: skip


def plainer(text: str) -> str:
    """Return text with our own signs in ASCII, for screens of a code page that lacks them."""
    return text.translate(str.maketrans(_PLAINER))


def excerpt(text: str, length: int = _EXCERPT) -> str:
    """Return the first line of a text, cleaned and cut in the middle to `length` characters."""
    lines = clean(text).strip().splitlines()
    line = lines[0] if lines else ""
    if len(line) <= length:
        return line
    head = length * 2 // 3
    return f"{line[:head]} … {line[-(length - head - 3) :]}"


def count(number: int, noun: str, lang: str) -> str:
    """Return `1 line`, `4,096 lines`; the noun is the key of a phrase, as is that of one alone: `lines-one`."""
    return say(lang, f"{noun}-one" if number == 1 else noun, count=f"{number:,}")


def numbers(values: Sequence[int], most: int = 0) -> str:
    """Return runs of numbers: `0–2, 4–7`; with `most` only so many runs, and how many numbers there are."""
    runs: list[list[int]] = []
    for value in sorted(set(values)):
        if runs and value == runs[-1][1] + 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    told = ", ".join(str(low) if low == high else f"{low}–{high}" for low, high in runs[: most or None])
    return f"{told}, … ({len(set(values)):,})" if most and len(runs) > most else told


def ranks(values: Sequence[int], lang: str, most: int = 0) -> str:
    """Return `rank 3` or `ranks 0–2, 4–7`."""
    return say(lang, "rank-one" if len(set(values)) == 1 else "rank-many", numbers=numbers(values, most))


def span(first: int, last: int) -> str:
    """Return the line numbers of a piece of evidence."""
    return str(first) if first == last else f"{first}–{last}"


def ranges(known: Mapping[str, Range], lang: str) -> str:
    """Return `block 0,0,0 … 15,0,0 (16 distinct)` for each ranged field."""
    told = []
    for name, one in known.items():
        low, high = (",".join(map(str, end)) for end in (one.low, one.high))
        told.append(
            f"{name} {low}"
            if low == high
            else f"{name} {low} … {high} ({say(lang, 'distinct', count=f'{one.distinct:,}')})"
        )
    return "; ".join(told)


def place(where: Where, lang: str) -> str:
    """Return `train.py:57 in step`."""
    line = f":{where.line}" if where.line else ""
    told = f"{where.file}{line}"
    if where.function and where.function != "<module>":
        told = say(lang, "place-in", place=told, function=where.function)
    return flat(told)


def undecided(causes: Sequence[CauseReading]) -> bool:
    """Return whether the log holds no evidence for any of several causes."""
    return len(causes) > 1 and not any(cause.because for cause in causes)


def size(report: Report, lang: str) -> str:
    """Return what was read: `train.log, 4,107 lines`."""
    names = [source.name for source in report.sources]
    lines = lines_read(report, lang)
    if len(names) > 3:
        return f"{say(lang, 'files', count=len(names))}, {lines}"
    return f"{', '.join(clean(name) for name in names)}, {lines}" if names else lines


def lines_read(report: Report, lang: str) -> str:
    """Return `4,107 lines`."""
    return count(sum(source.lines for source in report.sources), "lines", lang)


def short_names(report: Report) -> dict[str, str]:
    """Return for each source the shortest end of its path that no other source shares, cleaned."""
    names = [source.name for source in report.sources]
    ends = [name.replace("\\", "/").rpartition("/")[2] for name in names]
    known = dict.fromkeys(ends, 0)
    for end in ends:
        known[end] += 1
    return {name: flat(end if known[end] == 1 and end else name) for name, end in zip(names, ends, strict=True)}


def outline(report: Report, view: View) -> list[Piece]:
    """Return the report as pieces in reading order; a renderer only gives them their looks."""
    head = f"{REPORT_STARTS}: {say(view.lang, report.verdict)} ({size(report, view.lang)})"
    pieces = [Piece(kind="head", label=report.verdict, text=head)]
    pieces += [Piece(kind="trouble", text=text) for text in trouble(report, view.lang)]
    if not report.explanations:
        pieces.append(Piece(kind="title", label=report.verdict, text=flat(report.headline)))
    shown = chosen(report, view)
    for number, one in enumerate(shown):
        pieces += _explanation(one, report, view, full=number == 0 or view.everything)
    pieces += _timeline(report, view)
    pieces += _after(report, view, len(report.explanations) - len(shown))
    pieces.append(Piece(kind="end", text=REPORT_ENDS))
    return pieces


def chosen(report: Report, view: View) -> list[Explanation]:
    """Return the explanations that a view shows: all, or the first roots."""
    roots = [one for one in report.explanations if one.explained_by is None]
    return list(report.explanations) if view.everything else roots[: max(1, view.top)]


def trouble(report: Report, lang: str) -> list[str]:
    """Return what could not be read, what was cut and how much was redacted."""
    told = [f"{source.name}: {source.error}" for source in report.sources if source.error]
    told += [say(lang, "cut", what=cut) for cut in report.stats.cut]
    if report.stats.redacted:
        told.append(say(lang, "redacted", count=count(report.stats.redacted, "places", lang)))
    return [flat(text) for text in told]


def _explanation(one: Explanation, report: Report, view: View, *, full: bool) -> list[Piece]:
    label = report.verdict if one is report.explanations[0] else one.role
    pieces = [Piece(kind="title", label=label, text=flat(one.title))]
    if one.where is not None:
        pieces += _where(one.where, view.lang)
    pieces.append(Piece(kind="about", text=about(one, view.lang)))
    if full:
        pieces.append(Piece(kind="text", text=clean(one.summary)))
        pieces += _curves(one, report, view.lang)
        pieces += _ranks(report, view) if one is report.explanations[0] else []
        pieces += _causes(one, view)
        pieces += _evidence(one, report, view)
        label = say(view.lang, "then")
        pieces += [Piece(kind="then", label=label, text=clean(f"{to}: {why}")) for to, why in dict(one.links).items()]
    if view.why:
        pieces += [
            Piece(kind="why", label=f"{term.points:+.2f}", text=clean(term_words(term, view.lang)))
            for term in one.terms
        ]
    return pieces


def _where(where: Where, lang: str) -> list[Piece]:
    pieces = [Piece(kind="place", label=say(lang, "where"), text=place(where, lang))]
    if where.code:
        pieces.append(Piece(kind="code", text=excerpt(where.code)))
    if where.late:
        pieces.append(Piece(kind="note", text=say(lang, "late")))
    return pieces


def about(one: Explanation, lang: str) -> str:
    """Return `cuda-oom · fatal · confidence 97% · rank 300 · on node37`."""
    told = [one.id, say(lang, one.severity), say(lang, "confidence", share=f"{one.confidence:.0%}")]
    if one.ranks:
        told.append(ranks(one.ranks, lang, _MOST_RUNS))
    if one.hosts:
        told.append(say(lang, "on", hosts=", ".join(flat(host) for host in one.hosts[:4])))
    return " · ".join(told)


def _curves(one: Explanation, report: Report, lang: str) -> list[Piece]:
    if not report.series:
        return []
    from errtriage.render.words_curve import series_name, series_of, sparkline

    return [
        Piece(kind="curve", label=excerpt(series_name(series), 24), text=sparkline(series, lang))
        for series in series_of(one, report)
    ]


def _causes(one: Explanation, view: View) -> list[Piece]:
    pieces = []
    if undecided(one.causes):
        pieces.append(Piece(kind="note", text=say(view.lang, "undecided")))
    for number, cause in enumerate(one.causes if view.everything else one.causes[:3], 1):
        pieces.append(Piece(kind="cause", label=str(number), text=clean(cause.why)))
        label = say(view.lang, "because")
        pieces += [Piece(kind="because", label=label, text=excerpt(text)) for text in cause.because[:3]]
        if cause.check:
            pieces.append(Piece(kind="check", label=say(view.lang, "check"), text=clean(cause.check)))
        if cause.fix:
            pieces.append(Piece(kind="fix", label=say(view.lang, "fix"), text=clean(cause.fix)))
        pieces += [Piece(kind="code", text=clean(line)) for line in cause.code.strip("\n").splitlines()]
    return pieces


def _evidence(one: Explanation, report: Report, view: View) -> list[Piece]:
    kept = one.evidence if view.everything else one.evidence[:5]
    if len(report.ranks) > 1 and not view.everything:  # what followed stands in the timeline
        kept = tuple(item for item in one.evidence if item.role == one.role)[:3] or one.evidence[:1]
    return [Piece(kind="evidence", label=lines_of(item, report), text=quote(item, view.lang)) for item in kept]


def lines_of(item: Evidence, report: Report) -> str:
    """Return the line numbers of a piece of evidence, after the name of its source where there are several."""
    at = span(item.line, item.last_line)
    return f"{short_names(report).get(item.source, flat(item.source))}:{at}" if len(report.sources) > 1 else at


def quote(item: Evidence, lang: str) -> str:
    """Return the line that a piece of evidence quotes, how often it stands there, and over which values."""
    times = f" ×{item.count:,}" if item.count > 1 else ""
    known = ranges(item.ranges, lang)
    return excerpt(item.text) + times + (f" [{known}]" if known else "")


def _ranks(report: Report, view: View) -> list[Piece]:
    if len(report.ranks) < 2:
        return []
    from errtriage.render.words_ranks import rank_pieces

    return rank_pieces(report, view)


def _timeline(report: Report, view: View) -> list[Piece]:
    if len(report.ranks) < 2 and not view.everything:
        return []
    from errtriage.render.words_ranks import moment_pieces

    return moment_pieces(report, view)


def _after(report: Report, view: View, hidden: int) -> list[Piece]:
    lang = view.lang
    pieces = []
    if not report.cause_in_log:
        pieces.append(Piece(kind="note", text=say(lang, "not-in-log")))
    pieces += [Piece(kind="collect", label=say(lang, "collect"), text=clean(text)) for text in report.collect]
    if report.action != "unknown":
        hosts = (
            ", ".join(report.explanations[0].hosts[:3])
            if report.action == "change-node" and report.explanations
            else ""
        )
        text = say(lang, f"action-{report.action}") + (f" ({clean(hosts)})" if hosts else "")
        pieces.append(Piece(kind="action", label=say(lang, "action"), text=text))
    if report.work_lost:
        pieces.append(Piece(kind="action", label=say(lang, "lost"), text=clean(report.work_lost)))
    label = say(lang, "earlier")
    pieces += [Piece(kind="earlier", label=label, text=excerpt(text)) for text in report.earlier_attempts]
    if report.explanations and report.explanations[0].id not in IDS:
        more = say(lang, "all-shows", count=hidden) if hidden > 0 and not view.everything else ""
        pieces.append(Piece(kind="next", text=say(lang, "tells-more", id=report.explanations[0].id, more=more)))
    return pieces
