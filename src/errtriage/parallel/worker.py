"""A worker: a process that reads some pieces of a job one after the other and sends their events through a pipe."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Sequence
from typing import BinaryIO

from errtriage.model import Event
from errtriage.parallel.pieces import Piece
from errtriage.passes import Outcome, Pass
from errtriage.scan.wanted import Wanted
from errtriage.values import dataclass

_BATCH = 512  # events that are sent together
LENGTH_BYTES = 8  # before each message

Message = tuple[Sequence[Event], "Outcome | None"]  # some events of a piece; its outcome comes with the last ones


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What one worker is to read, in this order, and what to look for."""

    pieces: tuple[Piece, ...]
    wanted: Wanted
    literals: tuple[str, ...]


def work(task: Task, out: int) -> None:
    """Read the pieces of a task and send what they hold to a descriptor.

    Raises UnsureError where a part of a file can not be read by itself.
    """
    for piece in task.pieces:
        one = Pass(piece.open(), task.wanted, task.literals)
        batch: list[Event] = []
        for made in one:
            batch += made
            if len(batch) >= _BATCH:
                _send(out, (batch, None))
                batch = []
        _send(out, (batch, one.outcome()))


def _send(out: int, message: Message) -> None:
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    rest = memoryview(len(data).to_bytes(LENGTH_BYTES, "little") + data)
    while rest:
        rest = rest[os.write(out, rest) :]


def be_forked(task: Task, out: int, others: Sequence[int]) -> None:
    """Be a worker in a forked process, and end without running anything of the parent's.

    `others` are descriptors that this process must not hold open: the ends of other workers' pipes.
    """
    try:
        import signal

        signal.signal(signal.SIGINT, signal.SIG_DFL)
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
        for descriptor in others:
            os.close(descriptor)
        work(task, out)
    finally:
        os._exit(0)


def main(stdin: BinaryIO) -> None:
    """Be a worker in a new process: take the task from standard input, send to what was standard output."""
    out = os.dup(1)
    os.dup2(2, 1)  # so that nothing else is written between the messages
    work(pickle.load(stdin), out)


if __name__ == "__main__":
    from errtriage.parallel import worker  # the pickled classes belong to the module by its full name

    worker.main(sys.stdin.buffer)
