"""Sources to what a report is made from: groups, series, facts and progress, attempt by attempt, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from errtriage.collapse import Collapser
from errtriage.facts import FactBook
from errtriage.model import Event, Facts, Group, Series, SourceInfo
from errtriage.parse import Parser
from errtriage.progress import Progress, ProgressBook
from errtriage.scan import Wanted, scan
from errtriage.series import SeriesBook
from errtriage.sources import Source

_ATTEMPTS_KEPT = 64  # earlier attempts beyond these are counted and not told


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One run of the program within the log."""

    number: int
    groups: tuple[Group, ...]
    series: tuple[Series, ...]
    progress: Progress
    facts: Facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """All that was read, attempts in the order of the log."""

    attempts: tuple[Attempt, ...]
    sources: tuple[SourceInfo, ...]
    order: Mapping[str, int] = field(default_factory=dict)
    events: int = 0
    cut: tuple[str, ...] = ()
    engine: str = ""


class _AttemptBook:
    """Collects the events of one attempt."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.collapser = Collapser()
        self.series = SeriesBook()
        self.progress = ProgressBook()
        self.facts = FactBook()

    def add(self, event: Event) -> None:
        if event.kind == "metric":
            self.series.add(event)
            self.progress.add(event)
        elif event.kind == "progress":
            self.progress.add(event)
        elif event.kind == "environment":
            self.facts.add(event)
        else:
            self.collapser.add(event)
        self.facts.learn(event)

    def attempt(self, attempts: int) -> Attempt:
        progress = self.progress.progress()
        return Attempt(
            number=self.number,
            groups=self.collapser.groups(),
            series=self.series.series(),
            progress=progress,
            facts=self.facts.facts(progress, attempts),
        )


def read(sources: Iterable[Source], wanted: Wanted, text_literals: Iterable[str]) -> Reading:
    """Scan, parse and collapse all sources as one job."""
    literals = tuple(text_literals)
    books: dict[int, _AttemptBook] = {}
    infos: list[SourceInfo] = []
    order: dict[str, int] = {}
    events = 0
    cuts: list[str] = []
    for source in sources:
        order.setdefault(source.name, len(order))
        number = 0
        for event in _events(source, wanted, literals):
            events += 1
            if event.kind == "attempt":
                number = min(number + 1, _ATTEMPTS_KEPT)
            book = books.setdefault(number, _AttemptBook(number))
            book.add(replace(event, attempt=number) if number else event)
        infos.append(source.info())
    cuts += [cut for book in books.values() for cut in book.collapser.cut]
    numbers = sorted(books)
    return Reading(
        attempts=tuple(books[number].attempt(len(numbers)) for number in numbers) or (_AttemptBook(0).attempt(1),),
        sources=tuple(infos),
        order=order,
        events=events,
        cut=tuple(dict.fromkeys(cuts)),
    )


def _events(source: Source, wanted: Wanted, text_literals: tuple[str, ...]) -> Iterable[Event]:
    parser = Parser(text_literals=text_literals)
    for line in scan(source, wanted, hungry=lambda: parser.hungry):
        yield from parser.feed(line)
    yield from parser.close()
