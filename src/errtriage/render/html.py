"""The report as one page of HTML that needs nothing else: no script, no network, light and dark, folded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import resources

from errtriage import __version__
from errtriage.model import CauseReading, Evidence, Explanation, Report
from errtriage.render import words_ranks
from errtriage.render.phrases import say
from errtriage.render.words import (
    View,
    excerpt,
    lines_of,
    lines_read,
    place,
    ranges,
    ranks,
    size,
    spans,
    trouble,
    undecided,
)
from errtriage.render.words_card import SIGNS
from errtriage.render.words_curve import series_name, series_of
from errtriage.render.words_svg import chart, story, text_of
from errtriage.render.words_terms import term_words

# What bounds the size of a page: explanations, pieces of evidence of the first and of others, moments.
_MOST_EXPLANATIONS, _MOST_EVIDENCE, _MOST_OTHER_EVIDENCE, _MOST_MOMENTS = 40, 24, 6, 24
_OPEN_CAUSES = 3
_LONGEST_LINE = 400  # characters of a line around a piece of evidence
_ROLE_SIGNS = {"cause": "◆", "symptom": "●", "cascade": "○"}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def render(report: Report, view: View) -> str:
    """Return the page; its size is bounded, whatever the log held."""
    first = report.explanations[0] if report.explanations else None
    parts = [_header(report, first, view.lang), f'<main id="main">{_first(first, report, view)}']
    parts += [_ranks(report, view.lang), _timeline(report, view.lang)]
    if first is not None:
        parts += [_evidence(first, report, view.lang), _others(report, view)]
    parts += [_run(report, view.lang), "</main>", _footer(report, view.lang)]
    style = resources.files("errtriage.render").joinpath("page.css").read_text(encoding="utf-8")
    title = text_of(f"{say(view.lang, report.verdict)}: {excerpt(first.title if first else report.headline, 120)}")
    return (
        f'<!DOCTYPE html>\n<html lang="{text_of(view.lang)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<link rel="icon" href="data:,">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n"
        f'<body class="{report.verdict}">\n<div class="page">\n'
        + "\n".join(filter(None, parts))
        + "\n</div>\n</body>\n"
        "</html>\n"
    )


def _prose(text: str) -> str:
    return "".join(f"<code>{text_of(part)}</code>" if is_code else text_of(part) for is_code, part in spans(text))


def _header(report: Report, first: Explanation | None, lang: str) -> str:
    parts = [
        f'<a class="skip" href="#main">{say(lang, "skip")}</a>',
        "<header>",
        f'<p class="verdict"><span aria-hidden="true">{SIGNS.get(report.verdict, "?")}</span>'
        f" {say(lang, report.verdict)}</p>",
        f"<h1>{_prose(first.title if first else report.headline)}</h1>",
    ]
    if first is not None:
        parts.append(f'<p class="summary">{_prose(first.summary)}</p>')
        parts.append(_where(first, lang))
        parts.append(_chips(first, lang))
    return "\n".join(filter(None, [*parts, "</header>"]))


def _where(one: Explanation, lang: str) -> str:
    if one.where is None:
        return ""
    code = f"<pre><code>{text_of(one.where.code)}</code></pre>" if one.where.code else ""
    late = f'<p class="note">{_prose(say(lang, "late"))}</p>' if one.where.late else ""
    at = f"<p>{say(lang, 'where')} <code>{text_of(place(one.where, lang))}</code></p>"
    return f'<div class="where">{at}{code}{late}</div>'


def _chips(one: Explanation, lang: str) -> str:
    told = [say(lang, one.severity), say(lang, "confidence", share=f"{one.confidence:.0%}")]
    told += [ranks(one.ranks, lang, 8)] if one.ranks else []
    told += [say(lang, "on", hosts=words_ranks.host_words(one.hosts, lang))] if one.hosts else []
    items = "".join(f"<li>{text_of(text)}</li>" for text in told)
    return f'<ul class="chips"><li class="id">{text_of(one.id)}</li>{items}</ul>'


def _section(name: str, title: str, inner: Iterable[str]) -> str:
    body = "\n".join(filter(None, inner))
    return (
        f'<section aria-labelledby="{name}"><h2 id="{name}">{text_of(title)}</h2>\n{body}\n</section>' if body else ""
    )


def _first(first: Explanation | None, report: Report, view: View) -> str:
    lang = view.lang
    parts = []
    curves = _curves(first, report, lang) if first is not None else ""
    parts.append(_section("curves", say(lang, "curve").capitalize(), [curves]))
    inner = [_causes(first, lang)] if first is not None else []
    parts.append(_section("causes", say(lang, "causes"), [*inner, _after(report, lang)]))
    return "\n".join(filter(None, parts))


def _after(report: Report, lang: str) -> str:
    """Return who can act, what was lost, and what to fetch where the cause is not in the log."""
    told = [f"<p>{_prose(say(lang, 'not-in-log'))}</p>"] if not report.cause_in_log else []
    rows = [(say(lang, "collect"), text) for text in report.collect]
    rows += [(say(lang, "action"), say(lang, f"action-{report.action}"))] if report.action != "unknown" else []
    rows += [(say(lang, "lost"), report.work_lost)] if report.work_lost else []
    if rows:
        told.append(_list(rows))
    return f'<div class="after">{"".join(told)}</div>' if told else ""


def _list(rows: Iterable[tuple[str, str]]) -> str:
    inner = "".join(f"<dt>{text_of(label)}</dt><dd>{_prose(text)}</dd>" for label, text in rows)
    return f'<dl class="steps">{inner}</dl>'


def _curves(one: Explanation, report: Report, lang: str) -> str:
    return "".join(
        f"<figure><figcaption>{text_of(series_name(series))}</figcaption>{_scroll(chart(series, lang), lang, 'curve')}"
        "</figure>"
        for series in series_of(one, report)
    )


def _scroll(inner: str, lang: str, key: str) -> str:
    """What is wider than a narrow screen scrolls by itself, and by keyboard."""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{text_of(say(lang, key))}">{inner}</div>'


def _causes(one: Explanation, lang: str) -> str:
    if not one.causes:
        return ""
    note = f'<p class="note">{text_of(say(lang, "undecided"))}</p>' if undecided(one.causes) else ""
    items = [_cause(cause, lang) for cause in one.causes]
    listed = f'{note}<ol class="causes">{"".join(items[:_OPEN_CAUSES])}</ol>'
    rest = items[_OPEN_CAUSES:]
    if not rest:
        return listed
    start = f'start="{_OPEN_CAUSES + 1}" style="counter-reset: cause {_OPEN_CAUSES}"'
    more = text_of(say(lang, "causes-more", count=len(rest)))
    more = (
        f'<details class="more"><summary>{more}</summary><ol class="causes rest" {start}>{"".join(rest)}</ol></details>'
    )
    return listed + more


def _cause(cause: CauseReading, lang: str) -> str:
    rows = [(say(lang, "because"), text) for text in cause.because[:3]]
    rows += [(say(lang, key), text) for key, text in (("check", cause.check), ("fix", cause.fix)) if text]
    code = f"<pre><code>{text_of(cause.code.strip(chr(10)))}</code></pre>" if cause.code.strip() else ""
    return f"<li><h3>{_prose(cause.why)}</h3>{_list(rows)}{code}</li>"


def _ranks(report: Report, lang: str) -> str:
    if not words_ranks.is_job_of_ranks(report):
        return ""
    rows = [
        [
            ranks(row.ranks, lang, 8),
            words_ranks.state_words(row, lang),
            words_ranks.host_words(row.hosts, lang),
        ]
        for row in words_ranks.rank_rows(report.ranks)
    ]
    head = ["ranks", "rank-state", "host"] if any(row[2] for row in rows) else ["ranks", "rank-state"]
    table = _table([say(lang, key) for key in head], [row[: len(head)] for row in rows], lang)
    return _section("ranks", f"{say(lang, 'ranks').capitalize()} ({len(report.ranks):,})", [table])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], lang: str) -> str:
    tops = "".join(f'<th scope="col">{text_of(text)}</th>' for text in head)
    lines = "".join(
        f'<tr><th scope="row">{text_of(row[0])}</th>'
        + "".join(f"<td>{text_of(text)}</td>" for text in row[1:])
        + "</tr>"
        for row in rows
    )
    return _scroll(f"<table><thead><tr>{tops}</tr></thead><tbody>{lines}</tbody></table>", lang, "what")


def _timeline(report: Report, lang: str) -> str:
    everything = words_ranks.moments(report)
    told = words_ranks.telling(everything, _MOST_MOMENTS)
    if len(told) < 2:
        return ""
    drawn = story(told, lang)
    items = "".join(_moment(number, one, report, lang) for number, one in enumerate(told, 1))
    more = len(everything) - len(told)
    legend = " · ".join(f"{sign} {say(lang, f'sign-{role}')}" for role, sign in _ROLE_SIGNS.items())
    inner = [
        _scroll(drawn, lang, "timeline") if drawn else "",
        f'<p class="note">{text_of(legend)}</p>',
        f'<ol class="moments">{items}</ol>',
        f'<p class="note">{text_of(say(lang, "moments-more", count=more))}</p>' if more else "",
    ]
    return _section("timeline", say(lang, "timeline").capitalize(), inner)


def _moment(number: int, one: words_ranks.Moment, report: Report, lang: str) -> str:
    after = f"<span>{text_of(words_ranks.duration(one.after))}</span>" if one.after is not None else ""
    at = text_of(f"{say(lang, 'line')} {words_ranks.moment_lines(one, report)}") + after
    who = f"<strong>{text_of(ranks(one.ranks, lang, 8))}</strong> " if one.ranks else ""
    times = f" ×{one.count:,}" if one.count > 1 else ""
    role = one.role if one.role in _ROLE_SIGNS else "symptom"
    sign = f'<span class="role-{role}" title="{say(lang, f"sign-{role}")}">{number}&nbsp;{_ROLE_SIGNS[role]}</span>'
    said = f"{who}<code>{text_of(excerpt(one.item.text, 200))}</code>{times}"
    return f'<li>{sign}<span class="at">{at}</span><span class="said">{said}</span></li>'


def _evidence(one: Explanation, report: Report, lang: str) -> str:
    kept = one.evidence[:_MOST_EVIDENCE]
    folds = [_fold(item, report, lang, opened=at == 0) for at, item in enumerate(kept)]
    return _section("evidence", f"{say(lang, 'evidence').capitalize()} ({len(kept)})", folds)


def _fold(item: Evidence, report: Report, lang: str, *, opened: bool) -> str:
    role = item.role if item.role in _ROLE_SIGNS else "symptom"
    times = f" ×{item.count:,}" if item.count > 1 else ""
    sign = f'<span class="sign role-{role}" title="{say(lang, f"sign-{role}")}">{_ROLE_SIGNS[role]}</span>'
    at = f'<span class="place">{text_of(say(lang, "line"))} {text_of(lines_of(item, report))}{times}</span>'
    rows = item.context or ((item.line, item.text),)
    quoted = next((number for number, line in rows if excerpt(item.text, 60)[:30] in line), item.line)
    lines = "".join(
        f'<span class="row{" hit" if number == quoted else ""}"><span class="no">{number}</span>'
        f"{text_of(line[:_LONGEST_LINE]) or ' '}</span>"
        for number, line in ((number, part) for number, text in rows for part in text.split("\n")[:20])
    )
    known = f'<p class="note">{text_of(ranges(item.ranges, lang))}</p>' if item.ranges else ""
    said = f"<code>{text_of(excerpt(item.text, 140))}</code>"
    return (
        f"<details{' open' if opened else ''}><summary>{sign}{at}{said}</summary>"
        f'{known}<pre class="log" tabindex="0">{lines}</pre></details>'
    )


def _others(report: Report, view: View) -> str:
    lang = view.lang
    links = "".join(
        f"<li><code>{text_of(to)}</code> {_prose(why)}</li>" for to, why in dict(report.explanations[0].links).items()
    )
    parts = [f"<ul>{links}</ul>"] if links else []
    for one in report.explanations[1:_MOST_EXPLANATIONS]:
        where = f"<p><code>{text_of(place(one.where, lang))}</code></p>" if one.where is not None else ""
        folds = "".join(_fold(item, report, lang, opened=False) for item in one.evidence[:_MOST_OTHER_EVIDENCE])
        parts.append(
            f'<details><summary><span class="place">{text_of(say(lang, one.role))}</span>{_prose(one.title)}</summary>'
            f"<p>{_prose(one.summary)}</p>{where}{_chips(one, lang)}{_curves(one, report, lang)}{_causes(one, lang)}"
            f"{folds}</details>"
        )
    return _section("others", say(lang, "effects"), parts)


def _run(report: Report, lang: str) -> str:
    facts = report.facts
    rows = [(say(lang, "sources"), size(report, lang)), *facts.versions.items()]
    known = (("world_size", facts.world_size), ("last_step", facts.last_step), ("checkpoint", facts.last_checkpoint))
    rows += [(name.replace("_", " "), f"{value:,}") for name, value in known if value is not None]
    rows += [("!", text) for text in trouble(report, lang)]
    rows += [(say(lang, "earlier"), excerpt(text)) for text in report.earlier_attempts]
    why = ""
    if report.explanations:
        terms = [[f"{term.points:+.2f}", term_words(term, lang)] for term in report.explanations[0].terms]
        table = _table([say(lang, "points"), say(lang, "why")], terms, lang)
        why = f"<details><summary>{text_of(say(lang, 'why'))}</summary>{table}</details>" if terms else ""
    return _section("run", say(lang, "facts").capitalize(), [_list(rows), why])


def _footer(report: Report, lang: str) -> str:
    told = [f"errtriage {__version__}", lines_read(report, lang)]
    told += [report.fingerprint] if report.fingerprint else []
    return f"<footer>{text_of(' · '.join(told))}</footer>"
