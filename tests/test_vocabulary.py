"""The closed lists of the vocabulary are those that the engine works with."""

from __future__ import annotations

from collections import defaultdict

from errtriage import vocabulary
from errtriage.patterns import PATTERNS, all_patterns
from errtriage.reading import read
from errtriage.readings import CONDITIONS
from errtriage.scan import Wanted
from errtriage.series.tests import TESTS
from errtriage.source_check.rules import RULES
from errtriage.sources import from_text


def test_every_field_that_patterns_make_can_be_named() -> None:
    """No example of a pattern gives an event of a kind, or with a field, that entries could not match on."""
    wanted = Wanted.of({literal for row in all_patterns().rows for literal in row.literals}, all_patterns().rows)
    strange: dict[str, set[str]] = defaultdict(set)
    kinds = set()
    for example in (example for pattern in PATTERNS for example in pattern.examples):
        for attempt in read([from_text("log", example)], wanted, frozenset()).attempts:
            for group in attempt.groups:
                kinds.add(group.event.kind)
                strange[group.event.kind] |= set(group.event.fields) - set(vocabulary.EVENT_FIELDS[group.event.kind])
    assert {kind: fields for kind, fields in strange.items() if fields} == {}
    assert len(kinds) > len(vocabulary.EVENT_FIELDS) / 2


def test_the_tests_on_series_are_those_of_the_engine() -> None:
    """Each test that an entry may name is there, and each that is there may be named."""
    assert set(vocabulary.SERIES_TESTS) == set(TESTS)


def test_the_kinds_of_conditions_are_those_of_the_engine() -> None:
    """Each kind of condition that an entry may use is read."""
    assert set(vocabulary.CONDITIONS) == set(CONDITIONS)


def test_sure_fields_are_fields() -> None:
    """What every event of a kind has is among the fields of that kind."""
    for kind, fields in vocabulary.SURE_FIELDS.items():
        assert set(fields) <= set(vocabulary.EVENT_FIELDS[kind])


def test_the_lint_rules_are_those_of_the_engine() -> None:
    """Each rule that an entry may name is there, and each that is there may be named."""
    assert set(vocabulary.LINT_RULES) == {rule.id for rule in RULES}
