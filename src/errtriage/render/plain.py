"""The report as plain text for pipes, files and job logs: no colour, no assumption about the width."""

from __future__ import annotations

from errtriage.model import Report
from errtriage.render.words import View, outline

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
    "check": "     {label}: {text}",
    "fix": "     {label}:   {text}",
    "evidence": "  line {label}: {text}",
    "then": "  {label}: {text}",
    "why": "  {label} {text}",
    "end": "{text}",
}


def render(report: Report, view: View) -> str:
    """Return the report as text that ends with a newline."""
    lines = []
    previous = ""
    for piece in outline(report, view):
        if piece.kind == "evidence" and previous != "evidence":
            lines.append("\n  evidence")
        if piece.kind in ("then", "next") and previous not in ("then", piece.kind):
            lines.append("")
        shape = _SHAPES.get(piece.kind, "  {label}: {text}" if piece.label else "  {text}")
        lines.append(shape.format(label=piece.label, text=piece.text))
        previous = piece.kind
    return "\n".join(lines) + "\n"
