"""The analyser: a child process that is fed a copy of the stream and answers with its report.

Nothing that happens in it (an exception, an endless loop, no memory, a SIGKILL) can stop or harm who feeds it.
"""

from __future__ import annotations

import marshal
import os
import signal
import time
from collections import deque
from typing import Protocol

from errtriage.live.analysis import Answer, Work, be_analyser
from errtriage.live.pipes import READ, WRITE, enlarge, poller

QUEUE = 64 * 1024 * 1024  # bytes that may wait for a slow analyser before the stream waits for it
PATIENCE = 10.0  # seconds that a full queue may stand still before the analyser is given up
_CHUNK = 1024 * 1024


class Analyser(Protocol):
    """What the pump knows of an analyser; no method raises on account of the analysis."""

    @property
    def wants(self) -> int | None:
        """Return the descriptor that bytes wait to be written to, None where none wait."""

    @property
    def answers_on(self) -> int | None:
        """Return the descriptor that an answer will come from, None where none will."""

    def feed(self, data: bytes) -> None:
        """Take a copy of a piece of the stream."""

    def flush(self) -> None:
        """Hand over what waits, as far as that goes without waiting."""

    def close(self) -> None:
        """Say that the stream has ended."""

    def take(self) -> Answer | None:
        """Return the answer where it is complete."""

    def wait(self, seconds: float) -> Answer:
        """Return the answer, at the latest after so many seconds."""

    def end(self) -> None:
        """End it, whatever it is doing."""


def start(work: Work) -> Analyser:
    """Start an analyser that calls `work` with the pieces of the stream: a child process, where there is fork."""
    if hasattr(os, "fork"):
        return Forked(work)
    from errtriage.live.spooled import Spooled

    return Spooled(work)


class Forked:
    """An analyser in a forked child, fed through a pipe that is never waited for while its queue has room."""

    def __init__(self, work: Work, *, queue: int = QUEUE, patience: float = PATIENCE) -> None:
        """Start the child; `queue` is in bytes, `patience` in seconds."""
        feed_out, feed_in = os.pipe()
        answer_out, answer_in = os.pipe()
        enlarge(feed_in)
        self._pid = os.fork()
        if not self._pid:
            be_analyser(work, feed_out, answer_in)
        os.close(feed_out)
        os.close(answer_in)
        os.set_blocking(feed_in, False)
        os.set_blocking(answer_out, False)
        self._feed, self._answer = feed_in, answer_out
        self._waiting: deque[memoryview] = deque()
        self._size = 0
        self._limit, self._patience = queue, patience
        self._closing = False
        self._told = bytearray()
        self._result: Answer | None = None

    @property
    def wants(self) -> int | None:
        """Return the descriptor that bytes wait to be written to, None where none wait."""
        return self._feed if self._waiting and self._feed >= 0 else None

    @property
    def answers_on(self) -> int | None:
        """Return the descriptor that an answer will come from, None where none will."""
        return self._answer if self._answer >= 0 else None

    def feed(self, data: bytes) -> None:
        """Take a copy of a piece of the stream; waits only where the queue is full, and not for a dead analyser."""
        if self._feed < 0 or self._closing:
            return
        self._waiting.append(memoryview(data))
        self._size += len(data)
        self.flush()
        if self._size > self._limit:
            self._wait_for_room()

    def flush(self) -> None:
        """Hand over what waits, as far as that goes without waiting."""
        try:
            while self._waiting and self._feed >= 0:
                first = self._waiting[0]
                written = os.write(self._feed, first)
                self._size -= written
                if written < len(first):
                    self._waiting[0] = first[written:]
                else:
                    self._waiting.popleft()
        except BlockingIOError:
            return
        except OSError:  # it has ended: why, its answer or its exit status tells
            self._drop_feed()
        if self._closing and not self._waiting:
            self._drop_feed()

    def close(self) -> None:
        """Say that the stream has ended."""
        self._closing = True
        self.flush()

    def take(self) -> Answer | None:
        """Return the answer where it is complete."""
        if self._result is None and self._answer >= 0 and self._read_answer():
            self._result = self._finished()
        return self._result

    def wait(self, seconds: float) -> Answer:
        """Return the answer, at the latest after so many seconds."""
        self.close()
        until = time.monotonic() + seconds
        while self.take() is None:
            left = until - time.monotonic()
            if left <= 0:
                self._give_up(f"the analysis did not end within {seconds:g} s")
                continue
            poll = poller()
            poll.register(self._answer, READ)
            if self.wants is not None:
                poll.register(self._feed, WRITE)
            poll.poll(min(left, 1.0) * 1000)
            self.flush()
        return self._result or {}

    def end(self) -> None:
        """End it, whatever it is doing."""
        self._drop_feed()
        if self._answer >= 0:
            os.close(self._answer)
            self._answer = -1
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
            self._reap()

    def _wait_for_room(self) -> None:
        since, before = time.monotonic(), self._size
        while self._size > self._limit and self._feed >= 0:
            poll = poller()
            poll.register(self._feed, WRITE)
            poll.poll(200)
            self.flush()
            now = time.monotonic()
            if self._size < before:
                since, before = now, self._size
            elif now - since > self._patience:
                self._give_up(f"the analysis stood still for {self._patience:g} s")

    def _give_up(self, why: str) -> None:
        self._result = {"trouble": why}
        self.end()

    def _drop_feed(self) -> None:
        self._waiting.clear()
        self._size = 0
        if self._feed >= 0:
            os.close(self._feed)
            self._feed = -1

    def _read_answer(self) -> bool:
        """Read what has come; return whether that was all."""
        try:
            while piece := os.read(self._answer, _CHUNK):
                self._told += piece
        except BlockingIOError:
            return False
        return True

    def _finished(self) -> Answer:
        self._drop_feed()
        os.close(self._answer)
        self._answer = -1
        how = self._reap()
        try:
            answer: Answer = marshal.loads(bytes(self._told))
        except (ValueError, EOFError, TypeError):
            return {"trouble": f"the analysis was ended {how}"}
        return answer

    def _reap(self) -> str:
        try:
            _, status = os.waitpid(self._pid, 0)
        except ChildProcessError:
            return "by somebody"
        finally:
            self._pid = 0
        code = os.waitstatus_to_exitcode(status)
        return f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
