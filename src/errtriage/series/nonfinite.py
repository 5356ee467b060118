"""Tests on series that look for values which are no numbers, and for what hides them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from errtriage.averages import median
from errtriage.model import Series
from errtriage.series.view import Around, Parameters, Seen, finite, run_at_end


def nonfinite(series: Series, parameters: Parameters, around: Around) -> Seen | None:
    """NaN or inf that stays: the last two values at least (one alone where it is the only one).

    A single bad value that recovers is no finding, nor one beside a loss that stays finite afterwards, under another
    name or in a bar: the weights of such a run are sound. The same holds for a gradient norm beside any finite loss.
    """
    if series.bad is None or series.bad_run < int(parameters.get("points", min(2, series.count))):
        return None
    if series.name == "grad_norm" and any(_is_sound(one, series) for one in around.others(series)):
        return None
    if "loss" in series.name and any(_goes_on(one, series) for one in around.others(series)):
        return None
    before = [point for point in finite(series) if point.line <= series.bad.line]
    last = before[-1] if before else None
    values = {"kind": "NaN" if math.isnan(series.bad.value) else "inf"}
    if last is not None:
        values |= {"last_value": f"{last.value:.6g}", "last_step": f"{last.step:g}"}
    return Seen(point=series.bad, values=values, weight=24.0 if before else 20.0)


def _is_sound(other: Series, norm: Series) -> bool:
    """Return whether a loss is finite where, and after, the gradient norm is not: a scaler skips such steps."""
    if "loss" not in other.name or other.name == "loss_scale" or other.bad is not None or norm.bad is None:
        return False
    later = [point for point in finite(other) if point.line >= norm.bad.line]
    # A filter prints 0.0 in place of a loss that is nan.
    return bool(later) and later[-1].value != 0.0


def _goes_on(other: Series, series: Series) -> bool:
    """Return whether another loss has as many values as the bad one, all finite, some printed after it went bad."""
    if other.bad is not None or "loss" not in other.name or other.name == "loss_scale" or series.bad is None:
        return False
    if series.name == "loss" and other.name != "loss":
        return False  # a part of the sum can not speak for the whole
    later = [point for point in finite(other) if point.line >= series.bad.line and point.value != 0.0]
    longer = other.name == series.name and other.count >= series.count and other.split in (series.split, "train", "")
    return longer or len({point.line for point in later}) >= 3


def nonfinite_beside(series: Series, _: Parameters, around: Around) -> Seen | None:
    """A validation loss that ends in NaN or inf (2 values at least) beside a training loss that stays finite."""
    if series.bad is None or series.bad_run < 2 or series.split not in ("val", "test"):
        return None
    beside = [one for one in around.others(series) if one.name == series.name and one.split in ("train", "")]
    finite_to_the_end = [one for one in beside if one.bad is None and one.count >= max(2, series.bad_run)]
    if not finite_to_the_end or any(one.bad is not None for one in beside):
        return None
    kind = "nan" if math.isnan(series.bad.value) else "inf"
    return Seen(point=series.bad, values={"kind": kind}, weight=28.0)


def zero_hides_nan(series: Series, _: Parameters, around: Around) -> Seen | None:
    """A loss of exactly 0 to the end while the gradient norm, or another loss, is not finite.

    2 values at least, or 3 where the log shows no other value of the loss.
    """
    points = finite(series)
    zeros = run_at_end(points, lambda point: point.value == 0.0)
    if len(zeros) < (3 if len(zeros) == len(points) else 2):
        return None
    others = [one for one in around.beside(series) if one.source == series.source]
    bad = [one for one in others if one.bad_run >= 2 and (one.name == "grad_norm" or "loss" in one.name)]
    if not bad:
        return None
    return Seen(point=zeros[0], values={"other": bad[0].label, "other_line": str(_line(bad[0]))}, weight=40.0)


def _line(series: Series) -> int:
    return series.bad.line if series.bad else 0


def sudden(series: Series, _: Parameters, __: Around) -> Seen | None:
    """NaN that stays, out of the blue: of 4 finite values or more before it none is 5 times their median."""
    bad = series.bad
    if bad is None or not math.isnan(bad.value) or series.bad_run < 2:
        return None
    before = [abs(point.value) for point in finite(series) if point.line <= bad.line]
    if len(before) < 4 or _grows(before):
        return None
    return Seen(point=bad, values={"before": f"{median(before):.4g}"}, weight=24.0)


def _grows(values: Sequence[float]) -> bool:
    return max(values[-4:]) > 5.0 * max(median(values), 1e-12)


def at_minimum(series: Series, parameters: Parameters, _: Around) -> Seen | None:
    """A scale that was halved three times or more and ends at its least value, `level` (1) or below."""
    points = finite(series)
    values = [point.value for point in points]
    falls = sum(1 for a, b in pairwise(values) if b <= a / 1.9)
    if falls < 3 or values[-1] > float(parameters.get("level", 1.0)):
        return None
    return Seen(point=points[-1], values={"highest": f"{max(values):g}"}, weight=32.0)
