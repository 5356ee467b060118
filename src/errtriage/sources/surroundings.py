"""The lines around each piece of evidence, read again from the log for the renderings that show them."""

from __future__ import annotations

from collections.abc import Iterable

from errtriage.lines import plain_text, segments
from errtriage.model import Evidence, Report
from errtriage.sources import Source
from errtriage.sources.windows import Window
from errtriage.values import replace

BEFORE, AFTER = 4, 3  # lines of context
_LONGEST_BLOCK = 30  # lines of a traceback or table that are shown
_LONGEST = 300  # characters of one line that are kept
_MOST_BYTES = 1 << 30  # of one source: what stands further on is quoted without its surroundings


def with_surroundings(report: Report, sources: Iterable[Source]) -> Report:
    """Return the report with numbered lines around its evidence.

    `sources` are those of the report, opened anew; one that can not be read a second time (a pipe) may be left out.
    """
    wanted: dict[str, set[int]] = {}
    for one in report.explanations:
        for item in one.evidence:
            wanted.setdefault(item.source, set()).update(_around(item))
    found = {source.name: _lines(source, wanted[source.name]) for source in sources if source.name in wanted}
    explanations = tuple(
        replace(one, evidence=tuple(_surrounded(item, found.get(item.source, {})) for item in one.evidence))
        for one in report.explanations
    )
    return replace(report, explanations=explanations)


def _around(item: Evidence) -> range:
    """Return the numbers of the lines to show: those of one block with what stands before and after it."""
    last = item.last_line if item.count == 1 else item.line
    return range(item.line - BEFORE, min(last, item.line + _LONGEST_BLOCK) + AFTER + 1)


def _surrounded(item: Evidence, lines: dict[int, str]) -> Evidence:
    context = tuple((at, lines[at]) for at in _around(item) if at in lines)
    return replace(item, context=context) if item.line in lines else item


def _lines(source: Source, wanted: set[int]) -> dict[int, str]:
    """Return the wanted lines of a source by their number, as a terminal would show them."""
    found: dict[int, str] = {}
    last = max(wanted)
    for window in source.windows():
        if window.first_line > last or window.offset > _MOST_BYTES:
            break
        if window.spans is not None or any(window.first_line <= at <= _last_of(window) for at in wanted):
            found.update(_of_window(window, wanted))
    return found


def _last_of(window: Window) -> int:
    return window.first_line + window.newlines


def _of_window(window: Window, wanted: set[int]) -> dict[int, str]:
    found: dict[int, str] = {}
    for at, raw in enumerate(window.data.split(b"\n")):
        if window.spans is None:
            number = window.first_line + at
        elif at < len(window.spans):
            number = window.spans[at].first
        else:
            break
        if number in wanted and raw.strip():
            found[number] = plain_text(segments(raw)[-1][: 8 * _LONGEST]).rstrip()[:_LONGEST]
    return found
