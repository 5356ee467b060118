"""Takes off what people's pastes put around a log: HTML escapes, quotes, code fences, indentation, line numbers."""

from __future__ import annotations

from collections.abc import Iterator

from errtriage import TYPE_CHECKING
from errtriage.lazy_regex import lazy
from errtriage.model import Span
from errtriage.regex_store import compiled

if TYPE_CHECKING:
    import re

Lines = Iterator[tuple[bytes, Span]]

_ENTITY = lazy(rb"&(?:gt|lt|amp|quot|apos|nbsp|#\d{2,5}|#[xX][0-9A-Fa-f]{2,4});")
_TAG = lazy(rb"</?(?:span|pre|code|div|p|b|i|em|strong|font|a|mark|samp)(?:\s[^<>\n]{0,300})?>")
_BREAK = lazy(rb"<br ?/?>")
_FAULT = lazy(rb"Traceback \(most|File \"|Error\b|Warning:|Assertion|\berror\b|CUDA")


def look_html(head: bytes) -> bool:
    """Return whether angle brackets and ampersands are escaped throughout."""
    escaped = len(compiled(rb"&(?:gt|lt|quot|#39|#x27|#34|amp);").findall(head))
    bare = len(_BREAK.sub(b"", _TAG.sub(b"", head)).split(b"<")) - 1
    return escaped > bare


def take_off_html(lines: Lines) -> Lines:
    """Yield the lines with entities resolved and inline tags left out; a line break tag parts a line."""
    for text, span in lines:
        if b"&" not in text and b"<" not in text:
            yield text, span
            continue
        for part in _BREAK.split(_TAG.sub(b"", text)):
            yield _unescaped(part), span


def _unescaped(text: bytes) -> bytes:
    import html

    def resolve(match: re.Match[bytes]) -> bytes:
        return html.unescape(match[0].decode("ascii")).replace("\xa0", " ").encode("utf-8", "replace")

    once = _ENTITY.sub(resolve, text)
    return _ENTITY.sub(resolve, once) if b"&amp;" in text else once  # what was escaped twice


_QUOTE = lazy(rb"(?:> ?(?!>>))+(?=[^>]|$)")


def _is_quoted(text: bytes) -> bool:
    return text == b">" or (text[:1] == b">" and text[:2] in (b"> ", b">>") and text[:3] != b">>>")


def look_quotes(head: bytes) -> bool:
    """Return whether a block of lines is quoted by `> ` (one such line is pytest's mark, `>>>` a prompt)."""
    rows = head.split(b"\n")
    quoted = sum(map(_is_quoted, rows))
    written = sum(bool(row.strip()) for row in rows)
    runs = any(
        _is_quoted(a) and _is_quoted(b) and _is_quoted(c) for a, b, c in zip(rows, rows[1:], rows[2:], strict=False)
    )
    told = any(_is_quoted(row) and _FAULT.search(row) for row in rows)
    return runs and (2 * quoted >= written or told)


def take_off_quotes(lines: Lines) -> Lines:
    """Yield the lines without the quote marks of a block; a mark on one line alone stays."""
    before = False
    held: tuple[bytes, Span] | None = None
    for item in lines:
        if held is not None:
            quoted = _is_quoted(held[0])
            yield (
                (_QUOTE.sub(b"", held[0], count=1) if quoted and (before or _is_quoted(item[0])) else held[0]),
                held[1],
            )
            before = quoted
        held = item
    if held is not None:
        yield (_QUOTE.sub(b"", held[0], count=1) if before and _is_quoted(held[0]) else held[0]), held[1]


_BOLD = lazy(rb"^(\s{0,20})(\*\*|__)(?=[A-Za-z\[])(.{1,4000}?)\2(\s{0,20})$")


def look_emphasis(head: bytes) -> bool:
    """Return whether a line that tells of a fault is set in bold, as people mark the line that they ask about."""
    return any(b"**" in row and _BOLD.match(row) and _FAULT.search(row) for row in head.split(b"\n"))


def take_off_emphasis(lines: Lines) -> Lines:
    """Yield the lines without the stars of bold type around a whole line."""
    for text, span in lines:
        yield (_BOLD.sub(rb"\1\3\4", text) if b"**" in text or b"__" in text else text), span


_FENCE = lazy(rb"^ {0,3}(?:`{3,}|~{3,})[\w.+\-]{0,20}\s*$")
_OPENED = lazy(rb"^ {0,3}`{3,}(?=\S)")
_CLOSED = lazy(rb"(?<=[^`])`{3,}\s*$")


def look_fences(head: bytes) -> bool:
    """Return whether lines are fenced as code."""
    return any(_FENCE.match(row) or _OPENED.match(row) for row in head.split(b"\n"))


def take_off_fences(lines: Lines) -> Lines:
    """Yield the lines without code fences, also where text stands on the fence's own line."""
    for text, span in lines:
        if b"```" in text or text.startswith(b"~~~"):
            if _FENCE.match(text):
                continue
            text = _CLOSED.sub(b"", _OPENED.sub(b"", text))
        yield text, span


def _common(rows: list[bytes], allowed: bytes) -> bytes:
    """Return what all rows begin with, as far as it is made of allowed bytes."""
    low, high = min(rows, default=b""), max(rows, default=b"")
    length = next((at for at, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
    return low[: length - len(low[:length].lstrip(allowed))]


def common_indentation(head: bytes) -> bytes | None:
    """Return the blanks that every line begins with, where a traceback's head stands right behind them."""
    rows = [row for row in head.split(b"\n") if row.strip()]
    blanks = _common(rows, b" \t")
    deep = len(blanks) >= 2 or blanks == b"\t"
    return blanks if deep and any(row.startswith(blanks + b"Traceback (most") for row in rows) else None


def take_off_indentation(lines: Lines, blanks: bytes) -> Lines:
    """Yield the lines without the blanks that all begin with."""
    for text, span in lines:
        yield text.removeprefix(blanks), span


_NUMBERED = lazy(rb"(?s)[ \t]*(\d{1,6})(?!\d)(.*)")
_SEPARATORS = b" \t:.|)"


def number_separator(head: bytes) -> bytes | None:
    """Return what stands between number and text where every line is numbered in order."""
    rows = [row.rstrip(b"\r") for row in head.split(b"\n") if row.strip()]
    found = [match for row in rows if (match := _NUMBERED.match(row))]
    if len(found) < 3 or len(found) < len(rows) or not _FAULT.search(head):
        return None
    first = int(found[0][1])
    if any(int(match[1]) != number for number, match in enumerate(found, first)):
        return None
    rests = [match[2] for match in found if match[2].strip(_SEPARATORS)]
    return _common(rests, _SEPARATORS) or None


def take_off_numbers(lines: Lines, separator: bytes) -> Lines:
    """Yield the lines without their numbers."""
    for text, span in lines:
        match = _NUMBERED.match(text)
        if match is None:
            yield text, span
        else:
            rest = match[2]
            yield (rest[len(separator) :] if rest.startswith(separator) else rest.lstrip(_SEPARATORS)), span
