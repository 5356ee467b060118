"""A crew of workers: starts them, takes the events of their sources in the order of the job, and ends them."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from queue import Empty, Queue

from errtriage.model import Event
from errtriage.parallel import may_fork, shares
from errtriage.parallel.later import later
from errtriage.parallel.pieces import Piece, pieces_of
from errtriage.parallel.worker import LENGTH_BYTES, Message, Task, be_forked
from errtriage.passes import Outcome
from errtriage.scan.wanted import Wanted
from errtriage.sources import Source
from errtriage.values import replace

_AHEAD = 16  # messages of one worker that wait here; beyond, it waits


class LostError(Exception):
    """A worker ended before it had sent all."""


class Worker:
    """The near side of a worker: its messages, as a thread reads them from its pipe."""

    def __init__(self, pipe: int, kill: Callable[[], None]) -> None:
        """Take the pipe that it sends through, and what ends it."""
        self.pipe = pipe
        self._kill = kill
        self._messages: Queue[bytes] = Queue(_AHEAD)
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def listen(self) -> None:
        """Begin to take its messages in; no process may be forked from now on."""
        self._thread.start()

    def next(self) -> Message:
        """Return the next message. Raises LostError where the worker has ended."""
        data = self._messages.get()
        if not data:
            raise LostError
        message: Message = pickle.loads(data)  # made by our own child, a moment ago
        return message

    def end(self) -> None:
        """End it, whatever it is doing."""
        self._kill()
        while self._thread.is_alive():  # it may be waiting for room
            try:
                self._messages.get(timeout=0.01)
            except Empty:
                continue
        os.close(self.pipe)

    def _listen(self) -> None:
        while size := int.from_bytes(self._read(LENGTH_BYTES), "little"):
            self._messages.put(self._read(size))
        self._messages.put(b"")

    def _read(self, size: int) -> bytes:
        """Return so many bytes, nothing where the pipe ends before."""
        parts: list[bytes] = []
        while size:
            part = os.read(self.pipe, min(size, 1 << 20))
            if not part:
                return b""
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


class Told:
    """The pass over a source that workers read, in one piece or in parts: as `passes.Pass`."""

    def __init__(self, parts: Sequence[tuple[Piece, Worker]]) -> None:
        """Take the source's pieces in order, each with the worker whose next messages are of it."""
        self._parts = parts
        self._outcomes: list[Outcome] = []

    def __iter__(self) -> Iterator[Sequence[Event]]:
        """Yield the events. Raises LostError where a worker has ended."""
        at: int | None = 0  # the block up to which all is told; None: to the end
        lines = 0
        for piece, worker in self._parts:
            outcome: Outcome | None = None
            # A worker that could not stop at the end of its part has read the next one, too: that is told already.
            wanted = at == (piece.block or 0)
            while outcome is None:
                events, outcome = worker.next()
                if wanted:
                    yield later(events, lines) if lines else events
            if wanted:
                self._outcomes.append(outcome)
                at = outcome.stopped
                lines += outcome.info.lines

    def outcome(self) -> Outcome:
        """Return how it went."""
        first, last = self._outcomes[0], self._outcomes[-1]
        if len(self._parts) == 1:
            return first
        lines = sum(one.info.lines for one in self._outcomes)
        info = replace(first.info, bytes=last.info.bytes, lines=lines)
        cuts = {cut for one in self._outcomes for cut in one.cuts}
        unread = sum(one.unread for one in self._outcomes)
        return Outcome(info=info, engine=last.engine, cuts=tuple(sorted(cuts)), unread=unread)


class Crew:
    """The workers of one job."""

    def __init__(self, sources: int, workers: Sequence[Worker], readers: Mapping[Piece, Worker]) -> None:
        """Take how many sources the job has, the workers, and the one that reads each piece."""
        self._workers = workers
        self._parts: list[list[tuple[Piece, Worker]]] = [[] for _ in range(sources)]
        for piece, worker in readers.items():
            self._parts[piece.source].append((piece, worker))

    def passes(self) -> Iterator[Told]:
        """Yield the pass over each source, in the order of the job; each must be taken whole before the next."""
        for parts in self._parts:
            yield Told(sorted(parts, key=lambda part: part[0].block or 0))

    def end(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.end()


def hire(job: Sequence[Source], wanted: Wanted, literals: tuple[str, ...]) -> Crew | None:
    """Start the workers that a job is worth; None where it is worth none, or the system gives none."""
    given = shares(pieces_of(job))
    workers: list[Worker] = []
    start = _forked if may_fork() else _spawned
    try:
        for share in given:
            task = Task(pieces=tuple(share), wanted=wanted, literals=literals)
            pipe, kill = start(task, [one.pipe for one in workers])
            workers.append(Worker(pipe, kill))
    except (OSError, pickle.PicklingError):
        for worker in workers:
            worker.end()
        return None
    for worker in workers:
        worker.listen()
    readers = {piece: worker for share, worker in zip(given, workers, strict=True) for piece in share}
    return Crew(len(job), workers, readers) if workers else None


def _forked(task: Task, ends: Sequence[int]) -> tuple[int, Callable[[], None]]:
    out, into = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        os.close(out)
        os.close(into)
        raise
    if not pid:
        be_forked(task, into, [out, *ends])
    os.close(into)

    def kill() -> None:
        os.kill(pid, 9)
        os.waitpid(pid, 0)

    return out, kill


def _spawned(task: Task, _: Sequence[int]) -> tuple[int, Callable[[], None]]:
    command = [sys.executable, "-m", "errtriage.parallel.worker"]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONSAFEPATH": "1"},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    pipe = os.dup(process.stdout.fileno())
    process.stdout.close()
    try:
        process.stdin.write(pickle.dumps(task))
        process.stdin.close()
    except OSError:
        process.kill()
        os.close(pipe)
        raise

    def kill() -> None:
        process.kill()
        process.wait()

    return pipe, kill
