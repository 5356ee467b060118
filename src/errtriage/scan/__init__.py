"""From the windows of a source to the few lines worth a look, cleaned, in the order of the file."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Collection, Container, Generator, Iterator, Mapping
from functools import partial

from errtriage import TYPE_CHECKING
from errtriage.lines import Cleaner
from errtriage.model import Line, Span
from errtriage.scan.awaited import Awaited, Prefixes
from errtriage.scan.engines import FAST_FROM, Dense, Engine, engine
from errtriage.scan.line_maker import CUT_LONG, LONGEST, LineMaker
from errtriage.scan.picks import Picks, Stretch, Told, bulk_picks
from errtriage.scan.places import Places, is_between_ends, middle_of_bar
from errtriage.scan.repeats import MOST_FOLLOWERS, Repeats, followers_at, known_followers, skeletons_at
from errtriage.scan.sampling import Sampled, sample, sampled
from errtriage.scan.segments import Segment, next_end
from errtriage.scan.spam import Spam, Tally
from errtriage.scan.wanted import DIGITS, Wanted
from errtriage.sources import Source, Window

if TYPE_CHECKING:
    from errtriage.scan.refrains import Refrains
    from errtriage.scan.strands import Lines, Row

__all__ = ["CUT_LONG", "LONGEST", "Scan", "Wanted", "scan"]


CUT_REPEATED = "lines that differ in numbers alone were counted after the first 64 of them"


def scan(
    source: Source,
    wanted: Wanted,
    *,
    hungry: Callable[[], bool | Collection[str]],
    metrics: bool = True,
    refrains: Callable[[], Refrains | None] = lambda: None,
) -> Scan:
    """Return an iterator of the lines of a source that are worth a look.

    These are the segments (between newlines or carriage returns) that hold a wanted literal, those that follow while
    `hungry()` is true (or names their channel), and with `metrics` a sample of all. Lines by the thousand that differ
    only in ranged numbers come as one line with a `Repeat`; blocks that `refrains()` knows, once it gives
    something, are counted there and left out. The lines depend on the bytes alone.
    """
    return Scan(source, wanted, hungry=hungry, metrics=metrics, refrains=refrains)


class Scan:
    """One pass over a source: an iterator of lines, which says afterwards how it went.

    `engine` names the engine of the last window; `cuts` names the bounds that were reached; `stopped` is the window
    before which it stopped, where the source is a part of a file.
    """

    def __init__(
        self,
        source: Source,
        wanted: Wanted,
        *,
        hungry: Callable[[], bool | Collection[str]],
        metrics: bool = True,
        refrains: Callable[[], Refrains | None] = lambda: None,
    ) -> None:
        """Take what `scan` takes."""
        self.engine = ""
        self.cuts: set[str] = set()
        self._source = source
        self._wanted = wanted
        self._reader_hungry = hungry
        self._get_refrains = refrains
        self._refrains: Refrains | None = None
        self._lines: Lines | None = None  # of this window, once a known block may stand there
        self._metrics = metrics
        self.maker = LineMaker(Cleaner(source.name), wanted, self.cuts)
        self._spam = self._new_spam()
        self._repeats = Repeats(later=source.first > 0)
        self.stopped: Window | None = None
        self._stretch = Stretch()

    def __iter__(self) -> Iterator[Line]:
        """Yield the lines."""
        looking, read, block = engine(self._wanted, self._source.size), 0, -1
        for window, how_much in sampled(self._source.windows(), metrics=self._metrics, first=self._source.first):
            if not read:
                self.maker.cleaner = Cleaner(self._source.name, self._source.head or window.data)
            elif window.block != block:
                yield from self._forget()
                if window.block in self._source.stops and not self._hungry():
                    self.stopped = window
                    return
            block = window.block
            if (self._source.size or 0) < FAST_FROM and read < FAST_FROM <= read + len(window.data):
                looking = engine(self._wanted, FAST_FROM)
            read += len(window.data)
            self.engine = looking.name
            yield from self._window(window, looking, how_much)
        yield from self._overdue()
        yield from self._counted(None)
        yield from self._stretch.take()

    @property
    def remembers(self) -> bool:
        """Whether something of what was read, and is not forgotten after a block, changes how later lines are read."""
        return self.maker.cleaner.remembers

    def _forget(self) -> Iterator[Line]:
        """Tell what was counted and begin anew: another process may read the next block."""
        yield from self._overdue()
        yield from self._counted(None)
        yield from self._stretch.take()
        if self._refrains is not None:
            self._refrains.forget()
        self._spam, self._repeats, self.maker.prefixes = self._new_spam(), Repeats(later=True), Prefixes()

    def _new_spam(self) -> Spam:
        return Spam(self._wanted, lambda raw: self.maker.cleaner.clean_one(raw, Span(first=1, last=1)))

    def _hungry(self) -> bool | Collection[str]:
        hungry = self._reader_hungry()
        return hungry if self._refrains is None else self._refrains.hungry(hungry)

    def _window(self, window: Window, looking: Engine, how_much: Sampled) -> Iterator[Line]:
        places = Places(window)
        whole = self._spam.whole(window.data, window.newlines) if window.spans is None else None
        if whole is not None:
            for tally in whole.values():
                tally.last_line = window.first_line + tally.last
            yield from self._add(places, whole)
            return
        found = looking.find(window.data)
        picks = (
            bulk_picks(places, found, self._spam, self._wanted) if isinstance(found, Dense) else Picks(segments=found)
        )
        picks.everything = how_much is Sampled.WHOLE
        picks.sample = sample(window.data, how_much, self._wanted.sampled)
        if picks.segments or picks.sample or picks.everything or self._hungry():
            yield from self._stretch.take()
            refrains = self._refrains = self._refrains or self._get_refrains()
            comparable = not picks.told and window.spans is None and b"\r" not in window.data
            if refrains is not None and not refrains.begin_window(comparable=comparable):
                yield from self._overdue()
                self._refrains = None
            yield from self._walk(places, picks)
            if self._refrains is not None:
                self._refrains.end_window(self._lines)
            self._refrains, self._lines = refrains, None
        elif picks.told:
            yield from self._add(places, picks.told)

    def _walk(self, places: Places, picks: Picks) -> Iterator[Line]:
        """Yield the picked segments, those after them while the reader is hungry, and the tallies in their places."""
        data = places.data
        picked, counted = dict(picks.segments), picks.counted()
        bounds = {(start, next_end(data, start)) for start in picks.told}
        waiting = deque(sorted(bounds.union(picks.segments, picks.sample)))
        at, skipped = 0, range(0)
        awaited = Awaited(data, self.maker.prefixes)
        while at < len(data):
            while waiting and waiting[0][0] < at:
                waiting.popleft()
            hungry = self._hungry()
            coming = None if picks.everything else awaited.next_line(hungry, at)
            if coming is None:
                start, stop = at, next_end(data, at)
                if start == 0 or data[start - 1] == 10:
                    skipped = middle_of_bar(data, start)
                if start in skipped and start not in picked:
                    start = waiting[0][0] if waiting and waiting[0][0] in skipped else skipped.stop
                    stop = next_end(data, start)
            elif waiting and waiting[0][0] <= coming:
                start, stop = waiting.popleft()
            elif coming < len(data):
                start, stop = coming, next_end(data, coming)
            else:
                break
            past = self._past_known(places, start, stop, None if picks.everything else picked)
            if past > start:
                at = past
                continue
            at = stop + 1
            if start in picks.told:
                yield self._told(places, picks.told[start], start).merged()
            elif start in picked and not (hungry and coming in {None, start}):
                free = (
                    start
                    if picks.everything or picks.told
                    else next((one for one, _ in waiting if one > start), len(data))
                )
                at = yield from self._picked(places, (start, stop), free)
            elif start not in counted and start < len(data) and not is_between_ends(data, start, stop):
                yield from self._read(places, start, stop)
        self._end_window(places)

    def _picked(self, places: Places, segment: Segment, free: int) -> Generator[Line, None, int]:
        """Yield a picked line, and what the reader wants right after it, unless such lines came by the hundred.

        The lines after it may be taken as far as the place `free`. Returns where to go on.
        """
        start, stop = segment
        raw, after = places.data[start:stop], followers_at(places.data, stop, free)
        skeleton = raw.translate(None, DIGITS)
        known = known_followers(places.data, after, self._repeats.followers(skeleton))
        if known is not None:
            # The first one stands for all of them, of checkpoints the last one.
            if self._repeats.count(skeleton, start) or self._wanted.holds(raw, self._wanted.latest):
                self._repeats.tell(skeleton, [self.maker.line(places, *one) for one in (segment, *known)])
            return stop + 1
        # What was counted belongs before what is new, and before what begins another run.
        if self._repeats.is_new(skeleton) or any(one in raw for one in self._wanted.parting):
            yield from self._counted(places)
        line = self.maker.line(places, start, stop)
        yield from self._read(places, start, stop, line)
        read = 0
        while read < len(after) and self._hungry() is True:
            yield from self._read(places, *after[read])
            stop = after[read][1]
            read += 1
        if self._wanted.ranged is not None and self._wanted.ranged(line.text) is not None:
            self._repeats.was_read(skeleton, None)
        elif not self._awaits(line.channel):
            self._repeats.was_read(skeleton, skeletons_at(places.data, after[:read]))
        elif read == MOST_FOLLOWERS or self._hungry() is not True:
            self._repeats.was_read(skeleton, None)
        return stop + 1

    def _awaits(self, channel: str) -> bool:
        hungry = self._hungry()
        return hungry if isinstance(hungry, bool) else channel in hungry

    def _counted(self, places: Places | None) -> Iterator[Line]:
        """Yield what was counted so far, a line for each skeleton."""
        if places is not None:
            self._end_window(places)
        counted = self._repeats.take()
        if counted:
            self.cuts.add(CUT_REPEATED)
            yield from self._overdue()
        yield from counted

    def _end_window(self, places: Places) -> None:
        for skeleton, start in self._repeats.end_window().items():
            self._repeats.was_last(skeleton, places.span(start))

    def _past_known(self, places: Places, start: int, stop: int, picked: Container[int] | None) -> int:
        """Count the known blocks that begin at a line; return the place after them, `start` where there are none."""
        refrains = self._refrains
        if refrains is None or not refrains.may_begin(places.data[start:stop]):
            return start
        lines = self._lines = self._lines or refrains.lines(places.window)
        return lines.starts[refrains.run(lines, bisect_left(lines.starts, start), picked)]

    def _read(self, places: Places, start: int, stop: int, line: Line | None = None) -> Iterator[Line]:
        """Yield a line, after known lines that must be read before it."""
        line = line or self.maker.line(places, start, stop)
        refrains = self._refrains
        if refrains is None:
            yield line
            return
        raw = places.data[start:stop]
        for row in refrains.overdue(line.channel, raw, self._lines):
            yield from self._read_row(refrains, row)
        refrains.before(line.channel)
        yield line
        refrains.was_read(line, raw, self.maker.prefixes.one(line.channel))

    def _read_row(self, refrains: Refrains, row: Row) -> Iterator[Line]:
        line = self.maker.row(row)
        yield line
        refrains.was_read(line, row.raw, self.maker.prefixes.one(line.channel))

    def _overdue(self) -> Iterator[Line]:
        """Yield what must be read, after all, before lines that do not stand here."""
        if self._refrains is not None:
            for row in self._refrains.all_overdue(self._lines):
                yield from self._read_row(self._refrains, row)
            self._refrains.interrupted()

    def _told(self, places: Places, tally: Tally, start: int) -> Told:
        return Told(tally, self.maker.line(places, start, start + len(tally.raw)))

    def _add(self, places: Places, tallies: Mapping[int, Tally]) -> Iterator[Line]:
        """Add the tallies of a window that holds nothing else to those of the windows before it."""
        yield from self._overdue()
        if self._stretch.is_long:
            yield from self._stretch.take()
        self._stretch.add(tallies, partial(self._told, places))
