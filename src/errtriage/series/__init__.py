"""Metric events to `Series` in bounded memory: thinned points, exact counts, the first non-finite value."""

from __future__ import annotations

import math

from errtriage.model import Event, Point, Series
from errtriage.series.restarts import Trainings
from errtriage.values import replace

_POINTS_KEPT = 512  # points of one series before every other one is dropped
_SERIES_KEPT = 256  # series of one attempt; further labels are left out and told in `cut`
_TRAININGS_KEPT = 12  # trainings of one channel whose curves are kept: the first, and the latest ones


class _Growing:
    """One series while it grows."""

    def __init__(self, event: Event, key: str, training: int) -> None:
        self.training = training
        self.split, self.name, self.label = key.split("|", 2)
        self.source, self.channel = event.source, event.channel
        self.points: list[Point] = []
        self.stride = 1
        self.count = 0
        self.bad: Point | None = None
        self.bad_run = 0
        self.digits: int | None = None
        self.last: Point | None = None

    def add(self, value: float, printed: str, step: float | None, line: int) -> None:
        if self.last is not None and line < self.last.line:
            return  # it stood beside lines that were counted and told later: a series runs as the log does
        point = Point(step=float(self.count) if step is None else step, value=value, line=line)
        if math.isfinite(value):
            self.bad_run = 0
            digits = len(printed.partition(".")[2].split("e")[0].split("E")[0])
            self.digits = max(self.digits or 0, digits)
        else:
            self.bad = self.bad or point
            self.bad_run += 1
        if self.count % self.stride == 0 or point is self.bad:
            self.points.append(point)
        self.last = point
        self.count += 1
        if len(self.points) > _POINTS_KEPT:
            self.points = [one for number, one in enumerate(self.points) if number % 2 == 0 or one is self.bad]
            self.stride *= 2

    def series(self) -> Series:
        points = list(self.points)
        if self.last is not None and (not points or points[-1] is not self.last):
            points.append(self.last)
        return Series(
            name=self.name,
            split=self.split,
            label=self.label,
            channel=self.channel,
            source=self.source,
            points=tuple(points),
            count=self.count,
            bad=self.bad,
            bad_run=self.bad_run,
            digits=self.digits,
            training=self.training,
        )


class SeriesBook:
    """Collects `metric` events."""

    def __init__(self) -> None:
        """Start empty."""
        self._growing: dict[tuple[str, str, str, int], _Growing] = {}
        self._trainings: dict[tuple[str, str], Trainings] = {}
        self.cut: list[str] = []

    def add(self, event: Event) -> None:
        """Take one `metric` event (one line, several values), or a `progress` event that tells an epoch."""
        values = {key: number(printed) for key, printed in event.fields.items() if "|" in key}
        place = (event.source, event.channel)
        trainings = self._trainings.get(place)
        if trainings is None:
            trainings = self._trainings[place] = Trainings()
        before, step = trainings.number, _step(event)
        training = trainings.take(event, values)
        if training > before:
            self._forget(place, training - _TRAININGS_KEPT + 1)
        for key, value in values.items():
            one = (event.source, event.channel, key, training)
            growing = self._growing.get(one)
            if growing is None:
                if len(self._growing) >= _SERIES_KEPT:
                    self.cut = [f"metrics: only the first {_SERIES_KEPT} series were followed"]
                    continue
                growing = self._growing[one] = _Growing(event, key, training)
            growing.add(value, event.fields[key], step, event.span.first)

    def _forget(self, place: tuple[str, str], training: int) -> None:
        """Forget a training of a channel unless it is the first one."""
        if training > 0:
            for key in [key for key in self._growing if key[:2] == place and key[3] == training]:
                del self._growing[key]
            self.cut = [f"metrics: of one channel the first training and the last {_TRAININGS_KEPT - 1} were followed"]

    def series(self) -> tuple[Series, ...]:
        """Return the series in the order of their first value."""
        told: dict[tuple[str, str, str, int], Series] = {}
        for (source, channel, key, training), growing in self._growing.items():
            before = (source, channel, key, training - 1)
            if before in told and training == self._only_begun(source, channel):
                told[before] = _joined(told[before], growing.series())
            else:
                told[source, channel, key, training] = growing.series()
        return tuple(told.values())

    def _only_begun(self, source: str, channel: str) -> int | None:
        trainings = self._trainings[source, channel]
        return trainings.number if trainings.only_begun else None


def _joined(one: Series, other: Series) -> Series:
    """Return two pieces of one curve as one."""
    bad_run = other.bad_run + (one.bad_run if other.bad_run == other.count else 0)
    points, count = one.points + other.points, one.count + other.count
    return replace(one, points=points, count=count, bad=one.bad or other.bad, bad_run=bad_run)


def number(printed: str) -> float:
    """Return the value of a printed number; `nan.0`, `NaN`, `inf` and `Infinity` are what they say."""
    lowered = printed.lower()
    if "nan" in lowered:
        return math.nan
    try:
        return float(lowered)
    except ValueError:
        return math.nan


def _step(event: Event) -> float | None:
    """Return the printed step, behind its epoch where both are printed; None where neither is."""
    epoch, step, total = (event.fields.get(name) for name in ("epoch", "step", "total"))
    if step is None:
        return float(epoch) if epoch is not None else None
    if epoch is not None and total is not None and float(total) > 0 and "." not in epoch:
        return float(epoch) * float(total) + float(step)
    return float(step)
