"""What a scan looks for: literals that pick lines, values that are not finite, and fields that become ranges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from errtriage import TYPE_CHECKING
from errtriage.lazy_regex import escaped, lazy
from errtriage.regex_store import compiled
from errtriage.values import dataclass, field

if TYPE_CHECKING:
    import re

    from errtriage.patterns.table import Row

DIGITS = b"0123456789"
# Blanks all but ASCII letters and newlines: the words of other scripts are not parted by blanks, so they are no words.
LETTERS = bytes(byte if byte == 10 or (byte < 128 and chr(byte).isalpha()) else 32 for byte in range(256))

Spans = Mapping[str, tuple[int, int]]  # field to start and end in a text

_BEFORE_NUMBER = b" \t=:([,'\"|>-+m\x9a"  # m ends a colour code, \x9a a full-width colon
_WORDS = (b"nan", b"NaN", b"NAN", b"inf", b"Inf", b"INF", b"infinity", b"Infinity")
NUMBER_LITERALS = frozenset(bytes([before]) + word for before in _BEFORE_NUMBER for word in _WORDS)
_NONFINITE = lazy(
    rb"(?:[\s=:(\[,'\"|>]|\x1b\[[\d;]{0,12}m|\xef\xbc\x9a)[-+]?(?:nan|NaN|NAN|[iI]nf(?:inity)?|INF)(?![A-Za-z0-9_])"
)

_DIGIT = lazy(rb"\\d(?:\{\d+\})?")
_NO_DIGIT = lazy(rb"(?:[A-Za-z :]|\[[A-Za-z]+\])*")


def is_nonfinite(segment: bytes) -> bool:
    """Return whether a raw segment holds nan or inf as a value, not as a part of a word."""
    return _NONFINITE.search(segment) is not None


@dataclass(frozen=True)
class Wanted:
    """What a scan looks for.

    `literals` pick lines (UTF-8; one with a line end picks none), and so do `guarded` ones where their guard, a regex,
    stands shortly before; with `nonfinite` a value of nan or inf does, too. Of the lines that hold one of `latest` only
    the last one of a window is picked.

    `ranged` says of a cleaned line where the fields stand whose values become ranges: None where it has none, nothing
    where it has several of each and must be read by itself; `bulk` are those of the literals that such lines hold,
    `parting` those of lines that can part one run from the next, `sampled` (without their digits) those of lines that
    are looked for in a sample alone.
    """

    literals: frozenset[bytes]
    nonfinite: bool = True
    ranged: Callable[[str], Spans | None] | None = None
    guarded: Mapping[bytes, bytes] = field(default_factory=dict)  # literal to guard
    latest: frozenset[bytes] = frozenset()
    bulk: frozenset[bytes] = frozenset()
    parting: frozenset[bytes] = frozenset()
    sampled: frozenset[bytes] = frozenset()

    @classmethod
    def of(cls, literals: Iterable[str], rows: Iterable[Row] = ()) -> Wanted:
        """Want the given literals and what the patterns of a table want; sampled ones want nothing by themselves."""
        rows = tuple(rows)
        plain = {one for row in rows if not (row.sampled or row.latest or row.guard) for one in row.literals}
        latest = {one for row in rows if row.latest for one in row.literals} - plain
        guarded = {one: row.guard for row in rows if row.guard for one in row.literals}
        picking = plain.union(literals) - latest
        return cls(
            literals=_encoded(picking),
            ranged=Ranged(rows),
            guarded={one.encode(): guard.encode() for one, guard in guarded.items() if one not in picking},
            latest=_encoded(latest),
            bulk=_encoded(one for row in rows if row.ranged for one in row.literals),
            parting=_encoded(one for row in rows if row.kind == "attempt" for one in row.literals),
            sampled=frozenset(
                one.encode().translate(None, DIGITS) for row in rows if row.sampled for one in row.literals
            ),
        )

    @cached_property
    def all(self) -> tuple[bytes, ...]:
        """All literals that an engine looks for, guarded ones and those of numbers among them."""
        numbers = NUMBER_LITERALS if self.nonfinite else frozenset[bytes]()
        everything = self.literals | self.latest | self.guarded.keys() | numbers
        return tuple(sorted(one for one in everything if one and b"\n" not in one and b"\r" not in one))

    @cached_property
    def checks(self) -> Mapping[bytes, re.Pattern[bytes]]:
        """The regexes that decide whether a literal that does not pick by itself does so in a segment."""
        guards = {one: compiled(behind(guard, escaped(one))) for one, guard in self.guarded.items()}
        return dict.fromkeys(NUMBER_LITERALS - self.literals - self.latest, _NONFINITE) | guards

    @cached_property
    def bare_checks(self) -> Mapping[bytes, re.Pattern[bytes]]:
        """The regexes that a segment without its digits matches, too, where the literal picks it by its check."""
        guards = {one: without_digits(guard) for one, guard in self.guarded.items()}
        bare = {
            one: compiled(behind(guard, escaped(one.translate(None, DIGITS))))
            for one, guard in guards.items()
            if guard is not None
        }
        return dict.fromkeys(NUMBER_LITERALS - self.literals - self.latest, _NONFINITE) | bare

    def holds(self, segment: bytes, literals: Iterable[bytes]) -> bool:
        """Return whether a segment holds one of these literals, guarded ones behind their guards."""
        for literal in literals:
            check = self.checks.get(literal)
            if literal in segment if check is None else check.search(segment) is not None:
                return True
        return False


def behind(guard: bytes, literal: bytes) -> bytes:
    """Return a regex for a literal (a regex, too) with its guard shortly before it."""
    return guard + rb"[^\r\n]{0,80}" + literal


def without_digits(guard: bytes) -> bytes | None:
    """Return what a guard matches when the digits are taken out of a text; None where the guard is too involved."""
    bare = _DIGIT.sub(b"", guard)
    return bare if _NO_DIGIT.fullmatch(bare) else None


def _encoded(texts: Iterable[str]) -> frozenset[bytes]:
    return frozenset(text.encode() for text in texts)


class Ranged:
    """Names the ranged fields of a cleaned line by the patterns that have some."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """Take rows of any patterns; those without ranged fields do not count."""
        self._patterns = [(row.literals, row.regex, row.ranged) for row in rows if row.ranged]

    def __call__(self, text: str) -> Spans | None:
        """Return where the ranged fields stand: None where no pattern claims the line, nothing where several do."""
        spans: Spans | None = None
        for literals, regex, fields in self._patterns:
            if not any(literal in text for literal in literals):
                continue
            for match in compiled(regex).finditer(text):
                if spans is not None:
                    return {}
                named = match.groupdict()
                spans = {name: match.span(name) for name in fields if named.get(name) is not None}
        return spans
