"""The analysis itself, in a child process: read the feed, do the work, answer with plain values, end."""

from __future__ import annotations

import marshal
import os
import signal
from collections.abc import Callable, Iterator
from typing import Any

Answer = dict[str, Any]  # of plain values; a failure has the one key `trouble`
Work = Callable[[Iterator[bytes]], Answer]

_CHUNK = 1024 * 1024
_NICENESS = 5  # the run comes first
# The job's signals are for the run and the pump: the analyser ends when its feed does.
_DEAF = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGTSTP", "SIGTTOU")


def be_analyser(work: Work, feed: int, answer: int) -> None:
    """Be the analyser: read the feed, answer, and end without running anything of the parent's."""
    try:
        _keep_to_itself(feed, answer)
        told = _dumped(_answered(work, feed))
        while told:
            told = told[os.write(answer, told) :]
    finally:
        os._exit(0)


def _keep_to_itself(feed: int, answer: int) -> None:
    """Hold nothing of the parent's open: who reads or writes its pipes must see them close when it closes them."""
    signal.set_wakeup_fd(-1)
    for name in _DEAF:
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    if not os.isatty(1):  # a terminal does not wait for its last writer, and tells how wide a report may be
        os.dup2(nothing, 1)
    low, high = sorted((feed, answer))
    os.closerange(3, low)
    os.closerange(low + 1, high)
    os.closerange(high + 1, max(high + 2, _most_descriptors()))
    os.nice(_NICENESS)


def _most_descriptors() -> int:
    try:
        return 1 + max(map(int, os.listdir("/dev/fd")))  # noqa: PTH208 (names, without pathlib's start-up)
    except (OSError, ValueError):
        return 1024


def _answered(work: Work, feed: int) -> Answer:
    try:
        return work(_pieces(feed))
    except MemoryError:
        return {"trouble": "the analysis ran out of memory"}
    except BaseException as error:
        return failure(error)


def _dumped(answer: Answer) -> bytes:
    try:
        return marshal.dumps(answer)
    except ValueError as error:
        return marshal.dumps({"trouble": f"the analysis answered with what can not be sent: {error}"})


def failure(error: BaseException) -> Answer:
    """Return the answer that tells of an exception: a line for an error that was foreseen, a traceback for a bug."""
    from errtriage.errors import ErrtriageError

    if isinstance(error, ErrtriageError):
        return {"trouble": str(error)}
    import traceback

    lines = traceback.format_exception(type(error), error, error.__traceback__)
    return {"trouble": "this is a bug in errtriage, not in your program. Please report it.\n" + "".join(lines).rstrip()}


def _pieces(feed: int) -> Iterator[bytes]:
    while piece := os.read(feed, _CHUNK):
        yield piece
