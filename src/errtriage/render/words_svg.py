"""Pictures of a report as SVG: a series with its marked moment, and the moments of a job by rank."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from errtriage.model import Point, Series
from errtriage.render.phrases import say
from errtriage.render.words import clean, ranks
from errtriage.render.words_curve import marked, number, series_name, step_words, thinned
from errtriage.render.words_ranks import Moment

_WIDTH, _HEIGHT = 640, 230  # of a chart, in units of its own
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 16, 26, 30
_MOST_POINTS = 360
_MOST_LANES = 10
_LANE, _COLUMN, _LABEL = 30, 34, 190


def text_of(text: str) -> str:
    """Return any text for HTML or SVG, inside of tags and of quoted attributes."""
    return escape(clean(text), quote=True)


def chart(series: Series, lang: str) -> str:
    """Return a chart of a series: its curve, values that are no numbers at the top, a dashed line at its mark."""
    points = [point for bucket in thinned(series.points, _MOST_POINTS // 2) for point in _ends(bucket)]
    known = [point.value for point in points if math.isfinite(point.value)]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    log = low > 0 and high / low > 1000
    scale_y = _Scale(math.log10(low) if log else low, math.log10(high) if log else high, _HEIGHT - _BOTTOM, _TOP)
    steps = [point.step for point in points] + ([series.mark] if series.mark is not None else [])
    scale_x = _Scale(min(steps, default=0), max(steps, default=1), _LEFT, _WIDTH - _RIGHT)

    def at(point: Point) -> tuple[float, float]:
        value = math.log10(point.value) if log else point.value
        return scale_x(point.step), scale_y(value)

    parts = _axes(scale_x, scale_y, log=log)
    for run in _finite_runs(points):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(at, run))
        parts.append(f'<polyline class="curve" points="{path}"/>')
        if len(run) == 1:
            x, y = at(run[0])
            parts.append(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="3"/>')
    for point in [one for one in points if not math.isfinite(one.value)][:_MOST_POINTS]:
        x = scale_x(point.step)
        parts.append(f'<path class="bad" d="M{x - 4:.1f} {_TOP}l8 8m0 -8l-8 8"/>')
    parts += _mark(series, scale_x, lang)
    first, last = (points[0], points[-1]) if points else (Point(step=0, value=0, line=0),) * 2
    label = say(
        lang, "chart-label", name=series_name(series), start=step_words(first.step), end=step_words(last.step),
        first=number(first.value), last=number(last.value),
    )  # fmt: skip
    label += f" ({say(lang, 'log-scale')})" if log else ""
    return _svg("chart", _WIDTH, _HEIGHT, label, parts)


def _ends(bucket: Sequence[Point]) -> list[Point]:
    """Return a bucket's lowest and highest point, and those that are no numbers, in their order."""
    finite = [point for point in bucket if math.isfinite(point.value)]
    kept = [*finite[:1], *[point for point in bucket if not math.isfinite(point.value)][:1]]
    if finite:
        kept = [min(finite, key=lambda p: p.value), max(finite, key=lambda p: p.value), *kept[1:]]
    return [point for point in bucket if any(point is one for one in kept)]


class _Scale:
    """Values to places on the picture."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        if not (math.isfinite(low) and math.isfinite(high)):
            low, high = 0.0, 1.0
        spread = high - low or abs(high) * 0.1 or 1.0
        self.low, self.high = (low, high) if high > low else (low - spread / 2, high + spread / 2)
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        """Return the place of a value, within the picture."""
        if not math.isfinite(value):
            return self.end
        share = (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2)  # halves: the spread of floats overflows
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)

    def ticks(self, count: int) -> list[float]:
        """Return about that many round values between the ends."""
        spread = self.high / count - self.low / count
        if not (math.isfinite(spread) and spread > 0):
            return [self.low, self.high]
        power = 10.0 ** math.floor(math.log10(spread))
        width = next(step * power for step in (1, 2, 5, 10) if step * power >= spread * 0.999)
        first = math.ceil(self.low / width)
        return [value for n in range(count + 2) if (value := (first + n) * width) <= self.high * (1 + 1e-9) + 1e-300]


def _axes(scale_x: _Scale, scale_y: _Scale, *, log: bool) -> list[str]:
    parts = []
    for value in scale_y.ticks(4):
        y = scale_y(value)
        told = number(10**value if log and value < 300 else value)
        parts.append(f'<line class="grid" x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{told}</text>')
    for value in scale_x.ticks(6):
        x = scale_x(value)
        parts.append(f'<text x="{x:.1f}" y="{_HEIGHT - 8}" text-anchor="middle">{step_words(value)}</text>')
    return parts


def _finite_runs(points: Sequence[Point]) -> list[list[Point]]:
    runs: list[list[Point]] = [[]]
    for point in points:
        if math.isfinite(point.value):
            runs[-1].append(point)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _mark(series: Series, scale_x: _Scale, lang: str) -> list[str]:
    moment = marked(series)
    if moment is None or series.mark is None:
        return []
    x = scale_x(series.mark)
    left = x > _WIDTH * 0.6
    label = text_of(say(lang, "at-step", step=step_words(series.mark), value=number(moment.value)))
    return [
        f'<line class="mark" x1="{x:.1f}" y1="{_TOP - 8}" x2="{x:.1f}" y2="{_HEIGHT - _BOTTOM}"/>',
        f'<text class="strong" x="{x - 8 if left else x + 8:.1f}" y="{_TOP - 10}"'
        f' text-anchor="{"end" if left else "start"}">{label}</text>',
    ]


def lanes_of(told: Sequence[Moment]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return (ranks, indices of their moments): ranks of equal stories share a lane; () for moments without a rank."""
    stories: dict[int, list[int]] = {}
    nobody: list[int] = []
    for at, moment in enumerate(told):
        for rank in moment.ranks:
            stories.setdefault(rank, []).append(at)
        if not moment.ranks:
            nobody.append(at)
    alike: dict[tuple[int, ...], list[int]] = {}
    for rank, story in stories.items():
        alike.setdefault(tuple(story), []).append(rank)
    lanes = sorted(((tuple(members), story) for story, members in alike.items()), key=lambda lane: (lane[1], lane[0]))
    if len(lanes) > _MOST_LANES:
        rest = lanes[_MOST_LANES - 1 :]
        merged = (
            tuple(rank for members, _ in rest for rank in members),
            tuple(sorted({at for _, story in rest for at in story})),
        )
        lanes = [*lanes[: _MOST_LANES - 1], merged]
    return lanes + ([((), tuple(nobody))] if nobody and lanes else [])


def story(told: Sequence[Moment], lang: str) -> str:
    """Return the moments by rank, from left to right in the order of the log; empty where one lane holds them all."""
    lanes = lanes_of(told)
    if len(lanes) < 2:
        return ""
    width, height = _LABEL + _COLUMN * len(told) + 20, _LANE * len(lanes) + 26
    parts = []
    for row, (members, moments) in enumerate(lanes):
        y = _LANE * row + 20
        label = ranks(members, lang, 3) if members else say(lang, "any-rank")
        parts.append(f'<text class="strong" x="0" y="{y + 4}">{text_of(label)}</text>')
        parts.append(f'<line class="grid" x1="{_LABEL}" y1="{y}" x2="{width}" y2="{y}"/>')
        parts += [_sign(told[at], _LABEL + _COLUMN * at + 22, y) for at in moments]
    parts += [
        f'<text class="number" x="{_LABEL + _COLUMN * at + 22}" y="{height - 6}">{at + 1}</text>'
        for at in range(len(told))
    ]
    return _svg("story", width, height, say(lang, "timeline"), parts)


def _sign(moment: Moment, x: float, y: float) -> str:
    """Roles differ by shape as well as by colour: a diamond, a disc, a ring."""
    shape = (
        f'<path class="sign-cause" d="M{x} {y - 8}l8 8l-8 8l-8 -8z"/>'
        if moment.role == "cause"
        else f'<circle class="sign-{moment.role}" cx="{x}" cy="{y}" r="6"/>'
    )
    return f"<g>{shape}<title>{text_of(moment.item.text[:200])}</title></g>"


def _svg(kind: str, width: int, height: int, label: str, parts: Sequence[str]) -> str:
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    head = f'<svg class="{kind}" {size} role="img" aria-label="{text_of(label)}" focusable="false">'
    return head + "".join(parts) + "</svg>"
