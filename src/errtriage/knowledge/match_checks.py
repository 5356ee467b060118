"""The checks of what an entry matches on and of the conditions of its causes, and the names that its texts may use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from errtriage.knowledge.literals import SHORTEST, picking
from errtriage.knowledge.regex_checks import mistakes, sure_groups
from errtriage.templates import STAND_INS, holes
from errtriage.vocabulary import (
    COMPARISONS,
    CONDITIONS,
    COUNT_FACTS,
    DERIVED,
    EVENT_FIELDS,
    FACTS,
    LINT_RULES,
    PLACES,
    RANGE_BOUNDS,
    RANGED_FIELDS,
    SERIES_PARAMETERS,
    SERIES_TESTS,
    SERIES_VALUES,
    SURE_FIELDS,
    SURE_SERIES_VALUES,
)

if TYPE_CHECKING:
    from errtriage.knowledge.checks import Trail

_FACT = re.compile(r"(?:>=|<=|==|!=|<|>)?\s*[\w.+-]+(?:\s*,\s*(?:>=|<=|==|!=|<|>)\s*[\w.+-]+)*")


class Names:
    """The names that the texts of an entry may hold, gathered from its matches."""

    def __init__(self) -> None:
        self.possible: set[str] = {*FACTS, *PLACES}
        self.fields: set[str] = set()
        self._sure: set[str] | None = None

    @property
    def sure(self) -> set[str]:
        """The names that every match gives."""
        return {"count", *STAND_INS} | (self._sure or set())

    def add(self, possible: set[str], sure: set[str], fields: set[str]) -> None:
        """Take the names of one more match."""
        self.possible |= possible
        self.fields |= fields
        self._sure = sure if self._sure is None else self._sure & sure


def check_match(place: Trail, item: Any, names: Names) -> None:
    """Check one item of `match`, and gather the names that it gives."""
    if not place.mapping(item):
        return
    kinds = [key for key in ("event", "metric", "derived", "source") if key in item]
    if len(kinds) != 1:
        place.say("needs exactly one of 'event', 'metric', 'derived', 'source'")
        return
    _MATCHES[kinds[0]](place, item, names)


def _check_event(place: Trail, item: Mapping[str, Any], names: Names) -> None:
    place.keys(item, ("event", "where"), ("unless",))
    kind = item["event"]
    if kind not in EVENT_FIELDS:
        place.at("event").choice(kind, tuple(EVENT_FIELDS))
        return
    fields = set(EVENT_FIELDS[kind])
    where = item.get("where", {})
    captured, sure = _check_regexes(place.at("where"), where, EVENT_FIELDS[kind], least=1)
    _check_regexes(place.at("unless"), item.get("unless", {}), EVENT_FIELDS[kind])
    if kind == "text" and isinstance(where, dict):
        for field, pattern in where.items():
            check_picking(place.at("where").at(field), pattern)
    always = set(SURE_FIELDS.get(kind, ())) | (set(where) if isinstance(where, dict) else set())
    names.add(fields | captured, always | sure, fields)


def _check_metric(place: Trail, item: Mapping[str, Any], names: Names) -> None:
    place.keys(item, ("metric", "test"), ("with", *SERIES_PARAMETERS))
    place.at("metric").text(item["metric"])
    place.at("test").choice(item.get("test"), tuple(SERIES_TESTS))
    if "with" in item:
        place.at("with").text(item["with"])
    names.add(set(SERIES_VALUES), {*SURE_SERIES_VALUES, *SERIES_TESTS.get(str(item.get("test")), ())}, set())


def _check_derived(place: Trail, item: Mapping[str, Any], names: Names) -> None:
    place.keys(item, ("derived",), ("where",))
    if item["derived"] not in DERIVED:
        place.at("derived").choice(item["derived"], tuple(DERIVED))
        return
    fields = DERIVED[item["derived"]]
    captured, sure = _check_regexes(place.at("where"), item.get("where", {}), fields)
    names.add(set(fields) | captured, set(item.get("where", {})) | sure, set(fields))


def _check_source(place: Trail, item: Mapping[str, Any], names: Names) -> None:
    place.keys(item, ("source",))
    _check_rule(place.at("source"), item["source"])
    names.add(set(), set(), set())


_MATCHES = {"event": _check_event, "metric": _check_metric, "derived": _check_derived, "source": _check_source}


def _check_regexes(place: Trail, value: Any, fields: tuple[str, ...], *, least: int = 0) -> tuple[set[str], set[str]]:
    """Check a mapping from fields to regexes; return all named groups, and those that every match fills."""
    captured: set[str] = set()
    sure: set[str] = set()
    if not place.mapping(value):
        return captured, sure
    if len(value) < least:
        place.say("must name at least one field")
    for field, pattern in value.items():
        if field not in fields:
            place.at(field).say(f"unknown field; known are {', '.join(fields)}")
        if check_regex(place.at(field), pattern):
            captured |= set(re.compile(pattern).groupindex)
            sure |= sure_groups(pattern)
    return captured, sure


def check_regex(place: Trail, pattern: Any) -> bool:
    """Return whether a regex compiles; note its mistakes."""
    if not isinstance(pattern, str):
        return place.text(pattern)
    found = mistakes(pattern)
    for mistake in found:
        place.say(mistake)
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def check_picking(place: Trail, pattern: Any) -> None:
    """Note a mistake where a regex holds no literal that can pick its lines."""
    if isinstance(pattern, str) and not mistakes(pattern) and not picking(pattern):
        place.say(f"holds no literal of at least {SHORTEST} bytes that could pick its lines")


def check_condition(place: Trail, item: Any, names: Names) -> None:
    """Check one condition of a cause."""
    if not place.mapping(item):
        return
    kinds = [key for key in item if key in CONDITIONS]
    place.keys(item, (), ("because", *CONDITIONS))
    if len(kinds) != 1:
        place.say(f"needs exactly one of {', '.join(CONDITIONS)}")
        return
    if "because" in item:
        place.at("because").text(item["because"])
    _CONDITIONS[kinds[0]](place.at(kinds[0]), item[kinds[0]], names)


def _check_field(place: Trail, value: Any, names: Names) -> None:
    _check_regexes(place, value, tuple(sorted(names.fields)), least=1)


def _check_compare(place: Trail, value: Any, names: Names) -> None:
    if not place.mapping(value):
        return
    place.keys(value, ("left", "op", "right"))
    place.at("op").choice(value.get("op", "=="), COMPARISONS)
    for side in ("left", "right"):
        expression = value.get(side, 0)
        if isinstance(expression, (int, float)):
            continue
        parts = list(holes("{" + str(expression) + "}", clauses=False))
        if not parts:
            place.at(side).say(f"{expression!r} is no number, name or sum of them")
        for hole, _ in parts:
            for name in hole.names:
                if name not in names.possible:
                    place.at(side).say(f"unknown name {name!r}")


def _check_pattern(place: Trail, value: Any, names: Names) -> None:  # noqa: ARG001 - one shape for all kinds
    check_regex(place, value)


def _check_entry(place: Trail, value: Any, names: Names) -> None:  # noqa: ARG001
    place.text(value)


def _check_range(place: Trail, value: Any, names: Names) -> None:  # noqa: ARG001
    if not place.mapping(value):
        return
    for field, bounds in value.items():
        place.at(field).choice(field, RANGED_FIELDS)
        if not place.at(field).mapping(bounds):
            continue
        place.at(field).keys(bounds, (), RANGE_BOUNDS)
        for bound, limit in bounds.items():
            numbers = limit if isinstance(limit, list) else [limit]
            if not all(isinstance(number, int) for number in numbers):
                place.at(field).at(bound).say("must be a whole number or a list of them")


def _check_series(place: Trail, value: Any, names: Names) -> None:  # noqa: ARG001
    if not place.mapping(value):
        return
    place.keys(value, ("name", "test"), ("with", *SERIES_PARAMETERS))
    place.at("name").text(value.get("name"))
    place.at("test").choice(value.get("test"), tuple(SERIES_TESTS))


def _check_fact(place: Trail, value: Any, names: Names) -> None:  # noqa: ARG001
    if not place.mapping(value):
        return
    for fact, wanted in value.items():
        if fact not in FACTS:
            place.at(fact).say(f"unknown fact; known are {', '.join(FACTS)}")
        elif fact in COUNT_FACTS and isinstance(wanted, int):
            continue
        elif not isinstance(wanted, str) or not _FACT.fullmatch(wanted):
            place.at(fact).say("must be a rule such as '>=2.0' (quote it)")


def _check_rule(place: Trail, value: Any, names: Names | None = None) -> None:  # noqa: ARG001
    place.choice(value, LINT_RULES)


_CONDITIONS = {
    "field": _check_field,
    "compare": _check_compare,
    "frame": _check_pattern,
    "log": _check_pattern,
    "entry": _check_entry,
    "range": _check_range,
    "metric": _check_series,
    "fact": _check_fact,
    "lint": _check_rule,
}
