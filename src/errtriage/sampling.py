"""Which lines are read for their metrics alone: all of a small log, a sample of a large one, spread over its kinds."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import accumulate

from errtriage.segments import Segment, segments_of, skeletons_of
from errtriage.windows import Window

WHOLE = 1  # windows at the start that are read line by line: 256 KiB
DENSELY = 16  # windows at the start of which each gives a sample; later ones do at a doubling stride
LAST = 2  # windows at the end that give a larger one: the very last window can be small
PER_KIND, MOST = 24, 96  # segments of one skeleton in one sample, and of all
PER_KIND_LAST, MOST_LAST = 128, 512  # likewise at the end, where what a run came to is told


class Sampled(Enum):
    """How much of a window is read for its metrics."""

    NOT = "not"
    SOME = "some"
    MORE = "more"
    WHOLE = "whole"


def sampled(windows: Iterable[Window], *, metrics: bool) -> Iterator[tuple[Window, Sampled]]:
    """Yield windows with how much of them is wanted; with `metrics` false nothing is."""
    held: deque[tuple[Window, Sampled]] = deque()
    for number, window in enumerate(windows):
        held.append((window, _how_much(number) if metrics else Sampled.NOT))
        if len(held) > LAST:
            yield held.popleft()
    for window, how_much in held:
        yield window, how_much if how_much is Sampled.WHOLE or not metrics else Sampled.MORE


def _how_much(number: int) -> Sampled:
    if number < WHOLE:
        return Sampled.WHOLE
    beyond = max(0, number - DENSELY + 1)
    return Sampled.SOME if beyond & (beyond - 1) == 0 else Sampled.NOT


def sample(data: bytes, how_much: Sampled) -> list[Segment]:
    """Return some segments of a window: of every skeleton a few from all over the window, rare skeletons first."""
    if how_much not in {Sampled.SOME, Sampled.MORE}:
        return []
    per_kind, most = (PER_KIND, MOST) if how_much is Sampled.SOME else (PER_KIND_LAST, MOST_LAST)
    kinds: dict[bytes, list[int]] = {}
    for at, skeleton in enumerate(skeletons_of(data)):
        if skeleton:
            kinds.setdefault(skeleton, []).append(at)
    chosen: list[int] = []
    if len(kinds) > most:
        chosen = _spread([members[0] for members in kinds.values()], most)
    else:
        for members in sorted(kinds.values(), key=len):
            chosen += _spread(members, min(per_kind, most - len(chosen)))
    segments = segments_of(data)
    starts = [0, *accumulate(len(segment) + 1 for segment in segments)]
    return [(starts[at], starts[at] + len(segments[at])) for at in sorted(chosen)]


def _spread(items: list[int], most: int) -> list[int]:
    """Return at most so many of the items, the first and the last among them, evenly apart."""
    if len(items) <= most or most < 2:
        return items[:most]
    return [items[at * (len(items) - 1) // (most - 1)] for at in range(most)]
