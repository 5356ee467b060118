"""Mean and median: the part of `statistics` that errtriage uses, without the decimals and hashes that it imports."""

from __future__ import annotations

import math
from collections.abc import Iterable


def fmean(values: Iterable[float]) -> float:
    """Return the arithmetic mean. Raises ZeroDivisionError where there are no values."""
    known = list(values)
    return math.fsum(known) / len(known)


def median(values: Iterable[float]) -> float:
    """Return the middle value, or the mean of the middle two. Raises IndexError where there are no values."""
    known = sorted(values)
    half = len(known) // 2
    return known[half] if len(known) % 2 else (known[half - 1] + known[half]) / 2
