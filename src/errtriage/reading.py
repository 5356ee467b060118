"""Sources to what a report is made from: groups, series, facts and progress, attempt by attempt, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from errtriage.collapse import Collapser
from errtriage.facts import FactBook
from errtriage.model import Event, Facts, Group, Series, SourceInfo
from errtriage.parse import Parser
from errtriage.progress import Progress, ProgressBook
from errtriage.scan import Scan, scan
from errtriage.scan.wanted import Wanted
from errtriage.series import SeriesBook
from errtriage.sources import Source
from errtriage.values import dataclass, field, replace

ATTEMPTS_KEPT = 64  # earlier attempts beyond these are counted and not told


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


class AttemptBook:
    """Collects the events of one attempt."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.collapser = Collapser()
        self.series = SeriesBook()
        self.progress = ProgressBook()
        self.facts = FactBook()

    def add(self, event: Event) -> None:
        """Take an event of the attempt."""
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

    def cut(self) -> list[str]:
        """Return the bounds that were reached."""
        return [*self.collapser.cut, *self.series.cut]

    def attempt(self, attempts: int) -> Attempt:
        """Return the attempt as far as it was read, one of so many."""
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
    books: dict[int, AttemptBook] = {}
    infos: list[SourceInfo] = []
    cuts: dict[str, None] = {}
    events, engine = 0, ""
    job = list(sources)
    for source in job:
        parser = Parser(text_literals=literals)
        scanning = scan(source, wanted, hungry=partial(getattr, parser, "hungry"))
        number = 0
        for event in _dump(source) or _events(scanning, parser):
            events += 1
            # The attempts of several logs can not be matched: they are read as one.
            if event.kind == "attempt" and len(job) == 1:
                number = min(number + 1, ATTEMPTS_KEPT)
            book = books.setdefault(number, AttemptBook(number))
            book.add(replace(event, attempt=number) if number else event)
        infos.append(source.info())
        engine = scanning.engine or engine
        cuts.update(dict.fromkeys(sorted(scanning.cuts)))
    cuts.update(dict.fromkeys(cut for book in books.values() for cut in book.cut()))
    return Reading(
        attempts=tuple(books[number].attempt(len(books)) for number in sorted(books)) or (AttemptBook(0).attempt(1),),
        sources=tuple(infos),
        order={info.name: number for number, info in enumerate(infos)},
        events=events,
        cut=tuple(cuts),
        engine=engine,
    )


def _dump(source: Source) -> tuple[Event, ...]:
    """Return the events of a flight-recorder dump; nothing where the source's name is not that of one."""
    if "_trace_" not in source.name:
        return ()
    from errtriage.ranks.flight_recorder import MOST_BYTES, is_dump, read_dump

    data = source.data(MOST_BYTES + 1) if is_dump(source.name, b"{") else b""
    return read_dump(source.name, data) if is_dump(source.name, data) else ()


def _events(scanning: Scan, parser: Parser) -> Iterator[Event]:
    for line in scanning:
        yield from parser.feed(line)
    yield from parser.close()
