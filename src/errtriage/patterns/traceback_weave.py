"""Which of several tracebacks that are woven into one channel a line belongs to, as far as the text tells."""

from __future__ import annotations

from collections.abc import Sequence

from errtriage.model import Frame
from errtriage.patterns.python_frames import FrameLine
from errtriage.patterns.traceback_strand import Strand

# What speaks for a strand when a frame comes. Ranks of one program print equal tracebacks, so that a place which
# another strand has had next weighs most.
_EQUAL = 5
_CALLED = 3  # the code of its last frame calls the function of the new one
_FRESH = 2  # it has no frames yet
_LATEST = 1  # it had the line before
_AWAITS_CODE = -4  # its last frame has no code yet
_STARTS_AGAIN = -6  # `<module>` in the middle of a traceback, not under an import
_EMPTY = -9  # an exception line without frames


def best(strands: Sequence[Strand], choices: Sequence[Strand], found: FrameLine | None) -> Strand | None:
    """Return the one of `choices` that a frame (None: an exception line) goes on with best; None without choices."""
    if len(choices) < 2:
        return choices[0] if choices else None
    latest = max(choices, key=lambda one: one.fed)
    return max(choices, key=lambda one: _fit(strands, one, found) + (_LATEST if one is latest else 0))


def whose_code(strands: Sequence[Strand], waiting: Sequence[Strand], code: str) -> Strand:
    """Return the strand that a source line belongs to.

    Where no other strand shows the same place with the same code, the longest wait ends first: whole lines are woven.
    """
    return min(waiting, key=lambda one: (not _has_seen(strands, one, code), one.fed))


def is_lost(strands: Sequence[Strand], strand: Strand) -> bool:
    """Return whether a strand repeats the start of a complete one: its own end was garbled in the weave."""
    places = _places(strand.part.frames)
    return any(
        other is not strand and part.exception is not None and _places(part.frames)[: len(places)] == places
        for other in strands
        for part in other.parts
    )


def _places(frames: Sequence[Frame]) -> list[tuple[str, int | None]]:
    return [(one.file, one.line) for one in frames]


def _has_seen(strands: Sequence[Strand], strand: Strand, code: str) -> bool:
    place = _places(strand.part.frames[-1:])
    return len(strands) > 1 and any(
        frame.code == code and _places([frame]) == place
        for other in strands
        if other is not strand
        for frame in other.part.frames
    )


def _fit(strands: Sequence[Strand], strand: Strand, found: FrameLine | None) -> int:
    frames = strand.part.frames
    fit = _AWAITS_CODE if strand.awaits_code else 0
    if found is None:
        return fit if frames else _EMPTY
    code = (frames[-1].code or "") if frames else ""
    name = found.frame.function or ""
    if name == "<module>":
        fit += 0 if not frames or "import" in code or frames[-1].file.startswith("<") else _STARTS_AGAIN
    elif f"{name}(" in code:
        fit += _CALLED
    if not frames:
        fit += _FRESH
    place = _places([found.frame])
    at = len(frames)
    if any(other is not strand and _places(other.part.frames[at : at + 1]) == place for other in strands):
        fit += _EQUAL
    return fit
