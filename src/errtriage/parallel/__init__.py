"""Reading side by side: how many processes read a job's sources, and whether that is faster at all."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence

from errtriage.errors import ErrtriageError
from errtriage.reading import VARIABLE
from errtriage.sources import Source
from errtriage.sources.unpacking import MAGIC_BYTES, packing

WORTH = 32 << 20  # bytes from which on starting workers is earned back
WORTH_SPAWNING = 256 << 20  # likewise where they can not be forked
_PER_WORKER = 16 << 20  # bytes that each worker should have to read
_MOST = 8  # workers, however many cores there are: each takes memory, and the job may not be alone on its machine
_PACKED = 10  # bytes of log in a byte of a packed one


def workers() -> int:
    """Return how many processes may read side by side.

    Raises ErrtriageError where the environment asks for what is no number.
    """
    asked = os.environ.get(VARIABLE)
    if not asked:
        return min(cores(), _MOST)
    if not asked.isdecimal() or int(asked) < 1:
        raise ErrtriageError(f"{VARIABLE} must be a number from 1 on, not {asked!r}")
    return int(asked)


def cores() -> int:
    """Return how many cores this process may use at a time, by its affinity and its control group."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        with open("/sys/fs/cgroup/cpu.max", encoding="ascii") as file:  # noqa: PTH123
            quota, period = file.read().split()
        return max(1, min(usable, int(quota) // int(period)))
    except (OSError, ValueError):  # no such file, or "max"
        return usable


def shares(job: Sequence[Source]) -> list[list[int]]:
    """Return which sources of a job each worker reads, by their numbers; none where one process is as good.

    Sources that are no files on disk (pipes, bytes in memory) can be read by this process alone.
    """
    most = min(workers(), len(job))
    sizes = [_size(source) for source in job]
    if most < 2 or any(size is None for size in sizes):
        return []
    weights = [size or 0 for size in sizes]
    if VARIABLE not in os.environ:
        least = WORTH if may_fork() else WORTH_SPAWNING
        most = min(most, sum(weights) // _PER_WORKER) if sum(weights) >= least else 1
    given: list[list[int]] = [[] for _ in range(most)]
    loads = [0] * most
    for number, weight in enumerate(weights):  # in order, as their events are wanted in order
        lightest = loads.index(min(loads))
        given[lightest].append(number)
        loads[lightest] += weight + 1
    return [share for share in given if share] if most > 1 else []


def may_fork() -> bool:
    """Return whether a process can be forked: another thread could hold a lock that the child waits for."""
    threading = sys.modules.get("threading")
    return hasattr(os, "fork") and (threading is None or threading.active_count() == 1)


def _size(source: Source) -> int | None:
    """Return about how many bytes of log a source holds, None where it is no regular file that can be read."""
    if source.path is None:
        return None
    try:
        found = os.stat(source.path)  # noqa: PTH116
        if not stat.S_ISREG(found.st_mode):  # a pipe that is opened twice loses what it holds
            return None
        with open(source.path, "rb", buffering=0) as file:  # noqa: PTH123
            return found.st_size * _PACKED if packing(file.read(MAGIC_BYTES)) else found.st_size
    except OSError:
        return 0
