"""One command from start to end: its output pumped, its signals passed on, its memory watched, its ending told."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from errtriage.live import command as commands
from errtriage.live.analyser import Analyser
from errtriage.live.analysis import Answer
from errtriage.live.ending import Ending
from errtriage.live.log_file import LogFile
from errtriage.live.memory import machine_memory
from errtriage.live.outlet import Outlet
from errtriage.live.pump import Pump
from errtriage.live.signal_policy import Signals
from errtriage.values import dataclass

if TYPE_CHECKING:
    from errtriage.live.terminal import Keyboard

_SAMPLE = 2.0  # seconds between two looks at the memory
_DRAIN = 1.0  # seconds without a byte, after the command's end, in which processes that it left may still print
_DRAIN_MOST = 10.0
_KILL_AFTER = 15.0  # seconds between asking a command that ran too long to stop, and killing it
_PASSED_ON = ("SIGCHLD", "SIGWINCH", "SIGCONT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """How a command is started: `terminal` says whether in a pseudo-terminal, `limit` is in seconds."""

    command: Sequence[str]
    environment: Mapping[str, str]
    terminal: bool = False
    separate: bool = False
    limit: float | None = None


class Supervisor:
    """Runs one command.

    Args:
        start: The command and how it is started.
        outlets: Where standard output and standard error go on to.
        analyser: Who gets a copy of everything.
        log: The file that gets a copy of everything.
        report: What is called with a report that a SIGTERM asked for, while the command still runs.

    """

    def __init__(
        self,
        start: Start,
        outlets: tuple[Outlet | None, Outlet | None],
        *,
        analyser: Analyser,
        log: LogFile | None,
        report: Callable[[Answer], None],
    ) -> None:
        """Make a supervisor; nothing is started yet."""
        self._start, self._outlets = start, outlets
        self._analyser, self._log, self._report = analyser, log, report
        self._typed = start.terminal and os.isatty(0)
        self._command: commands.Command
        self._keyboard: Keyboard | None = None
        self._pump: Pump
        self._sampled = 0.0
        self._asked: float | None = None
        self.reported = False
        self.reader_gone = False

    def run(self) -> Ending:
        """Run the command to its end.

        Where who read our output has gone, the command finds its own output closed, as if it had written there itself.

        Raises:
            CannotStart: It could not be started.

        """
        with Signals(self._forward, also=_PASSED_ON) as signals:
            self._command = self._started()
            self._pump = Pump(
                self._inlets(),
                signals=signals,
                analyser=self._analyser,
                log=self._log,
                report=self._report_early,
                watched={0: self._type} if self._typed else {},
                tick=self._tick,
            )
            try:
                if self._keyboard is not None:
                    self._keyboard.begin()
                self._pump.run()
            except BrokenPipeError:
                self.reader_gone = True
            finally:
                if self._keyboard is not None:
                    self._keyboard.end()
            self._command.close()
            while self._command.ended is None:  # it closed its output, and lives
                self._tick()
                time.sleep(0.05)
        self.reported = self._pump.reported
        return self._ending()

    def keep(self, text: str) -> None:
        """Give lines of our own to the log and the analyser, after the last line of the command."""
        start = b"" if self._pump.tail.endswith(b"\n") or not self._pump.tail else b"\n"
        self._pump.keep(start + text.encode())

    def last_words(self, most: int = 5) -> list[str]:
        """Return the last lines that the command printed."""
        lines = self._pump.tail.decode("utf-8", "replace").replace("\r", "\n").splitlines()
        return [line.strip() for line in lines if line.strip()][-most:]

    def _started(self) -> commands.Command:
        start = self._start
        if not start.terminal:
            # On a terminal of ours the command stays in our group: what is typed there signals both.
            return commands.start(start.command, start.environment, separate=start.separate, own_group=not os.isatty(0))
        from errtriage.live.terminal import Keyboard

        started = commands.start_on_terminal(start.command, start.environment, 1, typed=self._typed)
        if self._typed:
            self._keyboard = Keyboard(0, started.output, started.pid)
        return started

    def _inlets(self) -> dict[int, Outlet | None]:
        output, errors = self._outlets
        inlets = {self._command.output: output}
        if self._command.errors >= 0:
            inlets[self._command.errors] = errors
        return inlets

    def _forward(self, number: int) -> None:
        if not hasattr(self, "_command") or number in (signal.SIGCHLD, signal.SIGCONT):
            return  # they only wake the pump
        if number == signal.SIGWINCH:
            if self._start.terminal:
                from errtriage.live.terminal import copy_size

                copy_size(1, self._command.output)
            return
        made_by_terminal = number in (signal.SIGINT, signal.SIGQUIT)
        if self._command.group or not made_by_terminal:
            self._command.signalled(number)

    def _type(self) -> None:
        if self._keyboard is None or not self._keyboard.pass_on():
            self._pump.stop_watching(0)

    def _report_early(self, answer: Answer) -> None:
        if self._keyboard is not None:
            self._keyboard.end()
        self._report(answer)
        if self._keyboard is not None:
            self._keyboard.begin()

    def _tick(self) -> float | None:
        """See to everything that is not output; return the seconds until that is due again."""
        now, command = time.monotonic(), self._command
        if command.look() == commands.STOPPED and self._keyboard is not None:
            self._keyboard.suspend()
        if command.ended is not None:
            return self._drained(now)
        if now - self._sampled >= _SAMPLE:
            self._sampled = now
            command.memory.sample()
        self._hold_to_limit(now)
        if self._keyboard is not None and self._keyboard.waits:
            self._keyboard.flush()
            return 0.05
        return _SAMPLE

    def _drained(self, now: float) -> float:
        """End the reading where the command has ended and those that still hold its pipe are silent."""
        ended = self._command.ended or now
        if now - max(ended, self._pump.last_came) > _DRAIN or now - ended > _DRAIN_MOST:
            self._pump.stop()
        return 0.1

    def _hold_to_limit(self, now: float) -> None:
        if self._start.limit is None or now - self._command.started < self._start.limit:
            return
        if self._asked is None:
            self._asked = now
            self._command.signalled(signal.SIGTERM)
        elif now - self._asked > _KILL_AFTER:
            self._command.signalled(signal.SIGKILL)

    def _ending(self) -> Ending:
        command, memory = self._command, self._command.memory
        ended = command.ended or time.monotonic()
        return Ending(
            command=tuple(self._start.command),
            code=command.code,
            signal=command.signal,
            seconds=ended - command.started,
            silent=max(0.0, ended - max(self._pump.last_came, command.started)),
            peak=memory.peak or None,
            limit=memory.limit,
            machine=machine_memory(),
            limit_kills=memory.limit_kills,
            machine_kills=memory.machine_kills,
            stopped="at the limit of time" if self._asked is not None else None,
        )
