"""One pass over a source: the lines worth a look become events; afterwards it says how it went."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from errtriage import TYPE_CHECKING
from errtriage.model import Event, SourceInfo
from errtriage.parse import Parser
from errtriage.patterns.attempt import Programs
from errtriage.scan import scan
from errtriage.scan.wanted import Wanted
from errtriage.sources import Source
from errtriage.sources.parts import UnsureError
from errtriage.values import dataclass, replace

if TYPE_CHECKING:
    from errtriage.scan.refrains import Refrains

MANY = 32  # blocks from which on one is likely to have come before


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a source was read: what is told of it, the engine of its last window, the bounds that were reached.

    `unread` is how many events were counted in blocks and not told one by one.
    Of a part of a file `stopped` is the block before which the reader stopped, None where it came to the file's end.
    """

    info: SourceInfo
    engine: str = ""
    cuts: tuple[str, ...] = ()
    stopped: int | None = None
    unread: int = 0


class Pass:
    """Scans and parses one source. Its events depend on the source alone."""

    def __init__(self, source: Source, wanted: Wanted, text_literals: tuple[str, ...]) -> None:
        """Take a source, what to look for, and the literals that make a line a `text` event."""
        self._source = source
        self._parser = Parser(text_literals=text_literals)
        if source.first:
            self._parser.programs = _LaterPrograms()
        self._literals = text_literals
        self._refrains: Refrains | None = None
        self._scanning = scan(
            source, wanted, hungry=partial(getattr, self._parser, "hungry"), refrains=self._known_blocks
        )

    def __iter__(self) -> Iterator[Sequence[Event]]:
        """Yield what is completed by one line, in order; an event stands in one piece with its `parent`."""
        dump = _dump(self._source)
        if dump:
            yield dump
            return
        for line in self._scanning:
            if made := self._parser.feed(line):
                yield made
        if self._scanning.stopped is None:
            yield self._parser.close()
        elif self._scanning.remembers or self._parser.remembers:
            raise UnsureError("what was read changes how later lines are read")
        if self._refrains is not None:
            yield self._refrains.told()

    def _known_blocks(self) -> Refrains | None:
        """Return what counts blocks that come again, once there are many blocks."""
        if self._refrains is None and self._parser.blocks >= MANY:
            from errtriage.sameness import Sameness
            from errtriage.scan.refrains import Refrains

            self._refrains = Refrains(self._parser, Sameness(self._literals, self._scanning.maker.trial))
            self._parser.before_attempt = self._refrains.told_anew
        return self._refrains

    def outcome(self) -> Outcome:
        """Return how it went."""
        cuts, info = tuple(sorted(self._scanning.cuts)), self._source.info()
        stopped = self._scanning.stopped
        if stopped is not None:
            info = replace(info, bytes=stopped.offset, lines=stopped.first_line - 1)
        block = stopped.block if stopped is not None else None
        unread = self._refrains.unread if self._refrains is not None else 0
        return Outcome(info=info, engine=self._scanning.engine, cuts=cuts, stopped=block, unread=unread)


class _LaterPrograms(Programs):
    """Of a part of a log that began before: which programs were started there is not known."""

    def begins(self, made: Event, first: bool) -> bool:
        """Return whether an event begins a run; raise UnsureError where that depends on earlier ones."""
        if made.fields.get("program") is not None:
            raise UnsureError("a program is started again")
        return super().begins(made, first)


def _dump(source: Source) -> tuple[Event, ...]:
    """Return the events of a flight-recorder dump; nothing where the source's name is not that of one."""
    if "_trace_" not in source.name:
        return ()
    from errtriage.ranks.flight_recorder import MOST_BYTES, is_dump, read_dump

    data = source.data(MOST_BYTES + 1) if is_dump(source.name, b"{") else b""
    return read_dump(source.name, data) if is_dump(source.name, data) else ()
