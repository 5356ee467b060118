"""The report for a person at a terminal: the first screen holds the verdict, the fault, where, why and what to do."""

from __future__ import annotations

import io
import shutil

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from errtriage.model import Report
from errtriage.render.words import Piece, View, outline

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
    "collect": (2, "", "dim"),
    "action": (2, "", "dim"),
    "earlier": (2, "dim", "dim"),
    "next": (2, "dim", ""),
}


def render(report: Report, view: View, width: int | None = None) -> str:
    """Return the report with colours, wrapped at the screen's width (or at `width` columns)."""
    out = io.StringIO()
    columns = width or shutil.get_terminal_size((100, 40)).columns
    console = Console(file=out, force_terminal=True, width=max(40, min(columns, 120)), highlight=False, soft_wrap=False)
    previous = ""
    for piece in outline(report, view):
        if _starts_paragraph(piece, previous):
            console.print()
        console.print(_shape(piece))
        previous = piece.kind
    return out.getvalue()


def _starts_paragraph(piece: Piece, previous: str) -> bool:
    if piece.kind in ("title", "cause"):
        return True
    return piece.kind in ("evidence", "then", "next", "collect") and previous not in (piece.kind, "note")


def _shape(piece: Piece) -> Padding | Text:
    if piece.kind in ("head", "end"):
        return Text(piece.text, style="dim")
    if piece.kind == "title":
        sign = _SIGNS.get(piece.label)
        style = _COLOURS.get(piece.label, "bold")
        start = f"{sign} {piece.label.upper()}  " if sign else f"also ({piece.label})  "
        return Text.assemble((start, style), (piece.text, "bold"))
    indent, style, label_style = _LOOKS.get(piece.kind, (2, "", "dim"))
    label = _label(piece)
    text = Text.assemble((label, label_style), (piece.text, style))
    # The text hangs behind its label, so that a wrapped line is not taken for a new one.
    return Padding(text, (0, 0, 0, indent)) if not label else _hanging(label, label_style, piece.text, style, indent)


def _label(piece: Piece) -> str:
    if not piece.label:
        return ""
    if piece.kind == "cause":
        return f"{piece.label}  "
    return f"{piece.label:<7}  " if piece.kind != "evidence" else f"{piece.label:>9}  "


def _hanging(label: str, label_style: str, text: str, style: str, indent: int) -> Padding:
    from rich.table import Table

    grid = Table.grid()
    grid.add_column(width=len(label), no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(Text(label, style=label_style), Text(text, style=style))
    return Padding(grid, (0, 0, 0, indent))
