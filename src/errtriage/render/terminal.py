"""The report for a person at a terminal: the first screen holds the verdict, the fault, where, why and what to do."""

from __future__ import annotations

import os
from functools import cache

from rich.style import Style

from errtriage.model import Report
from errtriage.render.phrases import say
from errtriage.render.words import Piece, View, outline
from errtriage.render.words_wrap import beginning, columns, folded, padded

_LONGEST_LABEL = 30  # columns
_SIGNS = {"failed": "✗", "suspect": "!", "clean": "✓", "unknown": "?"}
_COLOURS = {"failed": "bold red", "suspect": "bold yellow", "clean": "bold green", "unknown": "bold cyan"}
# Columns that a kind of piece is set in, its style, and the style of its label.
_LOOKS = {
    "trouble": (2, "yellow", "yellow"),
    "place": (2, "bold", "dim"),
    "about": (2, "dim", "dim"),
    "text": (2, "", ""),
    "note": (2, "italic", ""),
    "code": (8, "cyan", ""),
    "cause": (2, "bold", "bold"),
    "because": (5, "green", "dim"),
    "check": (5, "", "dim"),
    "fix": (5, "", "dim"),
    "evidence": (2, "", "magenta"),
    "then": (2, "", "dim"),
    "why": (4, "dim", "dim"),
    "curve": (2, "", "cyan"),
    "rank": (2, "", ""),
    "moment": (2, "", "magenta"),
    "collect": (2, "", "dim"),
    "action": (2, "", "dim"),
    "earlier": (2, "dim", "dim"),
    "next": (2, "dim", ""),
}
# Kinds that come in lists, with the phrase above the list.
_HEADINGS = {"evidence": "evidence", "rank": "ranks", "moment": "timeline"}
_LISTS = ("curve", *_HEADINGS)
_PARAGRAPHS = ("then", "next", "collect", "action")


def render(report: Report, view: View, width: int | None = None) -> str:
    """Return the report with colours, in lines of the screen's width (or of `width` columns)."""
    width = max(40, min(width or _screen(), 120))
    lines: list[str] = []
    previous = ""
    for piece in outline(report, view):
        if _starts_paragraph(piece, previous):
            lines.append("")
        if piece.kind in _HEADINGS and piece.kind != previous:
            lines.append(_painted(f"  {say(view.lang, _HEADINGS[piece.kind])}", "dim"))
        lines += _lines_of(piece, width, view.lang)
        previous = piece.kind
    return "\n".join(lines) + "\n"


def _screen() -> int:
    """Return the columns of the screen, as `shutil` finds them: importing that would be felt."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told):
        return int(told)
    try:
        return os.get_terminal_size(1).columns or 100
    except (OSError, ValueError):
        return 100


@cache
def _style(words: str) -> Style:
    return Style.parse(words)


def _painted(text: str, style: str) -> str:
    return _style(style).render(text) if style and text else text


def _starts_paragraph(piece: Piece, previous: str) -> bool:
    if piece.kind in ("title", "cause"):
        return True
    if piece.kind in _LISTS or previous in _LISTS:
        return piece.kind != previous
    return piece.kind in _PARAGRAPHS and previous not in (piece.kind, "note", "then", "collect")


def _lines_of(piece: Piece, width: int, lang: str) -> list[str]:
    if piece.kind in ("head", "end"):
        return [_painted(line, "dim") for line in folded(piece.text, width)]
    if piece.kind == "title":
        return _title(piece, width, lang)
    indent, style, label_style = _LOOKS.get(piece.kind, (2, "", "dim"))
    label = _label(piece, lang)
    label_width = min(columns(label), _LONGEST_LABEL)
    room = max(20, width - indent - label_width)
    text = [_cut(piece.text, room)] if piece.kind == "moment" else folded(piece.text, room)
    labels = folded(label, _LONGEST_LABEL) if label else []
    lines = []
    for at in range(max(len(text), len(labels))):  # the text hangs behind its label
        start = _painted(padded(labels[at], label_width), label_style) if at < len(labels) else " " * label_width
        lines.append(" " * indent + (start + _painted(text[at], style) if at < len(text) else start).rstrip())
    return lines


def _title(piece: Piece, width: int, lang: str) -> list[str]:
    sign = _SIGNS.get(piece.label)
    word = say(lang, piece.label)
    start = f"{sign} {word.upper()}  " if sign else say(lang, "also-title", role=word) + "  "
    first, *others = folded(start + piece.text, width)
    head = _painted(start, _COLOURS.get(piece.label, "bold")) + _painted(first[len(start) :], "bold")
    return [head, *(_painted(line, "bold") for line in others)]


def _cut(text: str, width: int) -> str:
    """Return a text on one line, so that the story of many ranks stays on one screen."""
    return text if columns(text) <= width else beginning(text, width - 1) + "…"


def _label(piece: Piece, lang: str) -> str:
    if not piece.label:
        return ""
    if piece.kind == "cause":
        return f"{piece.label}  "
    return (
        f"{piece.label:>9}  "
        if piece.kind in ("evidence", "moment")
        else padded(piece.label, _label_width(lang)) + "  "
    )


def _label_width(lang: str) -> int:
    return max(columns(say(lang, key)) for key in ("because", "collect", "earlier"))
