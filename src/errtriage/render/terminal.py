"""The report for a person at a terminal: the first screen holds the verdict, the fault, where, why and what to do."""

from __future__ import annotations

import io
import shutil

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from errtriage.model import Report
from errtriage.render.phrases import say
from errtriage.render.words import Piece, View, outline
from errtriage.render.words_wrap import columns, padded, wrapped

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
    """Return the report with colours, wrapped at the screen's width (or at `width` columns)."""
    out = io.StringIO()
    screen = width or shutil.get_terminal_size((100, 40)).columns
    console = Console(file=out, force_terminal=True, width=max(40, min(screen, 120)), highlight=False, soft_wrap=False)
    previous = ""
    for piece in outline(report, view):
        if _starts_paragraph(piece, previous):
            console.print()
        if piece.kind in _HEADINGS and piece.kind != previous:
            console.print(Text(f"  {say(view.lang, _HEADINGS[piece.kind])}", style="dim"))
        console.print(_shape(piece, console.width, view.lang))
        previous = piece.kind
    return out.getvalue()


def _starts_paragraph(piece: Piece, previous: str) -> bool:
    if piece.kind in ("title", "cause"):
        return True
    if piece.kind in _LISTS or previous in _LISTS:
        return piece.kind != previous
    return piece.kind in _PARAGRAPHS and previous not in (piece.kind, "note", "then", "collect")


def _shape(piece: Piece, width: int, lang: str) -> Padding | Text:
    if piece.kind in ("head", "end"):
        return Text(piece.text, style="dim")
    if piece.kind == "title":
        sign = _SIGNS.get(piece.label)
        style = _COLOURS.get(piece.label, "bold")
        word = say(lang, piece.label)
        start = f"{sign} {word.upper()}  " if sign else say(lang, "also-title", role=word) + "  "
        title = wrapped(start + piece.text, width)[len(start) :]
        return Text.assemble((start, style), (title, "bold"))
    indent, style, label_style = _LOOKS.get(piece.kind, (2, "", "dim"))
    label = _label(piece, lang)
    if not label:
        return Padding(Text(wrapped(piece.text, width - indent), style=style), (0, 0, 0, indent))
    room = max(20, width - indent - min(columns(label), _LONGEST_LABEL))
    text = Text(piece.text if piece.kind == "moment" else wrapped(piece.text, room), style=style)
    if piece.kind == "moment":  # on one line, so that the story of many ranks stays on one screen
        text.truncate(max(20, width - indent - columns(label)), overflow="ellipsis")
    return _hanging(Text(label, style=label_style), text, indent)


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


def _hanging(label: Text, text: Text, indent: int) -> Padding:
    """The text hangs behind its label, so that a wrapped line is not taken for a new one."""
    from rich.table import Table

    grid = Table.grid()
    grid.add_column(width=min(columns(label.plain), _LONGEST_LABEL), overflow="fold")
    grid.add_column(overflow="fold")
    grid.add_row(label, text)
    return Padding(grid, (0, 0, 0, indent))
