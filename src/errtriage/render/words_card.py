"""The card: a report in at most ten lines for a channel, a comment or a notification; the rest stands behind it."""

from __future__ import annotations

from errtriage.model import Evidence, Explanation, Report
from errtriage.render.phrases import say
from errtriage.render.words import Piece, View, about, excerpt, flat, lines_of, place, quote, trouble
from errtriage.unrecognised import IDS

LINES = 10
_TEXT = 240  # characters of one line
SIGNS = {"failed": "✗", "suspect": "!", "clean": "✓", "unknown": "?"}


def card(report: Report, view: View) -> list[Piece]:
    """Return a report as at most ten pieces of one line each: `title`, then labelled lines.

    Kinds: `title` (label: the verdict), `fault`, `curve`, `place`, `cause`, `check`, `fix`, `evidence`, `who`,
    `next`; where there is nothing to explain `title` alone, and what could not be read as `trouble`.
    """
    lang = view.lang
    first = report.explanations[0] if report.explanations else None
    title = first.title if first is not None else report.headline
    pieces = [Piece(kind="title", label=report.verdict, text=excerpt(title, _TEXT))]
    if first is not None:
        pieces += _of_explanation(first, report, lang)
    else:
        pieces += [Piece(kind="trouble", text=excerpt(text, _TEXT)) for text in trouble(report, lang)[:3]]
    if report.action != "unknown":
        pieces.append(Piece(kind="who", label=say(lang, "who"), text=say(lang, f"who-{report.action}")))
    elif report.collect:
        pieces.append(Piece(kind="collect", label=say(lang, "collect"), text=excerpt(report.collect[0], _TEXT)))
    if first is not None and first.id not in IDS:
        pieces.append(Piece(kind="next", label=say(lang, "next"), text=f"errtriage kb show {first.id}"))
    return pieces[:LINES]


def _of_explanation(one: Explanation, report: Report, lang: str) -> list[Piece]:
    pieces = [Piece(kind="fault", label=say(lang, "fault"), text=about(one, lang))]
    if one.where is not None:
        code = f": {excerpt(one.where.code, 80)}" if one.where.code else ""
        pieces.append(Piece(kind="place", label=say(lang, "where"), text=place(one.where, lang) + code))
    if one.causes:
        cause = one.causes[0]
        pieces.append(Piece(kind="cause", label=say(lang, "cause"), text=excerpt(cause.why, _TEXT)))
        for kind, text in (("check", cause.check), ("fix", cause.fix)):
            if text:
                pieces.append(Piece(kind=kind, label=say(lang, kind), text=excerpt(text, _TEXT)))
    else:
        pieces.append(Piece(kind="text", text=excerpt(one.summary, _TEXT)))
    item = _first_line(one)
    if item is not None:
        at = lines_of(item, report)
        pieces.append(Piece(kind="evidence", label=f"{say(lang, 'line')} {at}", text=quote(item, lang)))
    return pieces


def _first_line(one: Explanation) -> Evidence | None:
    """Return the evidence of the explanation itself rather than of its effects."""
    return next((item for item in one.evidence if item.role == one.role), one.evidence[0] if one.evidence else None)


def card_lines(report: Report, view: View | None = None) -> list[str]:
    """Return the card as at most ten lines of plain text, for notifications and fallbacks."""
    view = view or View()
    lines = []
    for piece in card(report, view):
        if piece.kind == "title":
            lines.append(f"{SIGNS.get(piece.label, '?')} {say(view.lang, piece.label).upper()}: {piece.text}")
        else:
            lines.append(f"{piece.label}: {piece.text}" if piece.label else piece.text)
    return [flat(line) for line in lines]
