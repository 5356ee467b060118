"""What is wanted of a window: segments that hold a literal, tallies of those that are counted in bulk, samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import accumulate

from errtriage.model import Line
from errtriage.scan.engines import Dense
from errtriage.scan.places import Places
from errtriage.scan.segments import Segment
from errtriage.scan.spam import Spam, Tally
from errtriage.scan.wanted import Wanted
from errtriage.values import dataclass, field, replace

_STRETCH = 16  # windows of spam that are told in one


@dataclass(slots=True)
class Told:
    """A tally with the line that stands for it."""

    tally: Tally
    line: Line

    def merged(self) -> Line:
        """Return the line with what was counted."""
        return replace(self.line, repeat=self.tally.repeat())


@dataclass(slots=True, kw_only=True)
class Picks:
    """What is wanted of a window.

    Segments that hold a literal, tallies by where they start, and what gives the starts of those that they count;
    for the metrics a sample of its segments, or everything.
    """

    segments: list[Segment] = field(default_factory=list)
    told: dict[int, Tally] = field(default_factory=dict)
    counted: Callable[[], set[int]] = set
    sample: list[Segment] = field(default_factory=list)
    everything: bool = False


def bulk_picks(places: Places, dense: Dense, spam: Spam, wanted: Wanted) -> Picks:
    """Return the picks of a dense window, most of whose lines are counted in bulk."""
    ends = list(accumulate(map(len, dense.segments)))

    def start(at: int) -> int:
        return ends[at - 1] + at if at else 0

    done = spam.collapse(dense)
    for tally in done.tallies.values():
        tally.last_line = Places(places.window).span(start(tally.last)).last
    picked = [
        at
        for at in done.left
        if at == dense.latest or wanted.holds(dense.segments[at], dense.hot[dense.skeletons[at]].picking)
    ]
    return Picks(
        segments=[(start(at), start(at) + len(dense.segments[at])) for at in picked],
        told={start(tally.first): tally for tally in done.tallies.values()},
        counted=lambda: set(map(start, done.counted)),
    )


class Stretch:
    """Adds up the tallies of windows, one after the other, that hold nothing else."""

    def __init__(self) -> None:
        """Start without any."""
        self._told: dict[object, Told] = {}
        self._windows = 0

    @property
    def is_long(self) -> bool:
        """Whether it is time to tell what there is."""
        return self._windows == _STRETCH

    def add(self, tallies: Mapping[int, Tally], told: Callable[[Tally, int], Told]) -> None:
        """Take the tallies of a window by where they start, and what finds the line of one."""
        self._windows += 1
        for start, tally in sorted(tallies.items(), key=lambda item: item[0]):
            before = self._told.get(tally.shape)
            if before is None:
                self._told[tally.shape] = told(tally, start)
            else:
                before.tally.add_later(tally)

    def take(self) -> list[Line]:
        """Return a line for each shape, and begin anew."""
        told, self._told, self._windows = self._told, {}, 0
        return [one.merged() for one in told.values()]
