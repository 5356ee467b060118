"""Where one attempt holds several runs that were appended to one file without a sign between them."""

from __future__ import annotations

from collections.abc import Sequence

from errtriage.model import Group, Series
from errtriage.progress import Progress
from errtriage.reading import Attempt
from errtriage.regex_store import compiled
from errtriage.values import replace

# Kinds that show several processes: what one of them writes after another's death is no new run.
_SEVERAL = frozenset({"launcher", "collective", "nccl"})
# A dying Python still flushes 8 KiB of what it had printed, and a line that tells a step has some 20 bytes.
_FLUSHED = 400  # lines


def runs(attempt: Attempt) -> tuple[Attempt, ...]:
    """Return an attempt as the run before the last one and the last, where a program died and was started again.

    That is seen by a later death of the same program, by more steps after a death than a dying process can still
    write, or by batch jobs of different numbers. A log of several processes of one job is one run. Only for one source:
    the lines of several ones are not in one order, and a group does not tell where another source's members stand.
    """
    line = _boundary(attempt)
    if line is None:
        return (attempt,)
    later = _after(attempt, line)
    if not later.groups and not later.progress.seen and not later.series:
        return (attempt,)
    ids = {id(group) for group in later.groups}
    # A group of both runs is told in both.
    earlier = tuple(group for group in attempt.groups if id(group) not in ids or group.event.span.last <= line)
    return (replace(attempt, groups=earlier, series=()), replace(later, number=attempt.number + 1))


def _boundary(attempt: Attempt) -> int | None:
    deaths = [group for group in attempt.groups if _program(group)]
    ends = [group for group in attempt.groups if _ends_a_run(group)]
    found = [
        mark for mark in (_stepped_over(attempt.progress, group.event.span.last) for group in (*deaths, *ends)) if mark
    ]
    found.extend(_before_another_job(ends))
    if not _is_shared(attempt):
        found.extend(_died_before(deaths))
    return max(found, default=None)


def _is_shared(attempt: Attempt) -> bool:
    """Return whether several processes write to the log."""
    many = any(group.event.kind in _SEVERAL or group.ranks for group in attempt.groups)
    return many or (attempt.facts.world_size or 1) > 1


def _program(group: Group) -> str:
    """Return the file of the program that an uncaught exception of its main thread ended; empty where it did not."""
    event = group.event
    if event.kind != "exception" or event.fields.get("origin") != "traceback" or event.channel or not event.frames:
        return ""
    if event.fields.get("ignored") or event.fields.get("thread") or event.fields.get("worker") or group.parents:
        return ""
    outermost = event.frames[0]
    return compiled(r"[\\/]").split(outermost.file)[-1] if outermost.function == "<module>" and outermost.user else ""


def _ends_a_run(group: Group) -> bool:
    event = group.event
    return (event.kind == "scheduler" and event.fields.get("unit") == "job") or event.kind == "process_exit"


def _before_another_job(ends: Sequence[Group]) -> list[int]:
    """Return where a batch job ended after which another one did: its number tells them apart."""
    told = [(one.event.fields["job"].partition(".")[0], one.span.last) for one in ends if "job" in one.event.fields]
    return [line for job, line in told if any(other != job and later > line for other, later in told)]


def _died_before(deaths: Sequence[Group]) -> list[int]:
    """Return where runs ended that a later death of the same program followed, with other lines between the two."""
    found: list[int] = []
    for group in deaths:
        end = group.event.span.last
        later = [one for one in deaths if one is not group and _program(one) == _program(group)]
        if any(one.event.span.first > end + 1 for one in later):
            found.append(end)
    return found


def _stepped_over(progress: Progress, line: int) -> int | None:
    """Return a line where a run ended, if more steps follow it than the dying process can still have written."""
    after = [one.line for steps in progress.steps.values() for one in steps if one.line > line + _FLUSHED]
    return line if len(after) > 1 else None


def _after(attempt: Attempt, line: int) -> Attempt:
    progress = attempt.progress
    finished = progress.finished
    return replace(
        attempt,
        groups=tuple(group for group in attempt.groups if group.span.last > line),
        series=tuple(later for one in attempt.series if (later := _later(one, line)) is not None),
        progress=replace(
            progress,
            steps={
                key: kept for key, steps in progress.steps.items() if (kept := tuple(s for s in steps if s.line > line))
            },
            finished=finished if finished and finished[1] > line else None,
        ),
    )


def _later(series: Series, line: int) -> Series | None:
    """Return the part of a series that stands after a line."""
    if not series.points or series.points[0].line > line:
        return series
    points = tuple(point for point in series.points if point.line > line)
    bad = series.bad if series.bad is not None and series.bad.line > line else None
    return replace(series, points=points, bad=bad, count=len(points)) if points or bad else None
