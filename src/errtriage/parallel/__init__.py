"""Reading side by side: how many processes read a job's sources, and whether that is faster at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from errtriage.errors import ErrtriageError
from errtriage.parallel.pieces import Piece
from errtriage.reading import VARIABLE

WORTH = 32 << 20  # bytes from which on starting workers is earned back
WORTH_SPAWNING = 256 << 20  # likewise where they can not be forked
_PER_WORKER = 16 << 20  # bytes that each worker should have to read
_MOST = 8  # workers, however many cores there are: each takes memory, and the job may not be alone on its machine


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


def shares(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Return which pieces of a job each worker reads, in order; none where one process is as good."""
    most = min(workers(), len(pieces))
    if VARIABLE not in os.environ:
        size = sum(piece.weight for piece in pieces)
        most = min(most, size // _PER_WORKER) if size >= (WORTH if may_fork() else WORTH_SPAWNING) else 1
    if most < 2:
        return []
    given: list[list[Piece]] = [[] for _ in range(most)]
    loads = [0] * most
    for piece in pieces:  # in order, as their events are wanted in order
        lightest = loads.index(min(loads))
        given[lightest].append(piece)
        loads[lightest] += piece.weight + 1
    return [share for share in given if share]


def may_fork() -> bool:
    """Return whether a process can be forked: another thread could hold a lock that the child waits for."""
    threading = sys.modules.get("threading")
    return hasattr(os, "fork") and (threading is None or threading.active_count() == 1)
