"""Which lines are read for their metrics alone: all of a small log, a sample of a large one, spread over its kinds."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Set

from errtriage.scan.segments import Segment, numbered, skeletons_of
from errtriage.sources.windows import Window
from errtriage.values import Enum

WHOLE = 4  # windows up to which a source is read line by line: 1 MiB
DENSELY = 8  # windows at the start of which each gives a sample; later ones do at a doubling stride
LAST = 2  # windows at the end that give a larger one, as the first does: the very last window can be small
PER_KIND, MOST = 16, 64  # segments of one skeleton in one sample, and of all
PER_KIND_LAST, MOST_LAST = 64, 256  # likewise at both ends, where a run tells what it is and what it came to


class Sampled(Enum):
    """How much of a window is read for its metrics."""

    NOT = "not"
    SOME = "some"
    MORE = "more"
    WHOLE = "whole"


def sampled(windows: Iterable[Window], *, metrics: bool, first: int = 0) -> Iterator[tuple[Window, Sampled]]:
    """Yield windows with how much of them is wanted; with `metrics` false nothing is. `first` numbers the first one."""
    held: deque[Window] = deque()
    number = first
    large = first > 0
    for window in windows:
        held.append(window)
        large = large or len(held) > WHOLE
        while large and len(held) > LAST:
            yield held.popleft(), _how_much(number) if metrics else Sampled.NOT
            number += 1
    at_end = Sampled.MORE if large else Sampled.WHOLE
    for window in held:
        yield window, at_end if metrics else Sampled.NOT


def _how_much(number: int) -> Sampled:
    if number == 0:
        return Sampled.MORE
    beyond = max(0, number - DENSELY + 1)
    return Sampled.SOME if beyond & (beyond - 1) == 0 else Sampled.NOT


def sample(data: bytes, how_much: Sampled, telling: Set[bytes] = frozenset()) -> list[Segment]:
    """Return some segments of a window: of every skeleton a few from all over the window, rare skeletons first.

    Where it is said what tells of metrics, those that hold nothing of it are left out.
    """
    if how_much not in {Sampled.SOME, Sampled.MORE}:
        return []
    per_kind, most = (PER_KIND, MOST) if how_much is Sampled.SOME else (PER_KIND_LAST, MOST_LAST)
    skeletons = skeletons_of(data)
    first = dict(zip(reversed(skeletons), reversed(range(len(skeletons))), strict=True))
    first.pop(b"", None)
    chosen: list[int] = []
    if len(first) > most:
        chosen = _spread(sorted(first.values()), most)
    else:
        kinds: dict[bytes, list[int]] = {}
        for at, skeleton in enumerate(skeletons):
            if skeleton:
                kinds.setdefault(skeleton, []).append(at)
        for members in sorted(kinds.values(), key=len):
            chosen += _spread(members, min(per_kind, most - len(chosen)))
    tells = {one: not telling or any(word in one for word in telling) for one in {skeletons[at] for at in chosen}}
    return list(numbered(data, len(skeletons), sorted(at for at in chosen if tells[skeletons[at]])))


def _spread(items: list[int], most: int) -> list[int]:
    """Return at most so many of the items, the first and the last among them, evenly apart."""
    if len(items) <= most or most < 2:
        return items[:most]
    return [items[at * (len(items) - 1) // (most - 1)] for at in range(most)]
