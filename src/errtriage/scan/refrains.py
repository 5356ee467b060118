"""Blocks of lines that come again and again, such as one traceback a thousand times: counted where they stand.

A block reaches from a line that ends whatever was open to the next such line, or to its own end. What the reader knows
after such a line does not depend on what stood before, so that a block that was read in full, and differs in nothing
that tells, need not be read again. The reader is brought to where it would be had it read the lines.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence

from errtriage.model import Event, Line, Repeat, Span
from errtriage.scan.reader import Reader
from errtriage.scan.repertoire import Judge, Repertoire
from errtriage.scan.strands import Lines, Reading, Row, Skeletons, Strand, Variant, Waiting
from errtriage.sources import Window
from errtriage.values import replace

_LINES = 400  # of a block that is compared
_BYTES = 32 * 1024  # of one
_FRUITLESS, _MANY = 8, 64  # windows in a row, each of so many blocks, none of which was known
_PAUSE = 16  # windows that are then read without learning


class Refrains:
    """Learns blocks while they are read, and counts those that it knows."""

    def __init__(self, reader: Reader, judge: Judge) -> None:
        """Take the parser, and who knows what events are good for."""
        self._reader = reader
        self._skeletons = Skeletons()
        self._repertoire = Repertoire(judge, self._skeletons)
        self._counted: dict[Variant, None] = {}
        self._waiting: dict[str, Strand] = {}  # in the order of their last lines
        self.unread = 0  # events that were counted and not told
        self.forget()

    def forget(self) -> None:
        """Begin anew, as with a part of a log; what was counted stays to be told."""
        for strand in list(self._waiting.values()):
            self._has_ended(strand)
        self._plain = Strand("")
        self._strands: dict[str, Strand] = {}
        self._by_prefix: dict[bytes, Strand] = {}
        self._prefix_lengths: list[int] = []
        self._repertoire.forget()
        self._reader.noted = {}
        self._learnt = self._passed = 0  # blocks of this window that were read, and that were counted
        self._fruitless = self._pause = 0

    # Windows

    def begin_window(self, *, comparable: bool) -> bool:
        """Return whether the lines of a window are to be looked at: not where they can not be compared.

        Where hardly a block comes twice, most windows are left alone: learning costs a tenth of reading.
        """
        self._pause = max(0, self._pause - 1)
        looks = comparable and not self._pause
        if not looks:
            self._reader.noted = None
        elif self._reader.noted is None:
            self._reader.noted = {}
        return looks

    def lines(self, window: Window) -> Lines:
        """Return the lines of a window."""
        return Lines(window, self._skeletons)

    def end_window(self, lines: Lines | None) -> None:
        """Keep of a window what may have to be read, and not more than can be remembered."""
        for strand in self._waiting.values():
            if strand.waiting is not None and lines is not None:
                strand.waiting.keep(lines)
        if self._passed:
            self._fruitless = 0
        elif self._learnt >= _MANY:
            self._fruitless += 1
            self._pause = _PAUSE + 1 if self._fruitless >= _FRUITLESS else 0
        self._learnt = self._passed = 0
        if self._repertoire.is_full:
            self.interrupted()
            self._repertoire.forget()
            for strand in (self._plain, *self._strands.values()):
                strand.forget()

    def hungry(self, hungry: bool | Collection[str]) -> bool | Collection[str]:
        """Return for which channels lines are wanted: the reader's, and those of blocks that may go on."""
        while self._waiting:
            strand = next(iter(self._waiting.values()))
            if not self._is_silent(strand):
                return hungry is True or "" in self._waiting or self._waiting.keys() | (hungry or set())
            self._has_ended(strand)
        return hungry

    # Counting

    def may_begin(self, raw: bytes) -> bool:
        """Return whether a known block begins with such a line."""
        heads = self._repertoire.heads
        return bool(heads) and self._skeletons.of(raw) in heads

    def run(self, lines: Lines, at: int, picked: Container[int] | None) -> int:
        """Count the known blocks that stand one after the other from a line on; return the line after them.

        `picked` are the places of lines that are read in any case, None where all are.
        """
        first = at
        while at < len(lines.ids):
            strand = self._strand_at(lines, at)
            awaited = at == first or strand.waiting is not None or self._reader.is_open(strand.channel)
            if not (awaited or picked is None or lines.starts[at] in picked):
                break
            known = self._repertoire.known(strand, lines, at) if self._rests(strand, lines.ids[at]) else None
            if known is None:
                break
            ids, kind, variant = known
            number = lines.number(at)
            self._pass_over(strand, Waiting(ids, variant, range(number, number + len(ids))), kind.ends_itself)
            at += len(ids)
        return at

    def _strand_at(self, lines: Lines, at: int) -> Strand:
        """Return the strand that a line belongs to: while a block without a channel is open, all lines are its own."""
        if self._prefix_lengths and not (self._plain.waiting or self._reader.is_open("")):
            start = lines.starts[at]
            for length in self._prefix_lengths:
                strand = self._by_prefix.get(lines.window.data[start : start + length])
                if strand is not None:
                    return strand
        return self._plain

    def _rests(self, strand: Strand, head: int) -> bool:
        """Return whether nothing of a strand stays open where a line of this skeleton begins a block."""
        if strand.waiting is not None:
            return self._goes_no_further(strand, strand.waiting, head)
        if strand.reading is not None and self._repertoire.ends(tuple(strand.reading.ids), head):
            return True
        if strand.channel:
            return not self._reader.is_open(strand.channel)
        return self._reader.is_idle and not self._waiting

    def _goes_no_further(self, strand: Strand, waiting: Waiting, head: int) -> bool:
        ended = self._is_silent(strand) or self._repertoire.ends(waiting.ids, head)
        if ended:
            self._has_ended(strand)
        return ended

    def _is_silent(self, strand: Strand) -> bool:
        waiting = strand.waiting
        return bool(strand.channel and waiting and self._reader.is_silent(waiting.count, waiting.numbers[-1]))

    def _has_ended(self, strand: Strand) -> None:
        """Count the block that waits for the next line of its strand."""
        waiting, strand.waiting = strand.waiting, None
        del self._waiting[strand.channel]
        if waiting is not None:
            self._count(waiting)

    def _pass_over(self, strand: Strand, block: Waiting, ends_itself: bool) -> None:
        reader = self._reader
        self._passed += 1
        strand.reading = None
        if reader.is_open(strand.channel):
            reader.finish(strand.channel)
            self._noted(strand)
        reader.pass_over(len(block.ids), block.numbers[-1])
        if ends_itself:
            self._count(block)
        else:
            block.count = reader.count
            strand.waiting = block
            self._waiting[strand.channel] = strand

    def _count(self, block: Waiting) -> None:
        block.variant.count += 1
        block.variant.last = block.numbers
        self._counted[block.variant] = None

    def told(self) -> list[Event]:
        """Return what was counted since the last call: the events of each block, once, with how many there were."""
        told: list[Event] = []
        for variant in self._counted:
            place = dict(zip(variant.numbers, variant.last, strict=True))
            for event in variant.events:
                span = Span(first=place[event.span.first], last=place[event.span.last])
                told.append(replace(event, span=span, repeat=Repeat(count=variant.count, last=span.last, ranges={})))
            self.unread += (variant.count - 1) * len(variant.events)
            variant.count = 0
        self._counted.clear()
        return told

    def told_anew(self) -> list[Event]:
        """Return what was counted, and begin anew: in another run the first block is to be told in full."""
        self.forget()
        return self.told()

    # Reading after all

    def overdue(self, channel: str, raw: bytes, lines: Lines | None) -> Sequence[Row]:
        """Return what must be read before a line of a channel is."""
        strand = self._plain if self._plain.waiting else self._strands.get(channel, self._plain)
        waiting = strand.waiting
        if waiting is None or self._goes_no_further(strand, waiting, self._skeletons.of(raw)):
            return ()
        return self._taken_back(strand, waiting, lines)

    def all_overdue(self, lines: Lines | None) -> list[Row]:
        """Return what must be read where the lines that follow are not compared."""
        rows: list[Row] = []
        for strand in list(self._waiting.values()):
            if strand.waiting is not None:
                rows += self._taken_back(strand, strand.waiting, lines)
        return rows

    def _taken_back(self, strand: Strand, waiting: Waiting, lines: Lines | None) -> Sequence[Row]:
        strand.waiting = None
        del self._waiting[strand.channel]
        self._reader.pass_over(-len(waiting.ids), waiting.numbers[-1])
        if lines is not None:
            waiting.keep(lines)
        return waiting.rows

    # Learning

    def interrupted(self) -> None:
        """Give up what is being learnt: something was read that does not stand there."""
        for strand in (self._plain, *self._strands.values()):
            strand.reading = None

    def before(self, channel: str) -> None:
        """Take note that a line of a channel will be read."""
        strand = self._strand_of(channel)
        if strand.channel and strand.reading is not None and not self._reader.is_open(strand.channel):
            self._learn(strand)

    def was_read(self, line: Line, raw: bytes, prefix: bytes | None) -> None:
        """Take a line that was read in full; all lines of its channel begin with `prefix`, None where they may not."""
        reader = self._reader
        strand = self._strand_of(line.channel)
        if strand is self._plain and line.channel and strand.reading is None:
            if not prefix:
                return
            strand = self._new_strand(line.channel, prefix)
        if line.channel == strand.channel and reader.begun:
            self._begin(strand, raw, line.span.first)
        elif strand.reading is not None:
            self._go_on(strand, strand.reading, raw, line.span.first)
        elif reader.noted:
            reader.noted.pop(strand.channel, None)

    def _strand_of(self, channel: str) -> Strand:
        return self._plain if self._plain.reading is not None else self._strands.get(channel, self._plain)

    def _new_strand(self, channel: str, prefix: bytes) -> Strand:
        strand = self._strands[channel] = self._by_prefix[prefix] = Strand(channel, prefix)
        self._prefix_lengths = sorted({*self._prefix_lengths, len(prefix)}, reverse=True)
        return strand

    def _begin(self, strand: Strand, raw: bytes, number: int) -> None:
        head = self._skeletons.of(raw)
        self._learn(strand, head)
        if not strand.channel and self._strands:
            self.interrupted()  # from now on all lines are read
        if strand.channel or not self._waiting:
            settled = self._reader.is_settled(strand.channel)
            strand.reading = Reading([raw], [number], [head], len(raw), settled)

    def _go_on(self, strand: Strand, reading: Reading, raw: bytes, number: int) -> None:
        reader = self._reader
        reading.add(raw, number, self._skeletons.of(raw))
        reading.settled = reader.is_settled(strand.channel)
        if len(reading.ids) > _LINES or reading.size > _BYTES or not raw.startswith(strand.prefix):
            strand.reading = None
        elif not (reader.is_open(strand.channel) if strand.channel else not reader.is_idle):
            reading.ends_itself = reading.settled = True
            self._learn(strand)

    def _learn(self, strand: Strand, head: int | None = None) -> None:
        """Take the block that has ended: by itself, by a line of the skeleton `head`, or by a long silence."""
        reading, strand.reading = strand.reading, None
        events = self._noted(strand, before=None if head is None else self._reader.count)
        if reading is not None and reading.settled and not self._reader.remembers:
            self._learnt += 1
            self._repertoire.learn(strand, reading, events, head)

    def _noted(self, strand: Strand, before: int | None = None) -> list[Event]:
        """Return, and forget, the events of a strand, those of lines before a count."""
        noted = self._reader.noted
        if noted is None:
            return []
        events: list[Event] = []
        for channel in [strand.channel] if strand.channel else list(noted):
            found = noted.pop(channel, [])
            events += [event for number, event in found if before is None or number < before]
            left = [one for one in found if before is not None and one[0] >= before]
            if left:
                noted[channel] = left
        return events
