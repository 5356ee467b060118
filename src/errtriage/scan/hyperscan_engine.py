"""The engine of the extra `fast`: hyperscan looks for all literals at once."""

from __future__ import annotations

from typing import Any

from errtriage.scan.engines import DENSE, Dense, Found, SkeletonEngine
from errtriage.scan.segments import Place, segments_at
from errtriage.scan.wanted import NUMBER_LITERALS, Wanted, behind

_PIECE = 16  # bytes of a literal that hyperscan is given: its compiler is slow on long ones
_MANY = 2048  # places in one window from which on skeletons are faster
# What holds all values that are not finite, and a little more.
_NUMBER = rb"(?:[^A-Za-z0-9_]|\x1b\[[0-9;]{0,12}m)(?:nan|NaN|NAN|inf|Inf|INF|infinity|Infinity)[^A-Za-z0-9_]"


class HyperscanEngine:
    """Finds what the literals stand in by vector instructions; dense windows are left to skeletons."""

    name = "hyperscan"

    def __init__(self, wanted: Wanted) -> None:
        """Take what to look for. Raises ImportError where hyperscan is missing or does not run on this machine."""
        try:
            import hyperscan
        except Exception as error:  # a wheel for another processor can raise anything
            raise ImportError(f"hyperscan: {error}") from error
        self._halted: type[Exception] = hyperscan.ScanTerminated
        self._wanted = wanted
        self._skeletons = SkeletonEngine(wanted)
        self._was_dense = False
        bulk, other, latest = _expressions(wanted)
        self._unsure = [*bulk.values(), *other.values(), *latest.values()]
        self._bulk, self._other = len(bulk), len(bulk) + len(other)  # numbers of expressions below which they are such
        expressions = [*bulk, *other, *latest]
        self._database: Any = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        try:
            self._database.compile(
                expressions=expressions, ids=list(range(len(expressions))), elements=len(expressions), flags=0
            )
        except hyperscan.HyperscanError as error:
            raise ImportError(f"hyperscan: {error}") from error

    def find(self, data: bytes) -> Found:
        """Return the segments in the order of the window; where many places hold a literal, look as skeletons."""
        if self._was_dense:
            found = self._skeletons.find(data)
            self._was_dense = isinstance(found, Dense)
            return found
        places: list[Place] = []
        latest = -1
        bulk = 0

        def hit(number: int, _start: int, end: int, _flags: int, _context: object) -> bool:
            nonlocal latest, bulk
            if number >= self._other:
                latest = end
                return False
            bulk += number < self._bulk
            places.append((end - 1, self._unsure[number]))
            return bulk >= DENSE or len(places) >= _MANY

        try:
            self._database.scan(data if data.endswith(b"\n") else data + b"\n", match_event_handler=hit)
        except self._halted:
            self._was_dense = True  # dense windows come in rows
            return self._skeletons.find(data)
        if latest >= 0:
            places.append((latest - 1, ()))
        return segments_at(data, places, self._wanted) if places else []


Expressions = dict[bytes, tuple[bytes, ...]]


def _expressions(wanted: Wanted) -> tuple[Expressions, Expressions, Expressions]:
    """Return regexes for lines to count in bulk, for others and for latest ones, each with what is left to check."""
    bulk: Expressions = {}
    other: Expressions = {}
    latest: Expressions = {}
    unsure: dict[bytes, list[bytes]] = {}
    for literal in wanted.all:
        check = wanted.checks.get(literal)
        if literal in wanted.latest:
            latest[_escaped(literal)] = ()
        elif check is not None and literal in NUMBER_LITERALS:
            other[_NUMBER] = (literal,)
        elif check is not None:
            other[behind(wanted.guarded[literal], _escaped(literal))] = ()
        elif literal in wanted.bulk:
            bulk[_escaped(literal)] = ()
        else:
            unsure.setdefault(literal[:_PIECE], []).append(literal)
    for piece, literals in unsure.items():
        other[_escaped(piece)] = () if piece in literals else tuple(literals)
    return bulk, other, latest


def _escaped(literal: bytes) -> bytes:
    return b"".join(bytes([byte]) if chr(byte).isalnum() and byte < 128 else b"\\x%02x" % byte for byte in literal)
