"""The report as Markdown for a comment on GitHub, GitLab or Gitea: the card, and everything else behind folds.

Text of a log stands in code spans and fences alone, which are longer than any run of backticks in it; in our own prose
every sign that Markdown, HTML or GitHub's links (mentions, issues, addresses) would take is escaped.
"""

from __future__ import annotations

from collections.abc import Sequence

from errtriage.lazy_regex import lazy
from errtriage.model import Evidence, Explanation, Report
from errtriage.render.phrases import say
from errtriage.render.words import View, about, chosen, clean, lines_of, ranges, ranks, spans, trouble
from errtriage.render.words_card import SIGNS, card
from errtriage.render.words_terms import term_words

_LONGEST = 60_000  # characters: GitHub takes 65,536 in a comment
_MOST_EVIDENCE = 24
_LOG_KINDS = ("fault", "place", "evidence", "next")  # pieces of the card that quote a log or a command
_SPECIAL = lazy(r"[\\`*_{}\[\]|~$]|^(?:[#+=-]|\d{1,9}(?=[.)]))")
# What GitHub turns into links, mentions and pictures after it has rendered Markdown; a comment in it breaks it.
_LINKS = lazy(
    r"@(?=\w)|#(?=\d)|\bGH(?=-\d)|:(?=[\w+-]{1,40}:)|https?(?=://)|ftp(?=://)|www(?=\.)|\b[0-9a-f]{3}(?=[0-9a-f]{4,37}\b)"
)
_TICKS = lazy(r"`+")
_BREAK = "<!-- -->"


def render(report: Report, view: View) -> str:
    """Return the report as Markdown that ends with a newline, at most 60,000 characters long."""
    sections = [_card(report, view)]
    for at, one in enumerate(chosen(report, view)):
        sections += _explanation(one, report, view, first=at == 0)
    sections += _job(report, view)
    text = ""
    for section in sections:
        if text and len(text) + len(section) > _LONGEST:
            continue
        text += section + "\n"
    return text


def prose(text: str) -> str:
    """Return a text of ours as Markdown: what stands between backticks is code, everything else is text."""
    return "".join(code(part) if is_code else _escaped(part) for is_code, part in spans(text)).replace("\n", " ")


def _escaped(text: str) -> str:
    # The breaks are put in last, as the escapes would spoil them, and looked for first, as escapes would hide links.
    parts = _LINKS.split(text)
    signs = _LINKS.findall(text)
    escaped = [_signs_escaped(part) for part in parts]
    return escaped[0] + "".join(
        _signs_escaped(sign) + _BREAK + part for sign, part in zip(signs, escaped[1:], strict=True)
    )


def _signs_escaped(text: str) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(lambda found: f"\\{found[0]}" if not found[0].isdigit() else f"{found[0]}\\", text)


def code(text: str) -> str:
    """Return any text as one code span."""
    text = clean(text).replace("\n", " ").strip() or " "
    ticks = "`" * (_longest_run(text) + 1)
    space = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def fence(text: str, language: str = "text") -> str:
    """Return any text as a fenced block that it can not close."""
    text = clean(text).strip("\n")
    ticks = "`" * max(3, _longest_run(text) + 1)
    return f"{ticks}{language}\n{text}\n{ticks}\n"


def _longest_run(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)


def _card(report: Report, view: View) -> str:
    lines = []
    for piece in card(report, view):
        if piece.kind == "title":
            sign = SIGNS.get(piece.label, "?")
            lines.append(f"### {_escaped(sign)} {say(view.lang, piece.label)}: {prose(piece.text)}\n")
        else:
            text = code(piece.text) if piece.kind in _LOG_KINDS else prose(piece.text)
            lines.append(f"- **{_escaped(piece.label)}** {text}" if piece.label else f"- {text}")
    return "\n".join(lines) + "\n"


def _explanation(one: Explanation, report: Report, view: View, *, first: bool) -> list[str]:
    lang = view.lang
    parts = [prose(one.summary) + "\n"]
    if one.where is not None and one.where.late:
        parts.append(f"_{prose(say(lang, 'late'))}_\n")
    parts += _curves(one, report, lang)
    parts += _causes(one, lang)
    parts += [f"- **{prose(to)}**: {prose(why)}" for to, why in dict(one.links).items()]
    if view.why:
        parts += [f"- {code(f'{term.points:+.2f}')} {prose(term_words(term, lang))}" for term in one.terms]
    name = say(lang, "causes") if first else clean(f"{say(lang, 'also')}: {one.title}")
    head = "" if first else code(about(one, lang)) + "\n\n"
    sections = [_fold(name, head + "\n".join(parts))]
    if one.evidence:
        kept = one.evidence[: _MOST_EVIDENCE if first or view.everything else 3]
        title = f"{say(lang, 'evidence').capitalize()}{'' if first else f': {one.id}'} ({len(kept)})"
        sections.append(_fold(title, "\n".join(_evidence(item, report, lang) for item in kept)))
    return sections


def _causes(one: Explanation, lang: str) -> list[str]:
    parts = []
    for number, cause in enumerate(one.causes, 1):
        parts.append(f"{number}. {prose(cause.why)}\n")
        rows = [(say(lang, "because"), text) for text in cause.because[:3]]
        rows += [(say(lang, key), text) for key, text in (("check", cause.check), ("fix", cause.fix)) if text]
        parts += [f"   - **{label}** {prose(text)}" for label, text in rows]
        if cause.code.strip():
            parts.append("\n" + _indented(fence(cause.code, "python")))
    return parts


def _indented(block: str) -> str:
    return "\n".join(f"   {line}" if line else "" for line in block.splitlines()) + "\n"


def _curves(one: Explanation, report: Report, lang: str) -> list[str]:
    if not report.series:
        return []
    from errtriage.render.words_curve import series_name, series_of, sparkline

    drawn = [f"{series_name(series)}\n{sparkline(series, lang)}" for series in series_of(one, report)]
    return [fence("\n\n".join(drawn))] if drawn else []


def _evidence(item: Evidence, report: Report, lang: str) -> str:
    known = ranges(item.ranges, lang)
    told = f"{say(lang, 'line')} {lines_of(item, report)}" + (f" ×{item.count:,}" if item.count > 1 else "")
    text = item.text
    if item.context:
        width = len(str(item.context[-1][0]))
        text = "\n".join(f"{number:>{width}}  {line}" for number, line in item.context)
    head = _escaped(told) + (f" {code(known)}" if known else "")
    return f"{head} ({say(lang, f'sign-{item.role}')})\n{fence(text)}"


def _job(report: Report, view: View) -> list[str]:
    from errtriage.render import words_ranks as words

    lang = view.lang
    sections = []
    if words.is_job_of_ranks(report):
        rows = [
            [ranks(row.ranks, lang, 8), words.state_words(row, lang), words.host_words(row.hosts, lang)]
            for row in words.rank_rows(report.ranks)
        ]
        head = [say(lang, key) for key in ("ranks", "rank-state", "host")]
        sections.append(_fold(f"{say(lang, 'ranks').capitalize()} ({len(report.ranks)})", _table(head, rows)))
    told = words.telling(words.moments(report), 24)
    if len(told) > 1:
        rows = [[words.moment_lines(one, report), words.moment_words(one, lang)] for one in told]
        head = [say(lang, "line"), say(lang, "what")]
        sections.append(_fold(say(lang, "timeline").capitalize(), _table(head, rows)))
    about_run = [f"{name} {value}" for name, value in report.facts.versions.items()]
    told_trouble = [*trouble(report, lang), *report.collect, *report.earlier_attempts]
    if about_run or told_trouble:
        lines = [f"- {code(text)}" for text in ([", ".join(about_run)] if about_run else []) + told_trouble]
        sections.append(_fold(say(lang, "facts").capitalize(), "\n".join(lines) + "\n"))
    return sections


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *[[_cell(text) for text in row] for row in rows]]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _cell(text: str) -> str:
    return code(text).replace("|", "\\|") if text else ""


def _fold(title: str, inner: str) -> str:
    # Inside of the tag's own lines Markdown is not read: escapes would show.
    title = _LINKS.sub(rf"\g<0>{_BREAK}", clean(title).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
    return f"<details>\n<summary>{title}</summary>\n\n{inner.rstrip()}\n\n</details>\n"
