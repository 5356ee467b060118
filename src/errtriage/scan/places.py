"""Places in a window: their lines, and what of a progress bar stands there."""

from __future__ import annotations

from errtriage.lines import MOST_SEGMENTS
from errtriage.model import Span
from errtriage.scan.segments import next_end
from errtriage.sources.windows import Window, count_newlines

_FIRST_STATES = 4  # of a progress bar that are read where all lines are; of MOST_SEGMENTS, the others are its last ones


class Places:
    """Tells the lines of places in a window; cheap where the places ascend."""

    def __init__(self, window: Window) -> None:
        """Take the window."""
        self.window = window
        self.data = window.data
        self._at = 0
        self._newlines = 0
        self._line = (0, 0)  # a place that was asked for, and where its line starts

    def line_start(self, start: int) -> int:
        """Return where the line starts that a place stands on."""
        at, first = self._line if self._line[0] <= start else (0, 0)
        first = self.data.rfind(b"\n", at, start) + 1 or first
        self._line = (start, first)
        return first

    def span(self, start: int) -> Span:
        """Return the line that a place stands on."""
        if start < self._at:
            self._at = self._newlines = 0
        if len(self.data) - start < start - self._at:  # nearer to the end, up to which all are counted
            self._newlines = self.window.newlines - count_newlines(self.data, start)
        else:
            self._newlines += count_newlines(self.data, self._at, start)
        self._at = start
        spans = self.window.spans
        if spans is not None:
            return spans[min(self._newlines, len(spans) - 1)]
        line = self.window.first_line + self._newlines
        return Span(first=line, last=line)


def is_between_ends(data: bytes, start: int, stop: int) -> bool:
    """Return whether a segment is but the nothing beside a carriage return, and no blank line."""
    if start < stop:
        return False
    after_return = start > 0 and data[start - 1] == 13
    before_return = data[stop : stop + 1] == b"\r" and data[stop + 1 : stop + 2] != b"\n"
    return after_return or before_return


def middle_of_bar(data: bytes, start: int) -> range:
    """Return where the middle states of a progress bar stand on the line that starts here, if it has that many."""
    end = data.find(b"\n", start)
    end = len(data) if end < 0 else end
    if data.count(b"\r", start, end) < MOST_SEGMENTS:
        return range(0)
    low, high = start, end
    for _ in range(_FIRST_STATES):
        low = next_end(data, low) + 1
    for _ in range(MOST_SEGMENTS - _FIRST_STATES):
        high = data.rfind(b"\r", low, high)
    return range(low, max(low, high + 1))
