"""What a scan looks for: literals that pick lines, values that are not finite, and fields that become ranges."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from errtriage.values import dataclass

if TYPE_CHECKING:
    from errtriage.patterns.base import Pattern

DIGITS = b"0123456789"
# Blanks all but ASCII letters and newlines: the words of other scripts are not parted by blanks, so they are no words.
LETTERS = bytes(byte if byte == 10 or (byte < 128 and chr(byte).isalpha()) else 32 for byte in range(256))

Spans = Mapping[str, tuple[int, int]]  # field to start and end in a text

_BEFORE_NUMBER = b" \t=:([,'\"|>-+m\x9a"  # m ends a colour code, \x9a a full-width colon
_WORDS = (b"nan", b"NaN", b"NAN", b"inf", b"Inf", b"INF", b"infinity", b"Infinity")
NUMBER_LITERALS = frozenset(bytes([before]) + word for before in _BEFORE_NUMBER for word in _WORDS)
_NONFINITE = re.compile(
    rb"(?:[\s=:(\[,'\"|>]|\x1b\[[\d;]{0,12}m|\xef\xbc\x9a)[-+]?(?:nan|NaN|NAN|[iI]nf(?:inity)?|INF)(?![A-Za-z0-9_])"
)


def is_nonfinite(segment: bytes) -> bool:
    """Return whether a raw segment holds nan or inf as a value, not as a part of a word."""
    return _NONFINITE.search(segment) is not None


def holds(segment: bytes, literals: Iterable[bytes]) -> bool:
    """Return whether a segment holds one of the literals; those of numbers count where the number is not finite."""
    return any(literal in segment and (literal not in NUMBER_LITERALS or is_nonfinite(segment)) for literal in literals)


@dataclass(frozen=True)
class Wanted:
    """What a scan looks for.

    `literals` pick lines (UTF-8; one with a line end picks none); with `nonfinite` a value of nan or inf does, too.
    `ranged` says of a cleaned line where the fields stand whose values become ranges: None where it has none, nothing
    where it has several of each and must be read by itself.
    """

    literals: frozenset[bytes]
    nonfinite: bool = True
    ranged: Callable[[str], Spans | None] | None = None

    @classmethod
    def of(cls, literals: Iterable[str], patterns: Iterable[Pattern] = ()) -> Wanted:
        """Want the given literals, and what ranged fields the patterns have."""
        return cls(frozenset(literal.encode() for literal in literals), ranged=Ranged(patterns))

    @cached_property
    def all(self) -> tuple[bytes, ...]:
        """All literals that an engine looks for, those of numbers included."""
        usable = {literal for literal in self.literals if literal and not {10, 13} & set(literal)}
        return tuple(sorted(usable | (NUMBER_LITERALS if self.nonfinite else frozenset())))


class Ranged:
    """Names the ranged fields of a cleaned line by the patterns that have some."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        """Take any patterns; those without ranged fields do not count."""
        from errtriage.patterns.base import LinePattern

        lines = [pattern for pattern in patterns if isinstance(pattern, LinePattern) and pattern.ranged]
        self._patterns = [(pattern.literals, pattern.regex, pattern.ranged) for pattern in lines]

    def __call__(self, text: str) -> Spans | None:
        """Return where the ranged fields stand: None where no pattern claims the line, nothing where several do."""
        spans: Spans | None = None
        for literals, regex, fields in self._patterns:
            if not any(literal in text for literal in literals):
                continue
            for match in re.finditer(regex, text):
                if spans is not None:
                    return {}
                named = match.groupdict()
                spans = {name: match.span(name) for name in fields if named.get(name) is not None}
        return spans
