"""The report as a Slack message in Block Kit: the card as one message, everything else as messages of its thread.

Limits of Slack's documentation (https://docs.slack.dev/reference/block-kit/blocks): 50 blocks a message, 3000
characters a text, 150 a header. Texts stand in `plain_text` and `rich_text`, where nothing is markup; the fallback
`text` of a notification is escaped.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from errtriage.model import Evidence, Explanation, Report
from errtriage.render.phrases import say
from errtriage.render.words import View, about, chosen, clean, excerpt, lines_of, ranges, spans, trouble
from errtriage.render.words_card import SIGNS, card, card_lines

MOST_BLOCKS = 50
LONGEST_TEXT = 3000
_LONGEST_HEADER = 150
_MOST_EVIDENCE = 12
_LOG_KINDS = ("place", "evidence", "next")

Block = dict[str, Any]
Message = dict[str, Any]


def render(report: Report, view: View) -> str:
    """Return the payload of one message as JSON: the card, or with `view.everything` the card and its thread."""
    blocks = list(message(report, view)["blocks"])
    if view.everything:
        blocks += [block for part in thread(report, view) for block in part["blocks"]]
    payload = _message(report, view, blocks[:MOST_BLOCKS])
    return json.dumps(payload, ensure_ascii=False, indent=1) + "\n"


def message(report: Report, view: View) -> Message:
    """Return the card as the payload of `chat.postMessage` or of a webhook, without a channel."""
    blocks: list[Block] = []
    lines: list[dict[str, Any]] = []
    for piece in card(report, view):
        if piece.kind == "title":
            blocks.append(_header(f"{SIGNS.get(piece.label, '?')} {say(view.lang, piece.label)}: {piece.text}"))
            continue
        start = [_run(f"{piece.label}  ", bold=True)] if piece.label else []
        text = [_run(piece.text, code=True)] if piece.kind in _LOG_KINDS else _runs(piece.text)
        lines += [*([_run("\n")] if lines else []), *start, *text]
    if lines:
        blocks.append(_rich(_section(lines)))
    return _message(report, view, blocks)


def thread(report: Report, view: View) -> list[Message]:
    """Return the full report as the messages of a thread, each within Slack's limits."""
    blocks: list[Block] = []
    for one in chosen(report, view):
        blocks += _explanation(one, report, view)
    blocks += _job(report, view)
    return [_message(report, view, blocks[at : at + MOST_BLOCKS]) for at in range(0, len(blocks), MOST_BLOCKS)]


def _message(report: Report, view: View, blocks: list[Block]) -> Message:
    lines = escaped("\n".join(card_lines(report, view)))
    return {"text": lines[:LONGEST_TEXT], "mrkdwn": False, "unfurl_links": False, "blocks": blocks}


def escaped(text: str) -> str:
    """Return text with the three signs escaped that Slack reads in a `text`."""
    return clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _explanation(one: Explanation, report: Report, view: View) -> list[Block]:
    lang = view.lang
    blocks = [_header(one.title), _context(about(one, lang)), _rich(_section(_runs(one.summary)))]
    if one.where is not None and one.where.late:
        blocks.append(_context(say(lang, "late")))
    drawn = _curves(one, report, lang)
    if drawn:
        blocks.append(_rich(_preformatted(drawn)))
    for number, cause in enumerate(one.causes, 1):
        rows = [_run(f"{number}. ", bold=True), *_runs(cause.why)]
        told = [(say(lang, "because"), text) for text in cause.because[:3]]
        told += [(say(lang, key), text) for key, text in (("check", cause.check), ("fix", cause.fix)) if text]
        for label, text in told:
            rows += [_run(f"\n{label}  ", bold=True), *_runs(text)]
        parts = [_section(rows)]
        if cause.code.strip():
            parts.append(_preformatted(cause.code))
        blocks.append(_rich(*parts))
    if one.evidence:
        blocks.append(
            _rich(*[part for item in one.evidence[:_MOST_EVIDENCE] for part in _evidence(item, report, lang)])
        )
    return blocks


def _curves(one: Explanation, report: Report, lang: str) -> str:
    if not report.series:
        return ""
    from errtriage.render.words_curve import series_name, series_of, sparkline

    return "\n\n".join(f"{series_name(series)}\n{sparkline(series, lang)}" for series in series_of(one, report))


def _evidence(item: Evidence, report: Report, lang: str) -> list[dict[str, Any]]:
    known = ranges(item.ranges, lang)
    head = f"{say(lang, 'line')} {lines_of(item, report)}" + (f" ×{item.count:,}" if item.count > 1 else "")
    return [
        _section([_run(head + (f" [{known}]" if known else ""), bold=True)]),
        _preformatted(excerpt(item.text, 200)),
    ]


def _job(report: Report, view: View) -> list[Block]:
    from errtriage.render.words_ranks import moment_pieces, rank_pieces

    blocks: list[Block] = []
    pieces = [*rank_pieces(report, view), *moment_pieces(report, View(everything=True, lang=view.lang))]
    for kind, key in (("rank", "ranks"), ("moment", "timeline")):
        lines = [
            f"{piece.label:>7}  {piece.text}" if piece.label else piece.text for piece in pieces if piece.kind == kind
        ]
        if lines:
            blocks.append(_rich(_section([_run(say(view.lang, key), bold=True)]), _preformatted("\n".join(lines))))
    told = [*trouble(report, view.lang), *report.earlier_attempts]
    if told:
        blocks.append(_context("\n".join(excerpt(text) for text in told)))
    return blocks


def _header(text: str) -> Block:
    return {"type": "header", "text": {"type": "plain_text", "emoji": False, "text": excerpt(text, _LONGEST_HEADER)}}


def _context(text: str) -> Block:
    element = {"type": "plain_text", "emoji": False, "text": clean(text)[:LONGEST_TEXT] or " "}
    return {"type": "context", "elements": [element]}


def _rich(*parts: dict[str, Any]) -> Block:
    return {"type": "rich_text", "elements": list(parts)}


def _section(elements: Sequence[dict[str, Any]]) -> dict[str, Any]:
    left = LONGEST_TEXT
    kept = []
    for element in elements:
        text = element["text"][: max(left, 0)]
        if text:
            kept.append({**element, "text": text})
        left -= len(text)
    return {"type": "rich_text_section", "elements": kept or [_run(" ")]}


def _preformatted(text: str) -> dict[str, Any]:
    return {"type": "rich_text_preformatted", "elements": [_run(clean(text).strip("\n")[:LONGEST_TEXT] or " ")]}


def _runs(text: str) -> list[dict[str, Any]]:
    return [_run(part, code=is_code) for is_code, part in spans(text)]


def _run(text: str, *, bold: bool = False, code: bool = False) -> dict[str, Any]:
    run: dict[str, Any] = {"type": "text", "text": clean(text)}
    style = {name: True for name, on in (("bold", bold), ("code", code)) if on}
    return {**run, "style": style} if style else run
