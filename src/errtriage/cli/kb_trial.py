"""Entries on trial: their own examples must be answered by them, near misses must not, and no regex may be slow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from errtriage.knowledge_data import example_log
from errtriage.model import DerivedMatch, Entry, EventMatch
from errtriage.regex_checks import SLOW, slowest

if TYPE_CHECKING:
    from errtriage.knowledge import Knowledge


def read_log(log: str, knowledge: Knowledge) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the kinds of a log's events, and the ids of the entries that it hits, in the order of their first hit."""
    from errtriage import ranks
    from errtriage.matcher import match
    from errtriage.reading import read
    from errtriage.sources import from_text
    from errtriage.triage import wanted

    reading = read([from_text("log", log + "\n")], wanted(knowledge), knowledge.literals)
    kinds: set[str] = set()
    found: list[str] = []
    for attempt in reading.attempts:
        hits = match(attempt.groups, attempt.series, knowledge, ranks.derive(attempt.groups))
        found += [hit.entry.id for hit in hits]
        kinds |= {group.event.kind for group in attempt.groups}
    return frozenset(kinds), tuple(dict.fromkeys(found))


def hits_of(log: str, knowledge: Knowledge) -> tuple[str, ...]:
    """Return the ids of the entries that a log hits, before any ranking."""
    return read_log(log, knowledge)[1]


def mistakes_of_examples(entry: Entry, knowledge: Knowledge) -> Iterator[str]:
    """Yield a trail for each example that the entry does not answer, and for each near miss that it does."""
    file = Path(entry.origin).name
    examples = examples_of(entry)
    for index, example in enumerate(examples[0]):
        hits = hits_of(example_log(example), knowledge)
        if entry.id not in hits:
            seen = f"it hits {', '.join(hits)}" if hits else "it hits nothing"
            yield f"{file} > examples > match[{index}]: is not hit: {seen}"
    for index, example in enumerate(examples[1]):
        if entry.id in hits_of(example_log(example), knowledge):
            yield f"{file} > examples > ignore[{index}]: is hit"


def examples_of(entry: Entry) -> tuple[tuple[object, ...], tuple[object, ...]]:
    """Return the examples of an entry, out of its file (the compiled form leaves them out): matches, near misses."""
    from errtriage.knowledge import read_yaml

    examples = read_yaml(Path(entry.origin))["examples"]
    return tuple(examples["match"]), tuple(examples["ignore"])


def slow_regexes(entry: Entry) -> Iterator[str]:
    """Yield a trail for each regex of an entry that a hostile text makes slow."""
    file = Path(entry.origin).name
    for trail, pattern in regexes_of(entry):
        seconds = slowest(pattern)
        if seconds > SLOW:
            yield f"{file} > {trail}: takes {seconds:.2f} s on a hostile text; bound its repeats"


def regexes_of(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield every regex of an entry with its trail."""
    for index, item in enumerate(entry.match):
        if isinstance(item, (EventMatch, DerivedMatch)):
            for field, pattern in item.where.items():
                yield f"match[{index}] > where > {field}", pattern
        if isinstance(item, EventMatch):
            for field, pattern in item.unless.items():
                yield f"match[{index}] > unless > {field}", pattern
    for number, cause in enumerate(entry.causes):
        for index, condition in enumerate(cause.when):
            trail = f"causes[{number}] > when[{index}] > {condition.kind}"
            if condition.kind in ("frame", "log"):
                yield trail, condition.value
            elif condition.kind == "field":
                yield from ((f"{trail} > {field}", pattern) for field, pattern in condition.value.items())
