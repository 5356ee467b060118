"""Leaves out the reports that errtriage itself printed into a log, so that they are not read as part of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from errtriage.model import Span
from errtriage.sources.windows import LARGE, WINDOW, Window

STARTS = "errtriage report"  # how the first line of our plain and terminal reports begins
ENDS = "end of errtriage report"  # their last line
BOUND = WINDOW  # bytes after which a report without its last line counts as log again
_MOST_PREFIX = 160  # bytes of prefixes and colours before the first line

_STARTS, _ENDS = STARTS.encode(), ENDS.encode()


@lru_cache(maxsize=1)
def _finder() -> Callable[[bytes, bytes], int] | None:
    try:
        from stringzilla import find
    except ImportError:
        return None
    found: Callable[[bytes, bytes], int] = find
    return found


def without_reports(windows: Iterable[Window]) -> Iterator[Window]:
    """Yield the windows without our reports; windows that hold none pass as they are."""
    left = 0  # bytes that the report which is being skipped may still have; 0 outside of reports
    for window in windows:
        at, size = 0, len(window.data)
        kept = 0
        while at < size:
            if not left:
                start = _report_start(window.data, at)
                if start < 0:
                    break
                if start > kept:
                    yield window.part(kept, start)
                at, left = start, BOUND
            end = _report_end(window.data, at, at + left)
            left = 0 if end >= 0 else left - (size - at)
            at = kept = end if end >= 0 else size
        if kept == 0:
            yield window
        elif kept < size:
            yield window.part(kept, size)


def _find(data: bytes, start: int) -> int:
    if not start and len(data) >= LARGE and (finder := _finder()) is not None:
        return finder(data, _STARTS)
    return data.find(_STARTS, start)


def _report_start(data: bytes, start: int) -> int:
    """Return where the line begins that opens a report of ours, or -1."""
    at = start
    while (at := _find(data, at)) >= 0:
        begin = data.rfind(b"\n", start, at) + 1 or start
        if at - begin <= _MOST_PREFIX and _opens_report(data[begin : at + len(_STARTS)]):
            return begin
        at += len(_STARTS)
    return -1


def _opens_report(line: bytes) -> bool:
    from errtriage import lines

    return lines.clean_one(line, Span(first=1, last=1)).text == STARTS


def _report_end(data: bytes, start: int, bound: int) -> int:
    """Return where the line after a report begins, at the latest after `bound`, or -1 where the report goes on."""
    at = data.find(_ENDS, start, bound)
    if at < 0 and bound >= len(data):
        return -1
    return data.find(b"\n", at if at >= 0 else bound) + 1 or len(data)
