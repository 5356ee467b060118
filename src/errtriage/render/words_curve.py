"""Series as pictures that formats share: which series a finding rests on, thinned points, and a one-line chart."""

from __future__ import annotations

import math
from collections.abc import Sequence

from errtriage.model import Explanation, Point, Report, Series
from errtriage.render.phrases import say

_BARS = "▁▂▃▄▅▆▇█"
_BAD = "×"
_COLUMNS = 44  # of a one-line chart: fits 80 columns together with its label
_MOST_SERIES = 4  # drawn for one finding


def series_of(explanation: Explanation, report: Report) -> list[Series]:
    """Return the series that an explanation rests on: those a value of which stands in its evidence."""
    cited = {(item.source, item.line, item.text.partition(" = ")[0]) for item in explanation.evidence}
    found: list[Series] = []
    for series in report.series:
        name = series.label or series.name
        points = [*series.points, *([series.bad] if series.bad else [])]
        drawn = any(one.points == series.points and one.name == series.name for one in found)
        if len(series.points) > 2 and not drawn and any((series.source, at.line, name) in cited for at in points):
            found.append(series)
    return found[:_MOST_SERIES]


def series_name(series: Series) -> str:
    """Return `val loss`: the metric and its split, as a reader would call it."""
    name = series.label or series.name
    split = series.split if series.split and series.split not in name else ""
    return f"{split} {name}".strip()


def number(value: float) -> str:
    """Return a value in four digits at most: 2.303, 1.2e+08, nan."""
    return f"{value:.4g}" if math.isfinite(value) else str(value)


def step_words(step: float) -> str:
    """Return a step as it is counted: 489,600, or 0.25 where it is a share of an epoch."""
    return f"{step:,.0f}" if math.isfinite(step) and step == int(step) else number(step)


def marked(series: Series) -> Point | None:
    """Return the point at the series' mark, else the nearest one before it."""
    if series.mark is None:
        return None
    bad = series.bad
    if bad is not None and bad.step == series.mark:
        return bad
    before = [point for point in series.points if point.step <= series.mark]
    return before[-1] if before else None


def thinned(points: Sequence[Point], columns: int) -> list[list[Point]]:
    """Return the points in at most that many buckets of equal width in steps, empty ones left out."""
    if not points:
        return []
    first, last = points[0].step, points[-1].step
    if not math.isfinite(first) or not math.isfinite(last) or last <= first or len(points) <= columns:
        size = -(-len(points) // columns)
        return [list(points[at : at + size]) for at in range(0, len(points), size)]
    buckets: dict[int, list[Point]] = {}
    for point in points:
        at = min(max(int((point.step - first) / (last - first) * columns), 0), columns - 1)
        buckets.setdefault(at, []).append(point)
    return [buckets[at] for at in sorted(buckets)]


def sparkline(series: Series, lang: str, columns: int = _COLUMNS) -> str:
    """Return a chart of one line, what it goes from and to, and below it the marked moment where there is one."""
    buckets = thinned(series.points, columns)
    finite = [[point.value for point in bucket if math.isfinite(point.value)] for bucket in buckets]
    bad = [any(not math.isfinite(point.value) for point in bucket) for bucket in buckets]
    levels = [sum(values) / len(values) if values else math.nan for values in finite]
    known = [level for level in levels if math.isfinite(level)]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    bars = [
        _BAD if spoilt or not math.isfinite(level) else _bar(level, low, high)
        for level, spoilt in zip(levels, bad, strict=True)
    ]
    first, last = series.points[0], series.points[-1]
    ends = say(
        lang,
        "first-last",
        first=number(first.value),
        last=number(last.value),
        start=step_words(first.step),
        end=step_words(last.step),
    )
    text = f"{''.join(bars)}  {ends}"
    moment = marked(series)
    if moment is None or series.mark is None:
        return text
    at = next((at for at, bucket in enumerate(buckets) if bucket[-1].step >= series.mark), len(buckets) - 1)
    return f"{text}\n{' ' * at}▲ {say(lang, 'at-step', step=step_words(series.mark), value=number(moment.value))}"


def _bar(level: float, low: float, high: float) -> str:
    if high <= low:
        return _BARS[3]
    return _BARS[min(int((level - low) / (high - low) * len(_BARS)), len(_BARS) - 1)]
