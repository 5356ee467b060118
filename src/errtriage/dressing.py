"""Takes off what a paste, a notebook or a log collector put around the lines of a log, keeping raw line numbers."""

from __future__ import annotations

from collections.abc import Iterator

from errtriage.windows import Window


def undress(windows: Iterator[Window]) -> Iterator[Window]:
    """Yield the windows as they are, or windows of lines without their dressing."""
    yield from windows
