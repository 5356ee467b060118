r"""Engines: each finds, in the raw bytes of a window, the segments that hold a wanted literal.

A segment is what stands between two line ends, `\n` or `\r`. Both engines find the same segments: hyperscan looks for
the literals themselves; the standard library alone looks at each line without its digits once, as log lines differ
in little else.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from errtriage.values import dataclass
from errtriage.wanted import DIGITS, LETTERS, NUMBER_LITERALS, Wanted, holds
from errtriage.words import Words

DENSE = 64  # segments of one window from which on they are looked at in bulk
FAST_FROM = 8_000_000  # bytes from which on hyperscan earns its start of some 20 ms
VARIABLE = "ERRTRIAGE_ENGINE"  # auto, skeleton or hyperscan

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Dense:
    """A window in which many segments hold a literal: all its segments, and each without its digits."""

    segments: list[bytes]
    skeletons: list[bytes]
    hot: Mapping[bytes, tuple[bytes, ...]]  # skeletons that can hold a literal, with those literals


Found = list[Segment] | Dense


class Engine(Protocol):
    """Finds the segments of a window that hold a wanted literal."""

    name: str

    def find(self, data: bytes) -> Found:
        """Return the segments in the order of the window."""


def first_hit(segment: bytes, wanted: Wanted) -> int:
    """Return where the first wanted literal of a long segment starts, 0 where it holds none."""
    places = [segment.find(literal) for literal in wanted.all]
    return min((place for place in places if place >= 0), default=0)


class SkeletonEngine:
    """The standard library's engine: a line without its digits is looked at once, however often it comes.

    Where most lines are new ones, as in text, the words of the whole window are looked at instead.
    """

    name = "skeleton"

    def __init__(self, wanted: Wanted) -> None:
        """Take what to look for."""
        self._index = Words(wanted.all, closed=NUMBER_LITERALS)
        self._cold: set[bytes] = set()
        self._hot: dict[bytes, tuple[bytes, ...]] = {}
        self._bytes = 0  # of what is remembered
        self._strange = 0  # windows, of the last ones, in which most lines were new
        self._by_words = 0  # windows to come that are looked at by their words

    def find(self, data: bytes) -> Found:
        """Return the segments in the order of the window, or `Dense` where they are many."""
        if self._by_words:
            self._by_words -= 1
            found = segments_at(data, self._places(data), most=DENSE)
            if len(found) < DENSE:
                return found
        return self._find_by_skeletons(data)

    def _places(self, data: bytes) -> Iterator[Place]:
        """Yield where wanted literals stand in a window."""
        for bare in self._index.suspects(set(data.translate(LETTERS, DIGITS).split()), data, bare=False):
            for literal in self._index.raw[bare]:
                unsure = (literal,) if literal in NUMBER_LITERALS else ()
                at = data.find(literal)
                while at >= 0:
                    yield at, unsure
                    at = data.find(literal, next_end(data, at))

    def _find_by_skeletons(self, data: bytes) -> Found:
        skeletons = skeletons_of(data)
        hot = self.hot(set(skeletons))
        if not hot:
            return []
        segments = segments_of(data)
        found, start = [], 0
        for segment, skeleton in zip(segments, skeletons, strict=True):
            if skeleton in hot and holds(segment, hot[skeleton]):
                found.append((start, start + len(segment)))
                if len(found) == DENSE:
                    return Dense(segments=segments, skeletons=skeletons, hot=hot)
            start += len(segment) + 1
        return found

    def hot(self, skeletons: set[bytes]) -> dict[bytes, tuple[bytes, ...]]:
        """Return those skeletons that can hold a literal, each with the literals that it can hold."""
        new = skeletons - self._cold
        hot = {skeleton: self._hot[skeleton] for skeleton in new & self._hot.keys()}
        new -= hot.keys()
        self._strange = self._strange + 1 if 2 * len(new) > len(skeletons) > _FEW_LINES else 0
        if self._strange == _STRANGE:
            self._strange, self._by_words = 0, _BY_WORDS
        if new:
            hot.update(self._learn(new))
        return hot

    def _learn(self, new: set[bytes]) -> dict[bytes, tuple[bytes, ...]]:
        text = b"\n".join(new)
        present = self._index.suspects(set(text.translate(LETTERS).split()), text, bare=True)
        hot = {}
        for skeleton in new if present else ():
            literals = tuple(raw for bare in present if bare in skeleton for raw in self._index.raw[bare])
            if literals:
                hot[skeleton] = literals
        if self._bytes > _MOST_BYTES:
            self._cold.clear()
            self._hot.clear()
            self._bytes = 0
        kept = {skeleton for skeleton in new if len(skeleton) <= _LONGEST}
        self._hot.update((skeleton, hot[skeleton]) for skeleton in kept & hot.keys())
        self._cold |= kept - hot.keys()
        self._bytes += min(len(text), _LONGEST * len(kept)) + _OVERHEAD * len(kept)
        return hot


_MOST_BYTES = 16_000_000  # of skeletons that are remembered, with the overhead of an object each
_OVERHEAD = 100
_LONGEST = 2_000  # bytes of a skeleton that is remembered
_STRANGE = 4  # windows of mostly new lines after which words are looked at
_BY_WORDS = 64  # windows until skeletons are tried again
_FEW_LINES = 100  # a window of so few lines says nothing about how new lines are


def segments_at(data: bytes, places: Iterable[Place], *, most: int) -> list[Segment]:
    """Return the segments around places where literals stand, in order; at `most` that many."""
    found: dict[int, Segment] = {}
    for at, unsure in places:
        line = data.rfind(b"\n", 0, at) + 1
        start = max(line, data.rfind(b"\r", line, at) + 1)
        stop = next_end(data, at)
        if start not in found and (not unsure or holds(data[start:stop], unsure)):
            found[start] = (start, stop)
            if len(found) == most:
                break
    return sorted(found.values())


_PIECE = 16  # bytes of a literal that hyperscan is given: its compiler is slow on long ones


class HyperscanEngine:
    """The engine of the extra `fast`: all literals at once, by vector instructions."""

    name = "hyperscan"

    def __init__(self, wanted: Wanted) -> None:
        """Take what to look for. Raises ImportError where hyperscan is missing or does not run on this machine."""
        try:
            import hyperscan
        except Exception as error:  # a wheel for another processor can raise anything
            raise ImportError(f"hyperscan: {error}") from error
        self._halted: type[Exception] = hyperscan.ScanTerminated
        self._skeletons = SkeletonEngine(wanted)
        pieces: dict[bytes, list[bytes]] = {}
        for literal in wanted.all:
            pieces.setdefault(literal[:_PIECE], []).append(literal)
        self._unsure = [
            () if any(one == piece and one not in NUMBER_LITERALS for one in literals) else tuple(literals)
            for piece, literals in pieces.items()
        ]
        self._database: Any = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        try:
            self._database.compile(
                expressions=list(pieces), ids=list(range(len(pieces))), elements=len(pieces), flags=0, literal=True
            )
        except hyperscan.HyperscanError as error:
            raise ImportError(f"hyperscan: {error}") from error

    def find(self, data: bytes) -> Found:
        """Return the segments in the order of the window; where many places hold a literal, look as skeletons."""
        ends: list[tuple[int, int]] = []

        def hit(number: int, _start: int, end: int, _flags: int, _context: object) -> bool:
            ends.append((end, number))
            return len(ends) >= DENSE

        try:
            self._database.scan(data, match_event_handler=hit)
        except self._halted:
            return self._skeletons.find(data)
        return segments_at(data, ((end - 1, self._unsure[number]) for end, number in ends), most=DENSE)


def next_end(data: bytes, start: int) -> int:
    """Return where the segment ends that `start` lies in: the place of its line end, or the end of the data."""
    stop = data.find(b"\n", start)
    stop = len(data) if stop < 0 else stop
    cut = data.find(b"\r", start, stop)
    return stop if cut < 0 else cut


def engine(wanted: Wanted, size: int | None) -> Engine:
    """Return the engine for that many bytes (None: not known, few so far), or the one that the environment asks for.

    Raises ImportError where `hyperscan` is asked for and missing.
    """
    asked = os.environ.get(VARIABLE, "auto")
    if asked == HyperscanEngine.name:
        return HyperscanEngine(wanted)
    if asked == SkeletonEngine.name or size is None or size < FAST_FROM:
        return SkeletonEngine(wanted)
    try:
        return HyperscanEngine(wanted)
    except ImportError:
        return SkeletonEngine(wanted)
