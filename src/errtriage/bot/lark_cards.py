"""The report as cards of Feishu: the card of a report as one, the full report as pages; all texts are plain texts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from errtriage.bot.sayings import bot_says
from errtriage.model import Report
from errtriage.render import plain
from errtriage.render.phrases import say
from errtriage.render.words import View, clean
from errtriage.render.words_card import SIGNS
from errtriage.render.words_card import card as pieces_of

# A card may have 30 KB (https://open.feishu.cn/document/server-docs/im-v1/message/create): at most 4 bytes a character.
_PAGE = 5000  # characters
_MOST_PAGES = 4
_COLOURS = {"failed": "red", "suspect": "orange", "clean": "green"}


def card(report: Report, view: View, notes: Sequence[str] = ()) -> str:
    """Return the card of a report, with sentences in small print below it, as the content of a message."""
    title, lines = "", []
    for piece in pieces_of(report, view):
        if piece.kind == "title":
            title = f"{SIGNS.get(piece.label, '?')} {say(view.lang, piece.label)}: {piece.text}"
        else:
            lines.append(f"{piece.label}: {piece.text}" if piece.label else piece.text)
    elements = [_div("\n".join(lines))] if lines else []
    header = {"template": _COLOURS.get(report.verdict, "grey"), "title": _plain(title)}
    return _content([*elements, *([_note("\n".join(notes))] if notes else [])], header)


def note(text: str) -> str:
    """Return a card of one sentence."""
    return _content([_note(text)])


def pages(report: Report, view: View) -> list[str]:
    """Return the full report as the contents of a few messages."""
    everything = View(top=view.top, everything=True, lang=view.lang)
    parts = [""]
    for line in plain.render(report, everything).splitlines():
        if parts[-1] and len(parts[-1]) + len(line) > _PAGE:
            parts.append("")
        parts[-1] += line[:_PAGE] + "\n"
    left = [_note(bot_says(view.lang, "cut"))] if len(parts) > _MOST_PAGES else []
    kept = parts[:_MOST_PAGES]
    return [_content([_div(part), *(left if part is kept[-1] else [])]) for part in kept]


def _content(elements: Sequence[dict[str, Any]], header: dict[str, Any] | None = None) -> str:
    told: dict[str, Any] = {"config": {"wide_screen_mode": True, "update_multi": True}, "elements": list(elements)}
    return json.dumps({**told, "header": header} if header else told, ensure_ascii=False)


def _div(text: str) -> dict[str, Any]:
    return {"tag": "div", "text": _plain(text)}


def _note(text: str) -> dict[str, Any]:
    return {"tag": "note", "elements": [_plain(text)]}


def _plain(text: str) -> dict[str, Any]:
    return {"tag": "plain_text", "content": clean(text)[: _PAGE + 1] or " "}
