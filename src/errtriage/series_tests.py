"""The closed list of tests on metric series: each says what it saw, with its numbers, or nothing.

Every test names how long a series must be before it may speak, and is silent on a shorter one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise
from statistics import fmean, median
from typing import Any

from errtriage.model import Facts, Point, Series, SeriesMatch
from errtriage.values import dataclass, replace

Parameters = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What a test may look at beside its series: the other series of the log, and its facts."""

    series: Sequence[Series]
    facts: Facts

    def sibling(self, of: Series, *names: str) -> Series | None:
        """Return the longest other series with one of the names in the same channel, of the same split if it can be."""
        near = [one for one in self.series if one is not of and one.source == of.source and one.channel == of.channel]
        named = [one for one in near if one.name in names]
        return max(named, key=lambda one: (one.split == of.split, one.count), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a test saw: the point to mark, values for texts, and how telling it is in characters of a text match."""

    point: Point
    values: Mapping[str, str]
    weight: float = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A series that passed a test of an entry."""

    series: Series
    values: Mapping[str, str]
    certainty: float


def find(row: SeriesMatch, series: Sequence[Series], facts: Facts) -> list[Finding]:
    """Return what an entry's test sees in all series that its metric names (`loss`, `*loss`), clearest first."""
    around = Around(series=series, facts=facts)
    found = []
    for one in series:
        if not fnmatchcase(one.name, row.metric) or row.parameters.get("split", one.split) != one.split:
            continue
        if row.with_metric is not None and around.sibling(one, row.with_metric) is None:
            continue
        seen = TESTS[row.test](one, row.parameters, around)
        if seen is not None:
            found.append(_finding(one, seen))
    return sorted(found, key=lambda finding: -finding.certainty)


def _finding(series: Series, seen: Seen) -> Finding:
    values = {
        "metric": series.label or series.name,
        "split": series.split,
        "step": f"{seen.point.step:g}",
        "value": f"{seen.point.value:.6g}",
        "line": str(seen.point.line),
        "points": str(series.count),
        **seen.values,
    }
    marked = replace(series, mark=seen.point.step)
    return Finding(series=marked, values=values, certainty=seen.weight)


def gauge(value: Parameters, series: Sequence[Series], facts: Facts | None = None) -> str | None:
    """Return in words what a `metric` condition sees: `{name, test, …}`; None where it does not hold."""
    around = Around(series=series, facts=facts or Facts())
    for one in series:
        if fnmatchcase(one.name, str(value["name"])):
            seen = TESTS[str(value["test"])](one, value, around)
            if seen is not None:
                return f"{one.label or one.name} shows it at step {seen.point.step:g} (line {seen.point.line})."
    return None


def _finite(series: Series) -> list[Point]:
    return [point for point in series.points if math.isfinite(point.value)]


def _tail(points: Sequence[Point], share: float = 0.5) -> list[Point]:
    return list(points[-max(2, int(len(points) * share)) :])


def _nonfinite(series: Series, parameters: Parameters, around: Around) -> Seen | None:
    """NaN or inf that stays: the last two values at least (one alone where it is the only one), and no better twin.

    A single bad value that recovers is no finding, nor a bar's `loss=nan` beside a good loss of the same split.
    """
    if series.bad is None or series.bad_run < min(int(parameters.get("points", 2)), series.count):
        return None
    if "loss" in series.name:
        twins = [one for one in around.series if one.channel == series.channel and one.source == series.source]
        good = [one for one in twins if one.name == series.name and one.bad is None and one.count >= series.count]
        if any(one.split in (series.split, "train", "") for one in good):
            return None
    before = [point for point in _finite(series) if point.line <= series.bad.line]
    last = before[-1] if before else None
    values = {"kind": "NaN" if math.isnan(series.bad.value) else "inf"}
    if last is not None:
        values |= {"last_value": f"{last.value:.6g}", "last_step": f"{last.step:g}"}
    return Seen(point=series.bad, values=values, weight=24.0 if before else 20.0)


def _zero_hides_nan(series: Series, _: Parameters, around: Around) -> Seen | None:
    """A loss of exactly 0 to the end (3 values at least) while the gradient norm, or another loss, is not finite."""
    points = _finite(series)
    zeros = _run_at_end(points, lambda point: point.value == 0.0)
    if len(zeros) < 3 or len(zeros) == len(points):
        return None
    others = [one for one in around.series if one.source == series.source and one is not series]
    bad = [one for one in others if one.bad_run >= 2 and (one.name == "grad_norm" or "loss" in one.name)]
    if not bad:
        return None
    return Seen(point=zeros[0], values={"other": bad[0].label, "other_line": str(_line(bad[0]))}, weight=40.0)


def _line(series: Series) -> int:
    return series.bad.line if series.bad else 0


def _run_at_end(points: Sequence[Point], holds: Callable[[Point], bool]) -> list[Point]:
    start = len(points)
    while start and holds(points[start - 1]):
        start -= 1
    return list(points[start:])


def floor_of_double_softmax(classes: int) -> float:
    """Return the least cross entropy that probabilities in place of logits can reach: -ln(e / (e + K - 1))."""
    return -math.log(math.e / (math.e + classes - 1))


def _classes(around: Around) -> tuple[int, ...]:
    """Return the class counts to try: the one that the log tells, else those of the usual data sets."""
    return (around.facts.classes,) if around.facts.classes else (10, 100, 1000, 2, 3, 4, 5, 6, 7, 8, 9, 20, 26, 47, 200)


def _double_softmax_floor(series: Series, _: Parameters, around: Around) -> Seen | None:
    """A loss that ends just above the floor, where a right answer costs the floor and a wrong one 1 more (8 values).

    With accuracy a the level is floor + (1 - a); without one the last half must lie flat within 4 % of the floor.
    """
    points = _finite(series)
    if len(points) < 8 or not 0.5 < points[-1].value < 8.0:
        return None
    tail = _tail(points, 0.25)
    level, least = fmean(point.value for point in tail), min(point.value for point in points)
    accuracy = _accuracy(series, around)
    for classes in _classes(around):
        floor = floor_of_double_softmax(classes)
        if least < floor - 0.004 or points[0].value < floor:
            continue
        by_accuracy = accuracy is not None and accuracy > 0.6 and abs(level - floor - (1.0 - accuracy)) < 0.035
        flat = _spread(_tail(points)) < 0.04 and least - floor < 0.01 and level - floor < 0.04 * floor
        if by_accuracy or (accuracy is None and flat and classes == _solved(least)):
            low = min(points, key=lambda point: point.value)
            values = {"classes": str(classes), "floor": f"{floor:.4f}", "level": f"{level:.4f}"}
            values |= {"accuracy": f"{accuracy:.3f}"} if accuracy is not None else {}
            return Seen(point=low, values=values, weight=44.0 if by_accuracy else 30.0)
    return None


def _solved(level: float) -> int:
    """Return the whole number of classes whose floor is nearest to a level; 0 where none is near enough to count."""
    exact = math.exp(level) * math.e - math.e + 1.0
    return round(exact) if abs(exact - round(exact)) < 0.15 else 0


def _accuracy(series: Series, around: Around) -> float | None:
    """Return the accuracy at the end as a share of 1, of the same split if it can be."""
    one = around.sibling(series, "accuracy")
    points = _finite(one) if one is not None else []
    if not points or one is None:
        return None
    percent = max(point.value for point in points) > 1.5
    return fmean(point.value for point in points[-2:]) / (100.0 if percent else 1.0)


def _chance(series: Series, parameters: Parameters, around: Around) -> Seen | None:
    """A loss that stays at ln K to the end (8 values, three quarters), with K told, or an accuracy near 1/K."""
    points = _finite(series)
    if len(points) < int(parameters.get("points", 8)):
        return None
    tail = _tail(points, 0.75)
    level = fmean(point.value for point in tail)
    if level <= 0.6 or _spread(tail) > 0.03:
        return None
    exact = math.exp(level)
    classes = round(exact)
    known, accuracy = around.facts.classes, _accuracy(series, around)
    near = abs(level - math.log(classes)) < 0.012
    by_accuracy = accuracy is not None and abs(accuracy - 1.0 / classes) < 0.35 / classes + 0.005
    if not near or (known is not None and known != classes) or not (known == classes or by_accuracy):
        return None
    flat = _run_at_end(points, lambda point: abs(point.value - level) < 0.02 * level)
    return Seen(point=flat[0], values={"classes": str(classes), "level": f"{level:.4f}"}, weight=32.0)


def _spread(points: Sequence[Point]) -> float:
    """Return (max - min) over the mean of the absolute values."""
    values = [point.value for point in points]
    return (max(values) - min(values)) / max(fmean(abs(value) for value in values), 1e-12)


def _constant(series: Series, parameters: Parameters, around: Around) -> Seen | None:
    """The same value to all printed digits (three at least), 6 times or more, to the end; zeros are another test's."""
    points = _finite(series)
    run = _run_at_end(points, lambda point: point.value == points[-1].value)
    if len(run) < int(parameters.get("points", 6)) or len(run) * 2 < len(points) or points[-1].value == 0.0:
        return None
    if (series.digits or 0) < int(parameters.get("digits", 3)):
        return None
    twin = [
        one for one in around.series if one is not series and one.name == series.name and one.source == series.source
    ]
    # A loss that is constant in one split only because nothing is left to learn falls in the other.
    if any(len(_finite(one)) >= 4 and _finite(one)[-1].value < 0.9 * _finite(one)[0].value for one in twin):
        return None
    return Seen(point=run[0], values={"times": str(len(run))}, weight=36.0)


def _negative(series: Series, _: Parameters, __: Around) -> Seen | None:
    """A loss that starts positive, becomes negative and falls on without end: 10 times below its start, 4 values."""
    points = _finite(series)
    below = [point for point in points if point.value < 0.0]
    if len(below) < 4 or points[0].value <= 0.0 or points[-1].value >= 0.0:
        return None
    scale = 10.0 * max(1.0, points[0].value)
    falls = points[-1].value <= median(point.value for point in below)
    if min(point.value for point in below) > -scale or not falls:
        return None
    return Seen(point=below[0], values={"lowest": f"{min(point.value for point in below):.4g}"}, weight=36.0)


def _diverging(series: Series, parameters: Parameters, _: Around) -> Seen | None:
    """A finite value `factor` times (1,000) above what came before, and no way back to it (6 values before it)."""
    factor = float(parameters.get("factor", 1e3))
    points = _finite(series)
    for number in range(min(6, len(points)), len(points)):
        before = median(abs(point.value) for point in points[:number][-32:])
        here = points[number]
        if here.value > factor * max(before, 1e-6) and points[-1].value > 10 * max(before, 1e-6):
            return Seen(point=here, values={"before": f"{before:.4g}"}, weight=36.0)
    return None


def _spike(series: Series, parameters: Parameters, _: Around) -> Seen | None:
    """A finite value `factor` times (5) above the median of the 4 values or more before it, whatever comes after."""
    factor = float(parameters.get("factor", 5.0))
    points = _finite(series)
    for number in range(4, len(points)):
        before = median(abs(point.value) for point in points[:number][-32:])
        if points[number].value > factor * max(before, 1e-6):
            return Seen(point=points[number], values={"before": f"{before:.4g}"}, weight=16.0)
    return None


def _oscillating(series: Series, _: Parameters, __: Around) -> Seen | None:
    """Smooth swings that do not die down (16 values): two turns or more, each lasting 3 values, as wide late as early.

    Noise turns at every value, and a sound training's swings grow narrower.
    """
    values = [point.value for point in _finite(series)]
    points = _finite(series)
    if len(values) < 16 or any(value < 0 for value in values):
        return None
    turns = [n for n in range(1, len(values) - 1) if (values[n] - values[n - 1]) * (values[n + 1] - values[n]) < 0]
    gaps = [b - a for a, b in pairwise(turns)]
    if len(turns) < 2 or len(turns) > len(values) / 4 or (gaps and median(gaps) < 3):
        return None
    half = len(values) // 2
    early, late = values[:half], values[half:]
    width = max(late) - min(late)
    if width < 0.5 * (max(early) - min(early)) or width < 0.5 * fmean(abs(value) for value in values):
        return None
    return Seen(point=points[turns[0]], values={"turns": str(len(turns))}, weight=28.0)


def _plateau(series: Series, parameters: Parameters, _: Around) -> Seen | None:
    """A level that the last `share` (0.6) of the series keeps within `band` (0.05) of its mean (10 values)."""
    points = _finite(series)
    if len(points) < int(parameters.get("points", 10)):
        return None
    tail = _tail(points, float(parameters.get("share", 0.6)))
    if _spread(tail) > float(parameters.get("band", 0.05)):
        return None
    return Seen(point=tail[0], values={"level": f"{fmean(point.value for point in tail):.4f}"}, weight=18.0)


def _near(series: Series, parameters: Parameters, _: Around) -> Seen | None:
    """Values that stay within `band` (0.02) of `level` (0) over the last `share` (0.6) of the series (4 values)."""
    points = _finite(series)
    tail = _tail(points, float(parameters.get("share", 0.6))) if points else []
    if len(points) < int(parameters.get("points", 4)):
        return None
    level, band = float(parameters.get("level", 0.0)), float(parameters.get("band", 0.02))
    if any(abs(point.value - level) > band for point in tail):
        return None
    return Seen(point=tail[0], values={"level": f"{fmean(point.value for point in tail):.4f}"}, weight=20.0)


def _at_minimum(series: Series, parameters: Parameters, _: Around) -> Seen | None:
    """A scale that was halved three times or more and ends at its least value, `level` (1) or below."""
    points = _finite(series)
    values = [point.value for point in points]
    falls = sum(1 for a, b in pairwise(values) if b <= a / 1.9)
    if falls < 3 or values[-1] > float(parameters.get("level", 1.0)):
        return None
    return Seen(point=points[-1], values={"highest": f"{max(values):g}"}, weight=32.0)


def _zero(series: Series, parameters: Parameters, _: Around) -> Seen | None:
    """Exactly 0, from the first value (`from: start`) or to the end, 5 values or more."""
    points = _finite(series)
    run = _run_at_end(points, lambda point: point.value == 0.0)
    if len(run) < int(parameters.get("points", 5)):
        return None
    if parameters.get("from") == "start" and len(run) != len(points):
        return None
    return Seen(point=run[0], values={"times": str(len(run))}, weight=30.0)


def _split_gap(series: Series, parameters: Parameters, around: Around) -> Seen | None:
    """A validation loss that ends `factor` (3) times above the training loss, 0.08 worse in accuracy (5 values each).

    `rising: true` asks that the validation loss rises from its least value by a fifth, `false` that it does not.
    """
    if series.split != "val":
        return None
    trains = [one for one in around.series if one.name == series.name and one.split == "train"]
    train = max(trains, key=lambda one: one.count, default=None)
    points, others = _finite(series), _finite(train) if train is not None else []
    if min(len(points), len(others)) < 5:
        return None
    apart = median(p.value for p in points[-3:]) / max(median(p.value for p in others[-4:]), 1e-9)
    rises = points[-1].value > 1.2 * min(point.value for point in points)
    if apart < float(parameters.get("factor", 3.0)) or rises != bool(parameters.get("rising", False)):
        return None
    ours = _accuracy(series, around)
    theirs = _accuracy(train, around) if train is not None else None
    if ours is None or theirs is None or theirs - ours < 0.08:
        return None
    return Seen(point=points[-1], values={"factor": f"{apart:.1f}"}, weight=14.0)


TESTS: Mapping[str, Callable[[Series, Parameters, Around], Seen | None]] = {
    "nonfinite": _nonfinite,
    "zero_hides_nan": _zero_hides_nan,
    "double_softmax_floor": _double_softmax_floor,
    "chance": _chance,
    "constant": _constant,
    "negative": _negative,
    "diverging": _diverging,
    "spike": _spike,
    "oscillating": _oscillating,
    "plateau": _plateau,
    "near": _near,
    "at_minimum": _at_minimum,
    "zero": _zero,
    "split_gap": _split_gap,
}
