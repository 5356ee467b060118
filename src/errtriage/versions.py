"""Versions as the log prints them against ranges such as `>=2.0,<2.5`."""

from __future__ import annotations

from errtriage.lazy_regex import lazy
from errtriage.regex_store import compiled

_CLAUSE = lazy(r"\s*(==|!=|<=|>=|<|>)?\s*(\d[\w.]*)\s*$")


def release(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version: `2.13.0+cu121` gives (2, 13, 0)."""
    found = compiled(r"\D{0,3}(\d+(?:\.\d+)*)").match(version)
    return tuple(int(part) for part in found[1].split(".")) if found else ()


def satisfies(version: str, wanted: str) -> bool:
    """Return whether a version lies in a range; clauses are parted by commas, a bare number means equal so far."""
    known = release(version)
    return bool(known) and all(_clause_holds(known, clause) for clause in wanted.split(","))


def _clause_holds(known: tuple[int, ...], clause: str) -> bool:
    found = _CLAUSE.match(clause)
    if not found:
        return False
    sign, bound = found[1] or "==", release(found[2])
    cut = known[: len(bound)] + (0,) * (len(bound) - len(known))
    return {
        "==": cut == bound,
        "!=": cut != bound,
        "<": cut < bound,
        "<=": cut <= bound,
        ">": cut > bound,
        ">=": cut >= bound,
    }[sign]
