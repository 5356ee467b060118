"""What is wanted of a window: segments that hold a literal, tallies of those that are counted in bulk, samples."""

from __future__ import annotations

from collections.abc import Callable

from errtriage.model import Line
from errtriage.scan.segments import Segment
from errtriage.scan.spam import Tally
from errtriage.values import dataclass, field, replace


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
