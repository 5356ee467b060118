"""The width of text on a screen, and its breaking into lines, also where characters stand without spaces."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import east_asian_width

from errtriage.lazy_regex import lazy

_WIDE = lazy(r"[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]")
_WORDS = lazy(r"\S+\s*|\s+")
# What a line may not begin with, and what it may not end with (the usual rules of Chinese typesetting).
_NOT_FIRST = frozenset("，。；：、！？）」』】》〉”’…—%,.;:!?)]}")
_NOT_LAST = frozenset("（「『【《〈“‘([{")


def columns(text: str) -> int:
    """Return how many columns of a screen a text takes: two for each wide character."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def padded(text: str, width: int) -> str:
    """Return a text with spaces behind it up to a width in columns."""
    return text + " " * (width - columns(text))


def folded(text: str, width: int) -> list[str]:
    """Return the lines of a text, none of them wider than so many columns; a word longer than a line is broken."""
    return [line for part in text.split("\n") for line in _lines(part, width)]


def _lines(text: str, width: int) -> Iterator[str]:
    line, used = "", 0
    for part in _parts(text):
        size = columns(part.rstrip())
        if line and used + size > width:
            yield line.rstrip()
            line, used = "", 0
            part = part.lstrip()
        while size > width:  # a word longer than a line is broken anywhere
            head = beginning(part, width)
            yield head
            part = part[len(head) :]
            size = columns(part.rstrip())
        line += part
        used += columns(part)
    yield line.rstrip()


def beginning(text: str, width: int) -> str:
    """Return the start of a text that fits into so many columns, one character at least."""
    at, used = 0, 0
    while at < len(text) and (used := used + columns(text[at])) <= width:
        at += 1
    return text[: max(1, at)]


def _parts(text: str) -> Iterator[str]:
    """Yield the parts that no line break may divide: words, and wide characters with the marks that belong to them."""
    if text.isascii() or not _WIDE.search(text):
        yield from _WORDS.findall(text)
        return
    part = ""
    for char in text:
        if part and _may_break(part[-1], char):
            yield part
            part = ""
        part += char
    if part:
        yield part


def _may_break(before: str, after: str) -> bool:
    if after == " " or after in _NOT_FIRST or before in _NOT_LAST:
        return False
    return before == " " or bool(_WIDE.match(before) or _WIDE.match(after))
