"""Entries on trial: their own examples must be answered by them, near misses must not, and no regex may be slow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from errtriage.errors import KnowledgeError
from errtriage.knowledge.data import example_log
from errtriage.knowledge.regex_checks import SLOW, slowest
from errtriage.model import DerivedMatch, Entry, EventMatch

if TYPE_CHECKING:
    from errtriage.knowledge import Knowledge
    from errtriage.reading import Attempt
    from errtriage.scan.wanted import Wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """An example of one entry that fits another entry too, and how many characters each pins down."""

    entry: str
    example: int
    other: str
    own: float
    theirs: float


def read_log(log: str, knowledge: Knowledge) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the kinds of a log's events, and the ids of the entries that it hits, in the order of their first hit."""
    from errtriage import ranks
    from errtriage.matcher import hits_of_series, match
    from errtriage.model import Facts

    kinds: set[str] = set()
    found: list[str] = []
    for attempt in _attempts(log, knowledge):
        of_series = hits_of_series(attempt.series, knowledge, Facts())
        hits = match(attempt.groups, of_series, knowledge, ranks.derive(attempt.groups))
        found += [hit.entry.id for hit in hits]
        kinds |= {group.event.kind for group in attempt.groups}
    return frozenset(kinds), tuple(dict.fromkeys(found))


def _attempts(log: str, knowledge: Knowledge) -> Sequence[Attempt]:
    from errtriage.reading import read
    from errtriage.sources import from_text

    return read([from_text("log", log + "\n")], _wanted(knowledge), knowledge.literals).attempts


@lru_cache(maxsize=2)
def _wanted(knowledge: Knowledge) -> Wanted:
    from errtriage.triage import wanted

    return wanted(knowledge)


def overlaps(entry: Entry, knowledge: Knowledge) -> Iterator[Overlap]:
    """Yield the other entries that fit a group of one of the entry's own examples, beside the entry itself."""
    from errtriage.matcher import hits_of_group

    for index, example in enumerate(examples_of(entry)[0]):
        for attempt in _attempts(example_log(example), knowledge):
            for group in attempt.groups:
                fit = {hit.entry.id: hit.specificity for hit in hits_of_group(group, knowledge)}
                own = fit.pop(entry.id, None)
                for other, theirs in fit.items() if own is not None else ():
                    yield Overlap(entry=entry.id, example=index, other=other, own=own or 0.0, theirs=theirs)


def undeclared(overlap: Overlap, knowledge: Knowledge) -> bool:
    """Whether two entries fit a text equally well, and neither says that it leads to the other."""
    if overlap.own > overlap.theirs:
        return False
    entries = knowledge.entry(overlap.entry), knowledge.entry(overlap.other)
    return not any(_leads(one, other) for one, other in (entries, entries[::-1]))


def _leads(cause: Entry, effect: Entry) -> bool:
    return any(link.target in (effect.tags if link.tag else (effect.id,)) for link in cause.leads_to)


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
    """Return the examples of an entry, out of its file (the compiled form leaves them out): matches, near misses.

    Raises KnowledgeError where the file has gone, or was broken, since it was loaded.
    """
    from errtriage.knowledge import read_yaml

    file = Path(entry.origin)
    try:
        examples = read_yaml(file)["examples"]
    except (OSError, ValueError) as error:
        raise KnowledgeError([f"{file.name}: {getattr(error, 'strerror', None) or error}"]) from None
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
