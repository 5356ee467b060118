"""Lines to events: each line goes to the open blocks of its channel, then to the patterns whose literals it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush

from errtriage.model import Event, Line
from errtriage.patterns import all_patterns
from errtriage.patterns.attempt import Programs
from errtriage.patterns.base import Block, BlockPattern, Fed, LinePattern, event
from errtriage.patterns.enrich import enrich
from errtriage.patterns.forward_call import ForwardCalls
from errtriage.patterns.logged_message import LOGGED, read_levelled
from errtriage.patterns.recall import Recall
from errtriage.patterns.table import Table
from errtriage.scan.picking import picker
from errtriage.values import dataclass, replace

# Lines of other channels after which a silent block is closed: one whose end has been seen, and one in its middle.
_PATIENCE_SETTLED = 64
_PATIENCE = 4096
_UNSEEN = 16  # lines of the source, of which other channels' are left out while only some are wanted, for one of these
_NESTED = 4  # blocks open in one channel: a warning inside a traceback inside a launcher's table
_WAITING = 20_000  # events held back for the sake of order

# What a line can tell beside what it is: a bar that a traceback is glued to, a record that holds a loss and a step.
_BESIDE = frozenset({"metric", "progress", "attempt", "environment"})


@dataclass(slots=True, eq=False)
class _Open:
    """A block that is being read."""

    block: Block
    bound: int
    number: int  # of the line that opened it
    fed: int  # number of the last line that it saw
    line: int  # where that one stands in its source
    seen: int = 1


class Parser:
    """Turns the lines of any number of sources and channels, in order, into events."""

    def __init__(self, patterns: Table | None = None, text_literals: Iterable[str] = ()) -> None:
        """Take the patterns (all, where left out) and the literals that make a line a `text` event."""
        self._patterns = all_patterns() if patterns is None else patterns
        rows = self._patterns.rows
        self._beside = [row.kind in _BESIDE for row in rows]
        self._text_literals = frozenset(text_literals)
        literals = self._text_literals.union(*(row.literals for row in rows))
        self._picker, self._recall = picker(literals), Recall(literals)
        self._by_literal: dict[str, list[int]] = {}
        for number, row in enumerate(rows):
            for literal in row.literals:
                self._by_literal.setdefault(literal, []).append(number)
        self._by_shape = frozenset(number for number, row in enumerate(rows) if row.by_shape)
        self._open: dict[tuple[str, str], list[_Open]] = {}
        self._ready: list[tuple[int, int, list[Event]]] = []  # a heap, by number of the line that they begin at
        self._held = 0
        self._count = self._line = 0
        self.programs = Programs()
        self._told: set[str] = set()  # sources that have shown an event
        self._key = ("", "")  # source and channel of the last line
        self.blocks = 0  # that were opened
        self.before_attempt: Callable[[], list[Event]] = list  # gives what is to be told before a run begins
        # By channel, the events made and the lines that they begin at, for who wants them: `Refrains`.
        self.noted: dict[str, list[tuple[int, Event]]] | None = None
        self._forward = ForwardCalls()

    @property
    def hungry(self) -> bool | set[str]:
        """Whether the lines that follow are wanted, whatever they hold: all of them, or those of some channels."""
        if not self._open:
            return False
        channels = {channel for _, channel in self._open}
        return True if "" in channels else channels

    @property
    def remembers(self) -> bool:
        """Whether something of what was read is waiting for what may come, though no block is open."""
        return bool(self._forward)

    @property
    def count(self) -> int:
        """How many lines were taken, or passed over."""
        return self._count

    @property
    def begun(self) -> bool:
        """Whether the last line began a block and ended all others: of its channel, of all where it names none."""
        blocks = self._open.get(self._key, [])
        alone = bool(self._key[1]) or len(self._open) == 1
        return alone and len(blocks) == 1 and blocks[0].number == self._count

    @property
    def is_idle(self) -> bool:
        """Whether no block is open."""
        return not self._open

    def is_open(self, channel: str) -> bool:
        """Return whether a block of a channel is open."""
        return any(known == channel for _, known in self._open)

    def is_settled(self, channel: str) -> bool:
        """Return whether the end was seen of all blocks that are open in a channel."""
        return all(
            getattr(one.block, "settled", False)
            for (_, known), blocks in self._open.items()
            if known == channel
            for one in blocks
        )

    def is_silent(self, count: int, line: int) -> bool:
        """Return whether a settled block is closed by now whose last line was taken at this count and stands there."""
        return max(self._count - count, (self._line - line) // _UNSEEN) > _PATIENCE_SETTLED

    def pass_over(self, lines: int, last: int) -> None:
        """Count lines, up to the line `last`, as if they had been taken."""
        self._count += lines
        self._line = last
        if self._open:
            self._close_silent()

    def finish(self, channel: str) -> None:
        """Close the blocks of a channel, as a line does that ends them."""
        for key in [key for key in self._open if key[1] == channel]:
            while key in self._open:
                self._finish(key, self._open[key][-1])

    def feed(self, line: Line) -> list[Event]:
        """Take a line; return the events that are complete by now, in the order of their first lines."""
        self._count += 1
        self._line = line.span.last
        self._key = key = (line.source, line.channel)
        if not self._feed_open(key, line):
            self._offer(key, line)
        if self._open:
            self._close_silent()
        return self._release()

    def close(self) -> list[Event]:
        """Close all blocks and return what is left."""
        for key in list(self._open):
            while key in self._open:
                self._finish(key, self._open[key][-1])
        return self._release()

    def _feed_open(self, key: tuple[str, str], line: Line) -> bool:
        """Give a line to the open blocks of its channel, newest first; return whether one took it."""
        for opened in reversed(self._open.get(key, [])):
            fed = opened.block.feed(line)
            opened.fed, opened.line = self._count, self._line
            opened.seen += 1
            if fed is Fed.LAST or fed is Fed.ENDED or opened.seen > opened.bound:
                self._finish(key, opened)
            if fed is Fed.TAKEN or fed is Fed.LAST:
                return True
        return False

    def _offer(self, key: tuple[str, str], line: Line) -> None:
        """Offer a line to the patterns, in order; the first that knows it has it, save for what stands beside it."""
        known = self._recall.events(line)
        if known is not None:
            if known:
                self._hold(key, self._count, known)
            else:
                self._offer_levelled(line)
            return
        held = self._picker.held(line.text)
        if not held:
            self._offer_levelled(line)
            return
        made: list[Event] = []
        taken = opened = False
        offered = self._offered(held)
        for number in offered:
            beside = self._beside[number]
            if taken and not beside:
                continue
            pattern = self._patterns[number]
            if isinstance(pattern, LinePattern):
                found = list(pattern.parse(line))
                made.extend(found)
                taken = taken or (bool(found) and not beside and pattern is not LOGGED)
            else:
                started = self._start(key, pattern, line)
                opened, taken = opened or started, (started and not beside) or taken
        if not taken and not held.isdisjoint(self._text_literals):
            made.append(event("text", line, {"message": line.text}))
        if not taken and not made:
            self._offer_levelled(line)
        made = [enrich(one) for one in made if one.kind != "attempt" or self._begins(one)]
        if made:
            self._hold(key, self._count, made)
        if not opened and self._by_shape.issuperset(offered) and held.isdisjoint(self._text_literals):
            self._recall.learn(line, made, self._read_by_shape)

    def _offered(self, held: Iterable[str]) -> list[int]:
        """Return the numbers of the patterns that literals pick, in order."""
        return sorted({number for literal in held for number in self._by_literal.get(literal, ())})

    def _read_by_shape(self, line: Line) -> list[Event] | None:
        """Return what a line tells where all patterns that it is offered to go by its shape, and none opens a block."""
        offered = self._offered(self._picker.held(line.text))
        if not self._by_shape.issuperset(offered):
            return None
        made: list[Event] = []
        for pattern in map(self._patterns.__getitem__, offered):
            if isinstance(pattern, LinePattern):
                made.extend(pattern.parse(line))
            elif pattern.open(line) is not None:
                return None
        return made

    def _offer_levelled(self, line: Line) -> None:
        logged = read_levelled(line)
        if logged is not None:
            self._hold((line.source, line.channel), self._count, [enrich(logged)])

    def _begins(self, made: Event) -> bool:
        begins = self.programs.begins(made, first=made.source not in self._told)
        if begins:
            self._held += 1
            heappush(self._ready, (self._count - 1, self._held, self.before_attempt()))
        return begins

    def _start(self, key: tuple[str, str], pattern: BlockPattern, line: Line) -> bool:
        block = pattern.open(line)
        if block is None:
            return False
        self.blocks += 1
        opened = self._open.setdefault(key, [])
        if len(opened) >= _NESTED:
            self._finish(key, opened[0])
            opened = self._open.setdefault(key, [])
        opened.append(_Open(block=block, bound=pattern.bound, number=self._count, fed=self._count, line=self._line))
        return True

    def _finish(self, key: tuple[str, str], opened: _Open) -> None:
        """Close a block and keep its events until their turn comes."""
        self._open[key].remove(opened)
        if not self._open[key]:
            del self._open[key]
        made = self._completed(key, opened.block.close())
        if made:
            self._hold(key, opened.number, made)

    def _completed(self, key: tuple[str, str], events: Iterable[Event]) -> list[Event]:
        """Return events with what their messages and forward calls say, wrappers still before what they wrap."""
        known: dict[int, Event] = {}
        for one in events:
            made = enrich(self._forward.explained(key, one))
            if one.parent is not None and id(one.parent) in known:
                made = replace(made, parent=known[id(one.parent)])
            known[id(one)] = made
            self.programs.learn(made)
        return list(known.values())

    def _close_silent(self) -> None:
        """Close the blocks whose channels have said nothing for long."""
        for key, blocks in list(self._open.items()):
            for opened in list(blocks):
                patience = _PATIENCE_SETTLED if getattr(opened.block, "settled", False) else _PATIENCE
                unseen = (self._line - opened.line) // _UNSEEN if key[1] else 0
                if max(self._count - opened.fed, unseen) > patience:
                    self._finish(key, opened)

    def _hold(self, key: tuple[str, str], number: int, made: list[Event]) -> None:
        """Keep events until nothing can come before the line that they begin at."""
        self._told.add(key[0])
        if self.noted is not None:
            self.noted.setdefault(key[1], []).extend((number, one) for one in made)
        self._held += 1
        heappush(self._ready, (number, self._held, made))

    def _release(self) -> list[Event]:
        """Return the events before which nothing can come any more."""
        if not self._ready:
            return []
        first = min((one.number for blocks in self._open.values() for one in blocks), default=self._count + 1)
        if len(self._ready) > _WAITING:
            first = self._count + 1
        out: list[Event] = []
        while self._ready and self._ready[0][0] < first:
            out.extend(heappop(self._ready)[2])
        return out


def parse(lines: Iterable[Line], text_literals: Iterable[str] = ()) -> Iterator[Event]:
    """Yield the events of lines, in the order of their blocks; an exception follows the one it was wrapped into."""
    parser = Parser(text_literals=text_literals)
    for line in lines:
        yield from parser.feed(line)
    yield from parser.close()
