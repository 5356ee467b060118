"""A reading that grows: pieces of logs go in as they are written, and a report of all so far can be had any time."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from errtriage.model import Event, Line, Report, SourceInfo, Span
from errtriage.parse import Parser
from errtriage.reading import ATTEMPTS_KEPT, AttemptBook, Reading
from errtriage.scan import scan
from errtriage.sources import from_chunks
from errtriage.triage import explain, wanted
from errtriage.values import replace

if TYPE_CHECKING:
    from errtriage.knowledge import Knowledge


class _Log:
    """One log: its open blocks, and how much of it was read."""

    def __init__(self, name: str, literals: tuple[str, ...]) -> None:
        self.name = name
        self.literals = literals
        self.parser = Parser(text_literals=literals)
        self.bytes = 0
        self.lines = 0
        self.attempt = 0

    def restart(self) -> None:
        """Begin counting lines anew: the file was rotated."""
        self.bytes = self.lines = 0


class Growing:
    """The books of a job whose logs are still written; memory grows with distinct events, as for whole logs."""

    def __init__(self, knowledge: Knowledge, source_root: Path | None = None) -> None:
        """Take the entries to explain by."""
        self._knowledge = knowledge
        self._root = source_root
        self._wanted = wanted(knowledge)
        self._literals = tuple(knowledge.literals)
        self._logs: dict[str, _Log] = {}
        self._books: dict[int, AttemptBook] = {}
        self._events = 0

    def add(self, name: str, data: bytes, *, restarted: bool = False) -> None:
        """Read a piece of a log that ends with a line or with a state of a bar."""
        log = self._logs.setdefault(name, _Log(name, self._literals))
        if restarted:
            log.restart()
        lines, offset = log.lines, log.bytes
        for line in scan(from_chunks(name, [data]), self._wanted, hungry=partial(getattr, log.parser, "hungry")):
            self._take(log, log.parser.feed(_moved(line, lines, offset)))
        log.lines += data.count(b"\n")
        log.bytes += len(data)

    def settle(self, name: str) -> None:
        """Close what is open in a log: nothing has come for some time, so that a traceback is likely to be whole."""
        log = self._logs.get(name)
        if log is not None and log.parser.hungry:
            self._take(log, log.parser.close())

    def report(self) -> Report:
        """Explain what was read so far."""
        books = self._books or {0: AttemptBook(0)}
        infos = tuple(SourceInfo(name=log.name, bytes=log.bytes, lines=log.lines) for log in self._logs.values())
        reading = Reading(
            attempts=tuple(books[number].attempt(len(books)) for number in sorted(books)),
            sources=infos,
            order={info.name: number for number, info in enumerate(infos)},
            events=self._events,
        )
        return explain(reading, self._knowledge, self._root)

    @property
    def events(self) -> int:
        """How many events were seen."""
        return self._events

    def _take(self, log: _Log, events: Iterable[Event]) -> None:
        for event in events:
            self._events += 1
            if event.kind == "attempt" and len(self._logs) == 1:
                log.attempt = min(log.attempt + 1, ATTEMPTS_KEPT)
            book = self._books.setdefault(log.attempt, AttemptBook(log.attempt))
            book.add(replace(event, attempt=log.attempt) if log.attempt else event)


def _moved(line: Line, lines: int, offset: int) -> Line:
    """Return a line of a piece with its place in the whole log."""
    span = Span(first=line.span.first + lines, last=line.span.last + lines)
    repeat = replace(line.repeat, last=line.repeat.last + lines) if line.repeat is not None else None
    return replace(line, span=span, offset=line.offset + offset, repeat=repeat)
