"""The report as plain text for pipes, files and job logs: no colour, no assumption about the width."""

from __future__ import annotations

from errtriage.model import Report
from errtriage.render.phrases import say
from errtriage.render.words import Piece, View, outline
from errtriage.render.words_wrap import columns, padded

# How far each kind of piece is set in, and what stands before its text.
_SHAPES = {
    "head": "{text}",
    "trouble": "  ! {text}",
    "title": "\n{label}: {text}",
    "place": "  {label}: {text}",
    "about": "  {text}",
    "text": "  {text}",
    "note": "  {text}",
    "code": "        {text}",
    "cause": "\n  {label}. {text}",
    "because": "     {label}: {text}",
    "check": "     {label} {text}",
    "fix": "     {label} {text}",
    "evidence": "  {label}: {text}",
    "then": "  {label}: {text}",
    "why": "  {label} {text}",
    "rank": "  {text}",
    "moment": "  {label}: {text}",
    "end": "{text}",
}


# Kinds that come in lists, with the phrase above the list.
_HEADINGS = {"evidence": "evidence", "rank": "ranks", "moment": "timeline"}
_LISTS = ("curve", *_HEADINGS)
_PARAGRAPHS = ("then", "next", "curve", "action")


def render(report: Report, view: View) -> str:
    """Return the report as text that ends with a newline."""
    lines = []
    previous = ""
    for piece in outline(report, view):
        if piece.kind in _HEADINGS and previous != piece.kind:
            lines.append(f"\n  {say(view.lang, _HEADINGS[piece.kind])}")
        elif _starts_paragraph(piece.kind, previous):
            lines.append("")
        shape = _SHAPES.get(piece.kind, "  {label}: {text}")
        if not piece.label:
            shape = shape.replace("{label}: ", "")
        # What stands below a chart is set in as far as the chart.
        text = piece.text.replace("\n", "\n" + " " * (len(piece.label) + 4))
        lines.append(shape.format(label=_label(piece, view.lang), text=text))
        previous = piece.kind
    return "\n".join(lines) + "\n"


def _label(piece: Piece, lang: str) -> str:
    if piece.kind in ("evidence", "moment"):
        return f"{say(lang, 'line')} {piece.label}"
    if piece.kind in ("check", "fix"):  # both begin their texts in one column
        return padded(f"{piece.label}:", max(columns(say(lang, kind)) for kind in ("check", "fix")) + 1)
    return say(lang, piece.label) if piece.kind == "title" else piece.label


def _starts_paragraph(kind: str, previous: str) -> bool:
    if kind == previous or kind in ("title", "cause", "end"):  # the shapes of the first two begin with an empty line
        return False
    if previous in _LISTS:
        return True
    return kind in _PARAGRAPHS and previous not in ("then", "note", "collect")
