r"""Engines: each finds, in the raw bytes of a window, the segments that hold a wanted literal.

A segment is what stands between two line ends, `\n` or `\r`. Both engines find the same segments: hyperscan looks for
the literals themselves; the standard library alone looks at each line without its digits once, as log lines differ
in little else.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import compress, count

from errtriage import TYPE_CHECKING
from errtriage.errors import ErrtriageError
from errtriage.scan.beginnings import Beginnings
from errtriage.scan.segments import Place, Segment, next_end, numbered, segments_at, segments_of, skeletons_of
from errtriage.scan.wanted import DIGITS, LETTERS, NUMBER_LITERALS, Wanted
from errtriage.scan.words import Words
from errtriage.values import dataclass

if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object


DENSE = 64  # segments of one window with a literal of ranged lines, from which on it is looked at in bulk
FAST_FROM = 8_000_000  # bytes from which on hyperscan earns its start of some 20 ms
VARIABLE = "ERRTRIAGE_ENGINE"
_ENGINES = ("auto", "skeleton", "hyperscan")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hot:
    """What a skeleton can hold: literals that pick lines (those of ranged lines again as `bulk`), and latest ones."""

    picking: tuple[bytes, ...]
    bulk: tuple[bytes, ...]
    latest: tuple[bytes, ...]
    digits: bool  # whether all that pick hold digits, which the skeleton does not show

    def can_pick(self, data: bytes) -> bool:
        """Return whether lines of this skeleton in a window can hold a literal that picks."""
        return any(literal in data for literal in self.picking) if self.digits else bool(self.picking)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dense:
    """A window in which many segments can be counted in bulk: all its segments, and each without its digits."""

    segments: list[bytes]
    skeletons: list[bytes]
    hot: Mapping[bytes, Hot]  # skeletons that can hold a literal
    latest: int | None  # position of the last segment that holds one of the latest literals


Found = list[Segment] | Dense


class Engine(Protocol):
    """Finds the segments of a window that hold a wanted literal."""

    name: str

    def find(self, data: bytes) -> Found:
        """Return the segments in the order of the window."""


class SkeletonEngine:
    """The standard library's engine: a line without its digits is looked at once, however often it comes.

    Where most lines are new ones, as in text, the words of the whole window are looked at instead.
    """

    name = "skeleton"

    def __init__(self, wanted: Wanted) -> None:
        """Take what to look for."""
        self._wanted = wanted
        self._beginnings = Beginnings(wanted.all)
        self._few = _FEW_BYTES
        self._cold: set[bytes] = set()
        self._hot: dict[bytes, Hot] = {}
        self._bytes = 0  # of what is remembered
        self._strange = 0  # windows, of the last ones, in which most lines were new
        self._by_words = 0  # windows to come that are looked at by their words

    @cached_property
    def _index(self) -> Words:
        return Words(self._wanted.all, closed=NUMBER_LITERALS - self._wanted.literals)

    def find(self, data: bytes) -> Found:
        """Return the segments in the order of the window, or `Dense` where many are ones to count in bulk."""
        if self._by_words:
            self._by_words -= 1
            suspects = [
                literal
                for bare in self._index.suspects(set(data.translate(LETTERS, DIGITS).split()), data, bare=False)
                for literal in self._index.raw[bare]
            ]
            if sum(data.count(literal) for literal in suspects if literal in self._wanted.bulk) < DENSE:
                return segments_at(data, self._places(data, self._shortest(suspects)), self._wanted)
        return self._find_by_skeletons(data)

    def _shortest(self, literals: list[bytes]) -> list[bytes]:
        """Return the literals without those that hold another one which picks by itself: its places are theirs."""
        special = self._wanted.latest | self._wanted.checks.keys()
        kept: list[bytes] = []
        for literal in sorted(literals, key=len):
            if literal in special or not any(one in literal for one in kept if one not in special):
                kept.append(literal)
        return kept

    def _places(self, data: bytes, literals: list[bytes]) -> Iterator[Place]:
        """Yield where literals stand in a window."""
        latest = _last_place(data, (literal for literal in literals if literal in self._wanted.latest))
        if latest >= 0:
            yield latest, ()
        for literal in literals:
            if literal not in self._wanted.latest:
                unsure = (literal,) if literal in self._wanted.checks else ()
                at = data.find(literal)
                while at >= 0:
                    yield at, unsure
                    at = data.find(literal, next_end(data, at))

    def _find_by_skeletons(self, data: bytes) -> Found:
        skeletons = skeletons_of(data)
        hot = self.hot(skeletons)
        if not hot:
            return []
        found: list[Segment] = []
        latest = _last_place(data, {literal for told in hot.values() for literal in told.latest})
        if latest >= 0:
            found = segments_at(data, [(latest, ())], self._wanted)
        picking = {skeleton: told for skeleton, told in hot.items() if told.can_pick(data)}
        numbers = [*compress(count(), map(picking.__contains__, skeletons))]
        dense = DENSE
        for number, (start, stop) in zip(numbers, numbered(data, len(skeletons), numbers), strict=True):
            told, segment = picking[skeletons[number]], data[start:stop]
            if self._wanted.holds(segment, told.picking):
                found.append((start, stop))
                dense -= bool(told.bulk) and self._wanted.holds(segment, told.bulk)
                if not dense:
                    number = data.count(b"\n", 0, latest) + data.count(b"\r", 0, latest)
                    return Dense(
                        segments=segments_of(data),
                        skeletons=skeletons,
                        hot=hot,
                        latest=number if latest >= 0 else None,
                    )
        return sorted(set(found))

    def hot(self, skeletons: list[bytes]) -> dict[bytes, Hot]:
        """Return those skeletons that can hold a literal, each with what it can hold."""
        different = set(skeletons)
        new = different - self._cold
        if not new:
            self._strange = 0
            return {}
        hot = {skeleton: self._hot[skeleton] for skeleton in new & self._hot.keys()}
        new -= hot.keys()
        self._strange = self._strange + 1 if 2 * len(new) > len(different) > _FEW_LINES else 0
        if self._strange == _STRANGE:
            self._strange, self._by_words = _STRANGE - 1, _BY_WORDS  # then one such window is enough
        if new:
            hot.update(self._learn(new))
        return hot

    def _learn(self, new: set[bytes]) -> dict[bytes, Hot]:
        text = b"\n".join(new)
        if len(text) <= self._few:
            self._few -= len(text)
            present = self._beginnings.held(text)
        else:
            present = self._index.suspects(set(text.translate(LETTERS).split()), text, bare=True)
        hot = {}
        for skeleton in new if present else ():
            literals = tuple(
                literal
                for bare in present
                if bare in skeleton
                for literal in self._beginnings.raw[bare]
                if self._can_pick(literal, skeleton)
            )
            if literals:
                picking = tuple(one for one in literals if one not in self._wanted.latest)
                hot[skeleton] = Hot(
                    picking=picking,
                    bulk=tuple(one for one in literals if one in self._wanted.bulk),
                    latest=tuple(one for one in literals if one in self._wanted.latest),
                    digits=all(one.translate(None, DIGITS) != one for one in picking),
                )
        if self._bytes > _MOST_BYTES:
            self._cold.clear()
            self._hot.clear()
            self._bytes = 0
        kept = {skeleton for skeleton in new if len(skeleton) <= _LONGEST}
        self._hot.update((skeleton, hot[skeleton]) for skeleton in kept & hot.keys())
        self._cold |= kept - hot.keys()
        self._bytes += min(len(text), _LONGEST * len(kept)) + _OVERHEAD * len(kept)
        return hot

    def _can_pick(self, literal: bytes, skeleton: bytes) -> bool:
        check = self._wanted.bare_checks.get(literal)
        return check is None or check.search(skeleton) is not None


def _last_place(data: bytes, literals: Iterable[bytes]) -> int:
    return max((data.rfind(literal) for literal in literals), default=-1)


_MOST_BYTES = 16_000_000  # of skeletons that are remembered, with the overhead of an object each
_OVERHEAD = 100
_FEW_BYTES = 64 * 1024  # of skeletons that are looked at before an index of words is worth making
_LONGEST = 2_000  # bytes of a skeleton that is remembered
_STRANGE = 4  # windows of mostly new lines after which words are looked at
_BY_WORDS = 64  # windows until skeletons are tried again
_FEW_LINES = 100  # a window of so few lines says nothing about how new lines are


def engine(wanted: Wanted, size: int | None) -> Engine:
    """Return the engine for that many bytes (None: not known, few so far), or the one that the environment asks for.

    Raises ImportError where `hyperscan` is asked for and missing, and ErrtriageError where there is no such engine.
    """
    asked = os.environ.get(VARIABLE) or "auto"
    if asked not in _ENGINES:
        raise ErrtriageError(f"{VARIABLE} is one of {', '.join(_ENGINES)}, not {asked!r}")
    if asked == SkeletonEngine.name or (asked == "auto" and (size is None or size < FAST_FROM)):
        return SkeletonEngine(wanted)
    try:
        from errtriage.scan.hyperscan_engine import HyperscanEngine

        return HyperscanEngine(wanted)
    except ImportError:
        if asked != "auto":
            raise
        return SkeletonEngine(wanted)
