"""Sources to what a report is made from: groups, series, facts and progress, attempt by attempt, in bounded memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import chain

from errtriage import TYPE_CHECKING
from errtriage.collapse import Collapser
from errtriage.facts import FactBook
from errtriage.model import Event, Facts, Group, Series, SourceInfo
from errtriage.passes import Pass
from errtriage.progress import Progress, ProgressBook
from errtriage.scan.wanted import Wanted
from errtriage.series import SeriesBook
from errtriage.sources import Source
from errtriage.values import dataclass, field, replace

if TYPE_CHECKING:
    from errtriage.parallel.crew import Told

VARIABLE = "ERRTRIAGE_WORKERS"  # how many processes read, whatever the size; 1: never more than one
_SMALL = 4 << 20  # bytes on disk, perhaps packed, below which one process reads
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
            if event.fields.get("what") == "epoch":
                self.series.add(event)
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


def read(
    sources: Iterable[Source], wanted: Wanted, text_literals: Iterable[str], *, side_by_side: bool = False
) -> Reading:
    """Scan, parse and collapse all sources as one job.

    With `side_by_side` they may be read by processes of their own, where that is faster; the reading is the same.
    """
    literals = tuple(text_literals)
    job = list(sources)
    if side_by_side and _is_large(job):
        from errtriage.parallel.crew import LostError, hire

        crew = hire(job, wanted, literals)
        if crew is not None:
            try:
                return _collected(crew.passes(), one=len(job) == 1)
            except LostError:
                pass  # a worker was killed, or met what it could not cope with: all is read again, here
            finally:
                crew.end()
    return _collected((Pass(source, wanted, literals) for source in job), one=len(job) == 1)


def _is_large(job: Iterable[Source]) -> bool:
    """Return whether it is worth a look what workers could do: a look that a small log does without."""
    return VARIABLE in os.environ or sum(source.size or 0 for source in job) >= _SMALL


def _collected(passes: Iterable[Pass | Told], *, one: bool) -> Reading:
    """Return what the passes over all sources give; the attempts of several logs can not be matched: they are one."""
    books: dict[int, AttemptBook] = {}
    infos: list[SourceInfo] = []
    cuts: dict[str, None] = {}
    events, engine = 0, ""
    for reading in passes:
        number = 0
        for event in chain.from_iterable(reading):
            events += 1
            if event.kind == "attempt" and one:
                number = min(number + 1, ATTEMPTS_KEPT)
            book = books.get(number)
            if book is None:
                book = books[number] = AttemptBook(number)
            book.add(replace(event, attempt=number) if number else event)
        outcome = reading.outcome()
        events += outcome.unread
        infos.append(outcome.info)
        engine = outcome.engine or engine
        cuts.update(dict.fromkeys(outcome.cuts))
    cuts.update(dict.fromkeys(cut for book in books.values() for cut in book.cut()))
    return Reading(
        attempts=tuple(books[number].attempt(len(books)) for number in sorted(books)) or (AttemptBook(0).attempt(1),),
        sources=tuple(infos),
        order={info.name: number for number, info in enumerate(infos)},
        events=events,
        cut=tuple(cuts),
        engine=engine,
    )
