"""What tests on series see: the series, those beside it, the facts; and small measures that several tests take."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from errtriage import TYPE_CHECKING
from errtriage.averages import fmean
from errtriage.model import Facts, Point, Series
from errtriage.values import dataclass

if TYPE_CHECKING:
    from typing import Any

Parameters = Mapping[str, "Any"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What a test may look at beside its series: the other series of the log, and its facts."""

    series: Sequence[Series]
    facts: Facts

    def others(self, of: Series) -> list[Series]:
        """Return the other series of the same channel and training."""
        return [one for one in self.beside(of) if one.source == of.source and one.channel == of.channel]

    def beside(self, of: Series) -> list[Series]:
        """Return the other series of all channels, as far as they are of the same training."""
        return [one for one in self.series if one is not of and one.training == of.training]

    def sibling(self, of: Series, *names: str) -> Series | None:
        """Return the longest other series with one of the names in the same channel, of the same split if it can be."""
        named = [one for one in self.others(of) if one.name in names]
        return max(named, key=lambda one: (one.split == of.split, one.count), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a test saw: the point to mark, values for texts, and how telling it is in characters of a text match."""

    point: Point
    values: Mapping[str, str]
    weight: float = 20.0


Test = Callable[[Series, Parameters, Around], "Seen | None"]


def finite(series: Series) -> list[Point]:
    """Return the points with a finite value."""
    return [point for point in series.points if math.isfinite(point.value)]


def tail(points: Sequence[Point], share: float = 0.5) -> list[Point]:
    """Return the last share of the points, two at least."""
    return list(points[-max(2, int(len(points) * share)) :])


def mean(points: Sequence[Point]) -> float:
    """Return the mean value; points must not be empty."""
    return fmean(point.value for point in points)


def spread(points: Sequence[Point]) -> float:
    """Return (max - min) over the mean of the absolute values."""
    values = [point.value for point in points]
    return (max(values) - min(values)) / max(fmean(abs(value) for value in values), 1e-12)


def fall(points: Sequence[Point]) -> float:
    """Return by which share of its level the second half of the points lies below the first."""
    half = len(points) // 2
    before, after = mean(points[:half]), mean(points[half:])
    return (before - after) / max(abs(before), 1e-12)


def run_at_end(points: Sequence[Point], holds: Callable[[Point], bool]) -> list[Point]:
    """Return the last points without a gap for which something holds."""
    start = len(points)
    while start and holds(points[start - 1]):
        start -= 1
    return list(points[start:])


def accuracy_beside(series: Series, around: Around) -> float | None:
    """Return the accuracy at the end as a share of 1, of the same split if it can be."""
    one = around.sibling(series, "accuracy")
    points = finite(one) if one is not None else []
    if not points or one is None:
        return None
    percent = max(point.value for point in points) > 1.5
    return mean(points[-2:]) / (100.0 if percent else 1.0)
