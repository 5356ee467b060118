"""Signals while a stream is passed on: what ends the run must not end its log, and the report still comes."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

GRACE = 5.0  # seconds after SIGTERM that the stream may still end by itself before the report is made without its rest

# Signals that the job or the terminal sends to all processes. The run decides what to do about them; to die of one
# would break the pipe under a run that is saving its checkpoint.
_IGNORED = ("SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")


class Signals:
    """A context in which the first SIGINT and SIGTERM are noted, and a second one of either ends the program.

    With `forward` every signal is handed to that function instead, and none ends the program; `also` names further
    signals to hand to it. What was ignored when we were started (`nohup`, a job in the background) stays ignored.
    `wakes_on` is a descriptor that becomes readable when a signal has come (-1 where there is none).
    """

    def __init__(self, forward: Callable[[int], None] | None = None, also: tuple[str, ...] = ()) -> None:
        """Take no signals yet."""
        self._forward, self._also = forward, also
        self.wakes_on = -1
        self.interrupted = 0
        self.terminated_at: float | None = None
        self._wake_in = -1
        self._before: dict[int, Any] = {}
        self._fd_before = -1

    def __enter__(self) -> Signals:
        """Take the signals."""
        if hasattr(os, "fork"):
            self.wakes_on, self._wake_in = os.pipe()
            os.set_blocking(self._wake_in, False)
            os.set_blocking(self.wakes_on, False)
            self._fd_before = signal.set_wakeup_fd(self._wake_in, warn_on_full_buffer=False)
        self._take("SIGINT", self._interrupt)
        self._take("SIGTERM", self._terminate)
        for name in (*_IGNORED, *self._also):
            self._take(name, self._pass)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        """Give the signals back."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._wake_in >= 0:
            signal.set_wakeup_fd(self._fd_before)
            os.close(self._wake_in)
            os.close(self.wakes_on)
            self.wakes_on = self._wake_in = -1

    def drain(self) -> None:
        """Empty the descriptor that woke the reader."""
        try:
            while os.read(self.wakes_on, 512):
                continue
        except OSError:
            return

    def grace_left(self) -> float | None:
        """Return the seconds until the report must be made, None where nobody asked us to end."""
        if self.terminated_at is None:
            return None
        return max(0.0, self.terminated_at + GRACE - time.monotonic())

    def _take(self, name: str, handler: Any) -> None:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            self._before[number] = signal.signal(number, handler)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self.interrupted += 1
        self._pass(number, frame)
        if self._forward is None and self.interrupted > 1:
            raise KeyboardInterrupt

    def _terminate(self, number: int, frame: FrameType | None) -> None:
        again = self.terminated_at is not None
        self.terminated_at = self.terminated_at or time.monotonic()
        self._pass(number, frame)
        if self._forward is None and again:
            raise SystemExit(128 + number)

    def _pass(self, number: int, _frame: FrameType | None) -> None:
        # A handler, unlike SIG_IGN, is not handed down to the programs that we start.
        if self._forward is not None:
            self._forward(number)
