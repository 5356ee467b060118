"""Segments, the pieces of a window between two line ends: where they are, whole or without their digits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from errtriage.scan.wanted import DIGITS, Wanted
from errtriage.sources.windows import count_newlines

_ONE_END = bytes(10 if byte == 13 else byte for byte in range(256))  # translates \r to \n
_NEAR = 16  # segments that are stepped over one by one
Segment = tuple[int, int]  # start and end in the window, without the line end
# A byte of a literal, and the literals of which the segment must hold one; none where the literal surely stands there.
Place = tuple[int, tuple[bytes, ...]]


def segments_of(data: bytes) -> list[bytes]:
    """Return all segments of a window."""
    return (data.translate(_ONE_END) if b"\r" in data else data).split(b"\n")


def skeletons_of(data: bytes) -> list[bytes]:
    """Return all segments of a window without their digits."""
    return data.translate(_ONE_END if b"\r" in data else None, DIGITS).split(b"\n")


def next_end(data: bytes, start: int) -> int:
    """Return where the segment ends that `start` lies in: the place of its line end, or the end of the data."""
    stop = data.find(b"\n", start)
    stop = len(data) if stop < 0 else stop
    cut = data.find(b"\r", start, stop)
    return stop if cut < 0 else cut


def segments_at(data: bytes, places: Iterable[Place], wanted: Wanted) -> list[Segment]:
    """Return the segments around places where literals stand, in order."""
    found: dict[int, Segment] = {}
    for at, unsure in places:
        line = data.rfind(b"\n", 0, at) + 1
        start = max(line, data.rfind(b"\r", line, at) + 1)
        if start not in found:
            stop = next_end(data, at)
            if not unsure or wanted.holds(data[start:stop], unsure):
                found[start] = (start, stop)
    return sorted(found.values())


def numbered(data: bytes, count: int, numbers: Iterable[int]) -> Iterator[Segment]:
    """Yield where the segments of these ascending numbers stand in a window of `count` segments.

    The line ends before them are counted, as that costs a quarter of cutting the window into its segments.
    """
    data = data.translate(_ONE_END) if b"\r" in data else data
    at = passed = 0  # where the segment starts before which so many have passed
    for number in numbers:
        while passed < number:
            step = (len(data) - at) // (count - passed) * (number - passed) * 7 // 8  # a little short of the place
            ends = count_newlines(data, at, at + step) if number - passed > _NEAR else 0
            while ends > number - passed:
                step //= 2
                ends = count_newlines(data, at, at + step)
            at = (data.rfind(b"\n", at, at + step) if ends else data.find(b"\n", at)) + 1
            passed += ends or 1
        stop = data.find(b"\n", at)
        yield at, len(data) if stop < 0 else stop


def first_hit(segment: bytes, wanted: Wanted) -> int:
    """Return where the first wanted literal of a long segment starts, 0 where it holds none."""
    places = [segment.find(literal) for literal in wanted.all]
    return min((place for place in places if place >= 0), default=0)
