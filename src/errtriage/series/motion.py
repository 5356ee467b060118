"""Tests on series that look at how a metric moves: falling without end, blowing up, swinging, parting from another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from errtriage.averages import fmean, median
from errtriage.model import Point, Series
from errtriage.series.view import Around, Parameters, Seen, accuracy_beside, finite


def negative(series: Series, _: Parameters, __: Around) -> Seen | None:
    """A loss that becomes negative and falls on as fast as before: to 10 times its start below 0 (6 values, 4 below 0).

    The negative log of a density falls below 0, too, but ever more slowly.
    """
    points = finite(series)
    below = [point for point in points if point.value < 0.0]
    if len(points) < 6 or len(below) < 4 or points[-1].value >= 0.0:
        return None
    lowest = min(point.value for point in below)
    if lowest > -10.0 * max(1.0, abs(points[0].value)) or not _falls_on(points):
        return None
    return Seen(point=below[0], values={"lowest": f"{lowest:.4g}"}, weight=36.0)


def _falls_on(points: Sequence[Point]) -> bool:
    """Return whether the last third of a series falls by at least 0.7 of what the middle third does."""
    values = [point.value for point in points]
    third = max(2, len(values) // 3)
    early, middle, late = (
        fmean(values[at : at + third]) for at in (0, (len(values) - third) // 2, len(values) - third)
    )
    return late < middle < early and middle - late >= 0.7 * (early - middle)


def diverging(series: Series, parameters: Parameters, _: Around) -> Seen | None:
    """A finite value `factor` times (1,000) above what came before, and no way back to it (6 values before it).

    It must lie above all earlier values as well: a converged loss may jump by much and still be small.
    Where every later value, to the end of the log, stays far above all earlier ones, less is enough; and 2 values
    before it, none of them 0, are enough where it and all later ones (3 at least) lie `factor` times above them.
    """
    factor = float(parameters.get("factor", 1e3))
    points = finite(series)
    highest = 0.0
    for number, here in enumerate(points):
        if 2 <= number < 6 and _all_above(points, number, factor):
            return Seen(point=here, values={"before": f"{highest:.4g}"}, weight=30.0)
        if number >= 6 and here.value > 5.0 * highest:
            before = median(abs(point.value) for point in points[max(0, number - 32) : number])
            if here.value > factor * max(before, 1e-6) and points[-1].value > 10 * max(before, 1e-6):
                return Seen(point=here, values={"before": f"{before:.4g}"}, weight=36.0)
            if factor <= 1e3 and _stays_up(points[number:], highest):
                return Seen(point=here, values={"before": f"{before:.4g}"}, weight=30.0)
        highest = max(highest, abs(here.value))
    return None


def _all_above(points: Sequence[Point], number: int, factor: float) -> bool:
    before = [abs(point.value) for point in points[:number]]
    level = factor * max(before) * (1.0 if number > 2 else 10.0)
    return min(before) > 1e-4 and len(points) - number >= 3 and all(point.value > level for point in points[number:])


def _stays_up(tail: Sequence[Point], highest: float) -> bool:
    """Return whether 4 values or more to the end all lie 8 times above all before them, and the last is no way back."""
    values = [point.value for point in tail]
    return len(values) >= 4 and min(values) > 8.0 * max(highest, 1e-6) and values[-1] >= 0.9 * max(values)


def rising(series: Series, _: Parameters, around: Around) -> Seen | None:
    """A loss that rises from start to end: each sixth lies above the one before, the last 2 times above the first.

    It takes 24 values of a training loss, the least of them in the first sixth, and no reward beside it: losses of
    reinforcement learning rise with the values that they fit.
    """
    points = finite(series)
    if len(points) < 24 or series.bad is not None or series.split not in ("train", ""):
        return None
    if any("reward" in one.name or "return" in one.name or one.name == "accuracy" for one in around.others(series)):
        return None
    values = [point.value for point in points]
    size = len(values) // 6
    sixths = [median(values[at * size : (at + 1) * size]) for at in range(6)]
    steady = all(a < b for a, b in pairwise(sixths))
    if not steady or sixths[0] <= 0.0 or sixths[-1] < 2.0 * sixths[0] or min(values) < min(values[:size]):
        return None
    return Seen(point=points[size], values={"before": f"{sixths[0]:.4g}", "level": f"{sixths[-1]:.4g}"}, weight=24.0)


def spike(series: Series, parameters: Parameters, _: Around) -> Seen | None:
    """A finite value `factor` times (5) above the median of the 4 values or more before it, whatever comes after."""
    factor = float(parameters.get("factor", 5.0))
    points = finite(series)
    for number in range(4, len(points)):
        before = median(abs(point.value) for point in points[max(0, number - 32) : number])
        if points[number].value > factor * max(before, 1e-6):
            return Seen(point=points[number], values={"before": f"{before:.4g}"}, weight=16.0)
    return None


def oscillating(series: Series, _: Parameters, around: Around) -> Seen | None:
    """Smooth swings that do not die down (16 values): three turns or more, 3 values each, as wide late as early.

    Noise turns at every value, a sound training's swings grow narrower, and a rate that goes up and down moves them.
    """
    points = finite(series)
    values = [point.value for point in points]
    if len(values) < 16 or any(value < 0 for value in values) or _has_cycles(series, around):
        return None
    turns = [n for n in range(1, len(values) - 1) if (values[n] - values[n - 1]) * (values[n + 1] - values[n]) < 0]
    gaps = [b - a for a, b in pairwise(turns)]
    if len(turns) < 3 or len(turns) > len(values) / 4 or median(gaps) < 3:
        return None
    half = len(values) // 2
    early, late = values[:half], values[half:]
    width = max(late) - min(late)
    if width < 0.5 * (max(early) - min(early)) or width < 0.5 * fmean(values):
        return None
    return Seen(point=points[turns[0]], values={"turns": str(len(turns))}, weight=28.0)


def _has_cycles(series: Series, around: Around) -> bool:
    """Return whether the learning rate beside a series rises again after it has fallen."""
    rate = around.sibling(series, "lr")
    values = [point.value for point in finite(rate)] if rate is not None else []
    fell = False
    for before, after in pairwise(values):
        if fell and after > before * 1.2:
            return True
        fell = fell or after < before
    return False


def split_gap(series: Series, parameters: Parameters, around: Around) -> Seen | None:
    """A validation loss that ends `factor` (3) times above the training loss, 0.08 worse in accuracy (5 values each).

    Where no accuracies stand beside them, the two must part by far.

    `rising: true` asks that the validation loss rises from its least value by a fifth. `false` asks that it does not,
    and that a gap of a half stands after a third of the values already: what grows late is learning by heart.
    """
    if series.split != "val":
        return None
    # Beside a `val_loss` a bare `loss` is the training loss, as Keras prints it.
    trains = [one for one in around.beside(series) if one.name == series.name and one.split in ("train", "")]
    train = max(trains, key=lambda one: one.count, default=None)
    points, others = finite(series), finite(train) if train is not None else []
    if train is None or min(len(points), len(others)) < 5:
        return None
    apart = median(p.value for p in points[-3:]) / max(median(p.value for p in others[-4:]), 1e-9)
    rises = points[-1].value > 1.2 * min(point.value for point in points)
    if apart < float(parameters.get("factor", 3.0)) or rises != bool(parameters.get("rising", False)):
        return None
    if not rises and _at_a_third(points) < 1.5 * _at_a_third(others):
        return None
    ours, theirs = accuracy_beside(series, around), accuracy_beside(train, around)
    if ours is None or theirs is None:
        if not rises or not _parts(points, others):
            return None
    elif theirs - ours < 0.08:
        return None
    return Seen(point=points[-1], values={"factor": f"{apart:.1f}"}, weight=14.0)


def _parts(points: Sequence[Point], others: Sequence[Point]) -> bool:
    """Tell whether a validation loss rises by a half from an early least value, that of training falls to a twentieth.

    Without accuracies it takes that much (12 values each): a loss may rise a little where the answers stay as good.
    """
    if min(len(points), len(others)) < 12 or others[-1].value > 0.05 * others[0].value:
        return False
    values = [point.value for point in points]
    least = min(values)
    return values.index(least) < len(values) // 2 and median(values[-3:]) > 1.5 * least


def _at_a_third(points: Sequence[Point]) -> float:
    return points[round((len(points) - 1) * 0.35)].value
