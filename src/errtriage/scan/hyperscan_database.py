"""What hyperscan looks for: as few expressions as pick the same lines, compiled once and kept for later runs."""

from __future__ import annotations

from errtriage import TYPE_CHECKING, user_cache
from errtriage.scan.wanted import NUMBER_LITERALS, Wanted, behind

if TYPE_CHECKING:
    from typing import Any

# What an expression's number says of it: that of values that are not finite, or the first one of its kind. Each has a
# number of its own, as hyperscan looks for places to report but once where two share theirs.
NUMBER, PLAIN, BULK, LATEST = 0, 1, 1_000_000, 2_000_000

# What holds all values that are not finite, and a little more.
_NUMBER = rb"(?:[^A-Za-z0-9_]|\x1b\[[0-9;]{0,12}m)(?:nan|NaN|NAN|inf|Inf|INF|infinity|Infinity)[^A-Za-z0-9_]"
_FILE = "hyperscan.marshal"
_FORMAT = 2  # raise when other expressions are made of the same literals
_MANY = 200  # literals from which on reading a compiled database is faster than compiling it


def database(wanted: Wanted) -> tuple[Any, type[Exception]]:
    """Return the compiled database of what is wanted, and what its scan raises where it is told to end.

    Raises ImportError where hyperscan is missing or does not run on this machine.
    """
    try:
        import hyperscan

        key = [_FORMAT, *_told(wanted)]
        stored = user_cache.read(_FILE, key) if len(wanted.all) >= _MANY else None
        return _restored(stored) or _compiled(wanted, key), hyperscan.ScanTerminated
    except Exception as error:  # a wheel for another processor can raise anything
        raise ImportError(f"hyperscan: {error}") from error


def latest_literals(wanted: Wanted) -> list[bytes]:
    """Return the latest literals in the order of their numbers."""
    return sorted(wanted.latest.intersection(wanted.all))


def _told(wanted: Wanted) -> list[Any]:
    """Return all that the expressions follow from, as plain data."""
    return [list(wanted.all), sorted(wanted.guarded.items()), sorted(wanted.latest), sorted(wanted.bulk)]


def _restored(stored: bytes | None) -> Any:
    import hyperscan

    if stored is None:
        return None
    try:
        found = hyperscan.loadb(stored, hyperscan.HS_MODE_BLOCK)
        found.scratch = hyperscan.Scratch(found)
    except hyperscan.error:  # of another version or processor (a home folder can be shared)
        return None
    return found


def _compiled(wanted: Wanted, key: list[Any]) -> Any:
    import hyperscan

    expressions = _expressions(wanted)
    made = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    made.compile(
        expressions=list(expressions),
        ids=list(expressions.values()),
        elements=len(expressions),
        # Where the first one stands is enough to find the last one in the window.
        flags=[hyperscan.HS_FLAG_SINGLEMATCH if number >= LATEST else 0 for number in expressions.values()],
    )
    if len(wanted.all) >= _MANY:
        user_cache.write(_FILE, key, hyperscan.dumpb(made))
    return made


def _expressions(wanted: Wanted) -> dict[bytes, int]:
    """Return regexes with their numbers; a literal that holds another picking one needs none of its own."""
    special = wanted.checks.keys() | wanted.latest | wanted.bulk
    plain = {literal for literal in wanted.all if literal not in special}
    kinds = {
        PLAIN: [
            *map(_escaped, sorted(plain - _holding_others(plain))),
            *(behind(guard, _escaped(one)) for one, guard in sorted(wanted.guarded.items()) if one in wanted.checks),
        ],
        BULK: map(_escaped, sorted(wanted.bulk.intersection(wanted.all))),
        LATEST: map(_escaped, latest_literals(wanted)),
        NUMBER: [_NUMBER] if wanted.nonfinite and not NUMBER_LITERALS.isdisjoint(wanted.checks) else [],
    }
    return {one: number for first, kind in kinds.items() for number, one in enumerate(kind, first)}


def _holding_others(literals: set[bytes]) -> set[bytes]:
    """Return the literals that hold another one (of three bytes or more)."""
    beginning: dict[bytes, list[bytes]] = {}
    for one in literals:
        beginning.setdefault(one[:3], []).append(one)
    return {
        one
        for one in literals
        for at in range(len(one) - 2)
        for other in beginning.get(one[at : at + 3], ())
        if other is not one and one.startswith(other, at)
    }


def _escaped(literal: bytes) -> bytes:
    return b"".join(bytes([byte]) if chr(byte).isalnum() and byte < 128 else b"\\x%02x" % byte for byte in literal)
