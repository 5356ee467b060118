"""Takes off what Windows PowerShell 5.1 puts around a program's standard error under `2>&1`: blocks and wrapped lines.

The first line of standard error becomes the message of an error record, with its place and category below; every line
is wrapped at the console's width. https://learn.microsoft.com/powershell (about_Redirection, NativeCommandError)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import pairwise

from errtriage.lazy_regex import lazy
from errtriage.model import Span

Lines = Iterator[tuple[bytes, Span]]

_AHEAD = 14  # lines that a block of an error record may take
_WIDTHS = frozenset({79, 80, 99, 100, 119, 120, 149, 150, 159, 160, 199, 200, 209, 210, 236, 237})
_LEAST_WIDTH = 60
_MOST_JOINED = 200  # lines that can be pieces of one
_HEADER = lazy(rb"[\w.\\/:\-]{1,200} ?: (?=\S)")
_BLOCK = lazy(rb"\s*\+ CategoryInfo")
_BLOCK_END = lazy(rb"\s*\+ FullyQualifiedErrorId")
# A frame of a traceback that can not end here, also where an editor took the blanks at line ends away.
_OPEN_FRAME = lazy(rb'\s*File "(?:[^"]*|[^"]*"(?:,(?: line(?: \d+,?(?: in)?)?)?)?)\s*$')
_NOT_JOINED = lazy(rb"\s*\+ |\s*$|At (?:line|.{1,260}\.ps1):\d+")


def width(head: bytes) -> int:
    """Return the width at which lines are wrapped, 0 where none are."""
    rows = [row.rstrip(b"\r").decode("utf-8", "replace") for row in head.split(b"\n")]
    pairs = [(row, following) for row, following in pairwise(rows) if _may_join(following.encode())]
    lengths = {len(row) for row, _ in pairs if len(row) >= _LEAST_WIDTH}
    best, most = 0, 0
    usual = {size for size in _WIDTHS if lengths and size <= max(lengths) + 40}
    for size in sorted(lengths | usual):
        count = sum(_is_wrapped(row, following, size) for row, following in pairs)
        if count > most or (count == most and size in _WIDTHS and best not in _WIDTHS):
            best, most = size, count
    return best if most >= 2 or (most == 1 and best in _WIDTHS) else 0


def _may_join(following: bytes) -> bool:
    return not _NOT_JOINED.match(following)


def _is_wrapped(row: str, following: str, width: int) -> bool:
    """Return whether a line was broken at `width`: in the middle of a word, or behind the last word that had room."""
    if not width:
        return False
    if len(row) == width:
        return True
    if not row.endswith(" ") or len(row) > width + 1 or following[:1].isspace():
        return False
    word, blank, _ = following.partition(" ")
    return len(row) + len(word + blank) > width


def take_off(lines: Lines, width: int) -> Lines:
    """Yield the lines of the program, wrapped ones joined, without the records' blocks."""
    ahead: deque[tuple[bytes, Span]] = deque()
    ends = 0  # lines ahead that can end a record's block
    for item in _joined(lines, width):
        ahead.append(item)
        ends += b"+ FullyQualifiedErrorId" in item[0]
        while len(ahead) > _AHEAD:
            if ends:
                yield from _next(ahead)
                ends = sum(b"+ FullyQualifiedErrorId" in text for text, _ in ahead)
            else:
                yield ahead.popleft()
    while ahead:
        yield from _next(ahead)


def _next(ahead: deque[tuple[bytes, Span]]) -> Lines:
    """Yield the first line, or the message of the error record that begins with it."""
    rows = [text for text, _ in ahead]
    header = _HEADER.match(rows[0])
    begin = next((at for at, row in enumerate(rows) if row.startswith(b"+ ") or _BLOCK.match(row)), None)
    end = next((at for at, row in enumerate(rows) if _BLOCK_END.match(row)), None)
    category = any(_BLOCK.match(row) for row in rows[: end or 0])
    if begin is None or end is None or not category or begin > end or (header is None and begin > 1):
        yield ahead.popleft()
        return
    for at in range(end + 1):
        text, span = ahead.popleft()
        if at < max(begin - 1, 1 if header else 0):  # the line before the block names the place
            yield (text[header.end() :] if header and at == 0 else text), span
    if ahead and not ahead[0][0].strip():
        ahead.popleft()


def _joined(lines: Lines, width: int) -> Lines:
    """Yield the lines with those that the console's width (0: unknown) broke put together again."""
    held: tuple[bytes, Span] | None = None
    last = ""  # the latest piece of what is held
    for raw, span in lines:
        text = raw.decode("utf-8", "replace")
        short = held is not None and span.last - held[1].first < _MOST_JOINED
        open_frame = held is not None and short and _OPEN_FRAME.match(held[0]) is not None
        if held is not None and short and _may_join(raw) and (open_frame or _is_wrapped(last, text, width)):
            lost = open_frame and held[0].endswith((b",", b" line", b" in")) and not raw.startswith(b" ")
            blank = b" " if lost else b""
            held = (held[0] + blank + raw, Span(first=held[1].first, last=span.last))
        else:
            if held is not None:
                yield held
            held = (raw, span)
        last = text
    if held is not None:
        yield held
