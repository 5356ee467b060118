"""Segments, the pieces of a window between two line ends: where they are, whole or without their digits."""

from __future__ import annotations

from collections.abc import Iterable

from errtriage.scan.wanted import DIGITS, Wanted

_ONE_END = bytes(10 if byte == 13 else byte for byte in range(256))  # translates \r to \n
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


def first_hit(segment: bytes, wanted: Wanted) -> int:
    """Return where the first wanted literal of a long segment starts, 0 where it holds none."""
    places = [segment.find(literal) for literal in wanted.all]
    return min((place for place in places if place >= 0), default=0)
