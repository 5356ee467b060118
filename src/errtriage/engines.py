r"""Engines: each finds, in the raw bytes of a window, the segments that hold a wanted literal.

A segment is what stands between two line ends, `\n` or `\r`. Both engines find the same segments: hyperscan looks for
the literals themselves; the standard library alone looks at each line without its digits once, as log lines differ
in little else.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from errtriage.wanted import NUMBER_LITERALS, Wanted, holds, is_nonfinite

DENSE = 64  # segments of one window from which on they are looked at in bulk
FAST_FROM = 8_000_000  # bytes from which on hyperscan earns its start of some 20 ms
VARIABLE = "ERRTRIAGE_ENGINE"  # auto, skeleton or hyperscan

DIGITS = b"0123456789"
ONE_END = bytes(10 if byte == 13 else byte for byte in range(256))  # translates \r to \n
# Blanks all but ASCII letters and newlines: the words of other scripts are not parted by blanks, so they are no words.
_LETTERS = bytes(byte if byte == 10 or (byte < 128 and chr(byte).isalpha()) else 32 for byte in range(256))

Segment = tuple[int, int]  # start and end in the window, without the line end


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
    """The standard library's engine: a line without its digits is looked at once, however often it comes."""

    name = "skeleton"

    def __init__(self, wanted: Wanted) -> None:
        """Take what to look for."""
        self._index = _Words(wanted.all)
        self._cold: set[bytes] = set()
        self._cold_bytes = 0
        self._hot: dict[bytes, tuple[bytes, ...]] = {}

    def find(self, data: bytes) -> Found:
        """Return the segments in the order of the window, or `Dense` where they are many."""
        skeletons = data.translate(ONE_END, DIGITS).split(b"\n")
        hot = self.hot(set(skeletons))
        if not hot:
            return []
        segments = data.translate(ONE_END).split(b"\n")
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
        hot = {}
        for skeleton in new & self._hot.keys():
            hot[skeleton] = self._hot[skeleton]
        new -= hot.keys()
        if new:
            hot.update(self._learn(new))
        return hot

    def _learn(self, new: set[bytes]) -> dict[bytes, tuple[bytes, ...]]:
        if len(self._cold) + len(self._hot) > _MOST or self._cold_bytes > _MOST_BYTES:
            self._cold.clear()
            self._hot.clear()
            self._cold_bytes = 0
        text = b"\n".join(new)
        present = self._index.literals_in(text)
        hot = {}
        if present:
            for skeleton in new:
                literals = tuple(raw for bare in present if bare in skeleton for raw in self._index.raw[bare])
                if literals:
                    hot[skeleton] = literals
        kept = {skeleton for skeleton in new if len(skeleton) <= _LONGEST} if len(text) > _LONGEST else new
        self._hot.update((skeleton, hot[skeleton]) for skeleton in kept & hot.keys())
        self._cold |= kept - hot.keys()
        self._cold_bytes += len(text)
        return hot


_MOST, _MOST_BYTES = 100_000, 12_000_000  # skeletons remembered, and their bytes
_LONGEST = 2_000  # bytes of a skeleton that is remembered


class _Words:
    """Tells which literals can stand in a text by the words of the text, at a cost that does not grow with them."""

    def __init__(self, literals: Iterable[bytes]) -> None:
        """Take the literals as they stand in raw lines; texts are given without digits."""
        self.raw: dict[bytes, list[bytes]] = {}
        self._words: dict[bytes, frozenset[bytes]] = {}  # of a literal without digits: its whole words
        self._whole: dict[bytes, list[bytes]] = {}  # a whole word to the literals that it tells
        self._part: dict[bytes, list[bytes]] = {}  # a word's part likewise
        self._wordless: list[bytes] = []
        self._told: dict[bytes, tuple[bytes, ...]] = {}  # a word of a text to the literals that it tells
        for literal in literals:
            bare = literal.translate(None, DIGITS)
            if bare not in self.raw:
                self._add(bare, number=literal in NUMBER_LITERALS)
            self.raw.setdefault(bare, []).append(literal)
        self._lengths = sorted({len(part) for part in self._part})

    def _add(self, bare: bytes, *, number: bool) -> None:
        text = bare.translate(_LETTERS)
        words = text.split()
        inner = words if number else words[text[:1] not in b" \n" : len(words) - (text[-1:] not in b" \n")]
        self._words[bare] = frozenset(inner)
        if inner:
            self._whole.setdefault(max(inner, key=len), []).append(bare)
        elif words:
            self._part.setdefault(max(words, key=len), []).append(bare)
        else:
            self._wordless.append(bare)

    def literals_in(self, text: bytes) -> list[bytes]:
        """Return the literals without digits that stand in a text without digits."""
        words = set(text.translate(_LETTERS).split())
        suspects = set(self._wordless)
        new = words - self._told.keys()
        if len(new) > _TOO_MANY_WORDS:
            suspects.update(self._raw_suspects(words, text))
        else:
            if len(self._told) > _MOST:
                self._told.clear()
                new = words
            self._told.update((word, self._tell(word)) for word in new)
            suspects.update(*map(self._told.__getitem__, words))
        return [bare for bare in sorted(suspects) if self._words[bare] <= words and bare in text]

    def _raw_suspects(self, words: set[bytes], text: bytes) -> list[bytes]:
        """Return the suspects where words do not repeat (base64, say), so that telling each is not worth it."""
        whole = [bare for word in words & self._whole.keys() for bare in self._whole[word]]
        return whole + [bare for part, told in self._part.items() if part in text for bare in told]

    def _tell(self, word: bytes) -> tuple[bytes, ...]:
        told = list(self._whole.get(word, ()))
        if len(word) > _LONG_WORD:
            parts: Iterable[bytes] = (part for part in self._part if part in word)
        else:
            parts = self._part.keys() & {
                word[at : at + length] for length in self._lengths for at in range(len(word) - length + 1)
            }
        for part in parts:
            told += self._part[part]
        return tuple(told)


_TOO_MANY_WORDS = 5_000  # new words in one window
_LONG_WORD = 100


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
        literals = wanted.all
        self._database: Any = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        try:
            self._database.compile(
                expressions=literals,
                ids=[int(literal in NUMBER_LITERALS) for literal in literals],
                elements=len(literals),
                flags=0,
                literal=True,
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
        found: list[Segment] = []
        for end, number in sorted(ends):
            if found and end <= found[-1][1]:
                continue
            line = data.rfind(b"\n", 0, end) + 1
            start = max(line, data.rfind(b"\r", line, end) + 1)
            stop = next_end(data, end)
            if not number or is_nonfinite(data[start:stop]):
                found.append((start, stop))
        return found


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
