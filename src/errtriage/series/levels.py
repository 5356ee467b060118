"""Tests on series that look for a level at which a metric stays: a floor, chance, a constant, zero."""

from __future__ import annotations

import math
from collections.abc import Sequence

from errtriage.model import Point, Series
from errtriage.series.view import (
    Around,
    Parameters,
    Seen,
    accuracy_beside,
    fall,
    finite,
    mean,
    run_at_end,
    spread,
    tail,
)

# Class counts that are tried where the log does not tell one: those of the usual data sets.
_USUAL = (10, 100, 1000, 2, 3, 4, 5, 6, 7, 8, 9, 20, 26, 47, 200)
# Above this the values of ln K lie closer together than a loss wavers, so that only usual counts are told.
_DENSE = 60
_LARGE = (100, 101, 102, 200, 256, 365, 1000, 8192, 10000, 21841, 30522, 32000, 50257, 50304, 128256)


def floor_of_double_softmax(classes: int) -> float:
    """Return the least cross entropy that probabilities in place of logits can reach: -ln(e / (e + K - 1))."""
    return -math.log(math.e / (math.e + classes - 1))


def double_softmax_floor(series: Series, _: Parameters, around: Around) -> Seen | None:
    """A loss that ends just above the floor, where a right answer costs the floor and a wrong one 1 more (8 values).

    With accuracy a (0.6 at least) the level is floor + (1 - a), and that must be half as much again as a calibrated
    model would have at that accuracy. Without one the last half must lie flat within 4 % of the floor, which gives the
    number of classes. No other loss of the log may lie below the floor.
    """
    points = finite(series)
    if len(points) < 8 or not 0.3 < points[-1].value < 8.0:
        return None
    known = around.facts.classes
    level, least = mean(tail(points, 0.25)), min(point.value for point in points)
    accuracy = accuracy_beside(series, around)
    for classes in (known,) if known else _USUAL:
        floor = floor_of_double_softmax(classes)
        if least < floor - 0.004 or points[0].value < floor or _is_undercut(series, around, floor):
            continue
        by_accuracy = accuracy is not None and _costs_one_more(level - floor, accuracy, level, classes)
        flat = spread(tail(points)) < 0.04 and least - floor < 0.01 and level - floor < 0.04 * floor
        by_level = accuracy is None and flat and points[-1].value > 0.5 and classes == _solved(least)
        if by_accuracy or by_level:
            low = min(points, key=lambda point: point.value)
            values = {"classes": str(classes), "floor": f"{floor:.4f}", "level": f"{level:.4f}"}
            values |= {"accuracy": f"{accuracy:.3f}"} if accuracy is not None else {}
            return Seen(point=low, values=values, weight=44.0 if by_accuracy else 30.0)
    return None


def _costs_one_more(above: float, accuracy: float, level: float, classes: int) -> bool:
    wrong = max(1.0 - accuracy, 1e-6)
    calibrated = -accuracy * math.log(max(accuracy, 1e-6)) - wrong * math.log(wrong / max(1, classes - 1))
    return accuracy > 0.6 and abs(above - wrong) < 0.035 and level > 1.5 * calibrated


def _is_undercut(series: Series, around: Around, floor: float) -> bool:
    """Return whether a loss of the same name lies below a floor that holds for all of them."""
    twins = [one for one in around.others(series) if one.name == series.name]
    return any(point.value < floor - 0.02 for one in twins for point in finite(one)[-4:])


def _solved(level: float) -> int:
    """Return the whole number of classes whose floor is nearest to a level; 0 where none is near enough to count."""
    exact = math.exp(level) * math.e - math.e + 1.0
    return round(exact) if abs(exact - round(exact)) < 0.15 else 0


def chance(series: Series, parameters: Parameters, around: Around) -> Seen | None:
    """A loss that stays at ln K to the end (8 values, the last three quarters), with K told, or an accuracy near 1/K.

    A loss that still falls, however slowly, is in its warm-up; so is one in the first 2 % of the steps.
    """
    points = finite(series)
    if len(points) < int(parameters.get("points", 8)):
        return None
    flat = tail(points, 0.75)
    level = mean(flat)
    if not 0.6 < level < 14.0 or spread(flat) > 0.03 or fall(flat) > 0.0025 or _has_just_begun(points, around):
        return None
    classes = round(math.exp(level))
    known, accuracy = around.facts.classes, accuracy_beside(series, around)
    near = abs(level - math.log(classes)) < (0.012 if classes <= _DENSE else 0.004)
    if not near or (known is not None and known != classes):
        return None
    if known is None and (accuracy is None or not _is_a_guess(accuracy, classes)):
        return None
    run = run_at_end(points, lambda point: abs(point.value - level) < 0.02 * level)
    return Seen(point=run[0], values={"classes": str(classes), "level": f"{level:.4f}"}, weight=32.0)


def _is_a_guess(accuracy: float, classes: int) -> bool:
    if classes > _DENSE:
        return classes in _LARGE and accuracy < 3.0 / classes + 0.002
    return abs(accuracy - 1.0 / classes) < 0.35 / classes + 0.005


def _has_just_begun(points: Sequence[Point], around: Around) -> bool:
    total = around.facts.total_steps
    return bool(total) and points[-1].step < 0.02 * (total or 0)


def constant(series: Series, parameters: Parameters, around: Around) -> Seen | None:
    """The same value to all printed digits, on 6 lines or more, to the end, for half of the series at least.

    The value must be printed with `digits` (3) decimals and three digits that count. Not for zeros, nor for
    a loss that has come down to a twentieth of its start, or whose twin of another split falls: there all is learnt.
    Nor for values that all are of one step: there one and the same model is judged again and again.
    """
    points = finite(series)
    run = run_at_end(points, lambda point: point.value == points[-1].value)
    lines, steps = {point.line for point in run}, {point.step for point in run}
    if len(lines) < int(parameters.get("points", 6)) or len(run) * 2 < len(points) or points[-1].value == 0.0:
        return None
    if len(steps) == 1:
        return None
    level = abs(points[-1].value)
    digits = series.digits or 0
    counting = digits + math.floor(math.log10(level)) + 1
    if digits < int(parameters.get("digits", 3)) or counting < 3 or level < 0.05 * abs(points[0].value):
        return None
    twins = [finite(one) for one in around.beside(series) if one.name == series.name]
    if any(len(twin) >= 4 and twin[-1].value < 0.9 * twin[0].value for twin in twins):
        return None
    return Seen(point=run[0], values={"times": str(len(run))}, weight=36.0)


def plateau(series: Series, parameters: Parameters, _: Around) -> Seen | None:
    """A level that the last `share` (0.6) of the series keeps within `band` (0.05) of its mean (10 values)."""
    points = finite(series)
    if len(points) < int(parameters.get("points", 10)):
        return None
    flat = tail(points, float(parameters.get("share", 0.6)))
    if spread(flat) > float(parameters.get("band", 0.05)):
        return None
    return Seen(point=flat[0], values={"level": f"{mean(flat):.4f}"}, weight=18.0)


def near(series: Series, parameters: Parameters, _: Around) -> Seen | None:
    """Values that stay within `band` (0.02) of `level` (0) over the last `share` (0.6) of the series (4 values)."""
    points = finite(series)
    kept = tail(points, float(parameters.get("share", 0.6))) if points else []
    if len(points) < int(parameters.get("points", 4)):
        return None
    level, band = float(parameters.get("level", 0.0)), float(parameters.get("band", 0.02))
    if any(abs(point.value - level) > band for point in kept):
        return None
    return Seen(point=kept[0], values={"level": f"{mean(kept):.4f}"}, weight=20.0)


def zero(series: Series, parameters: Parameters, _: Around) -> Seen | None:
    """Exactly 0, from the first value (`from: start`) or to the end, 5 values or more."""
    points = finite(series)
    run = run_at_end(points, lambda point: point.value == 0.0)
    if len(run) < int(parameters.get("points", 5)):
        return None
    if parameters.get("from") == "start" and len(run) != len(points):
        return None
    return Seen(point=run[0], values={"times": str(len(run))}, weight=30.0)
