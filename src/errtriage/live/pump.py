"""The pump: what comes in goes out at once, whole and in order; then a copy goes to the log file and the analyser."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Mapping

from errtriage.live.analyser import Analyser
from errtriage.live.analysis import Answer
from errtriage.live.complaints import complain
from errtriage.live.log_file import LogFile
from errtriage.live.outlet import Outlet
from errtriage.live.pipes import READ, WRITE, Poller, enlarge, poller
from errtriage.live.signal_policy import Signals

CHUNK = 256 * 1024  # bytes; from 64 KiB to 1 MiB the throughput is the same
_TAIL = 4096  # bytes of the end that are remembered
_LONGEST_LINE = 64 * 1024  # bytes of a woven line that wait for its end
_EARLY_WAIT = 10.0  # seconds that a report which a SIGTERM asked for may take

Tick = Callable[[], "float | None"]


class Pump:
    """Passes streams on until they end; the order of what is done with a piece is its whole safety.

    Args:
        inlets: Descriptors to read, each with where it goes on to (None: nowhere, it is only analysed).
        signals: The signals to obey: after a SIGTERM the report is asked for before the streams have ended.
        analyser: Who gets a copy of everything.
        log: The file that gets a copy of everything.
        report: What is called with the answer that a SIGTERM asked for.
        watched: Further descriptors, each with what is called when it can be read.
        tick: What is called whenever something happened, and after the seconds that it returned the last time.

    """

    def __init__(
        self,
        inlets: Mapping[int, Outlet | None],
        *,
        signals: Signals,
        analyser: Analyser,
        log: LogFile | None = None,
        report: Callable[[Answer], None] | None = None,
        watched: Mapping[int, Callable[[], None]] | None = None,
        tick: Tick | None = None,
    ) -> None:
        """Make a pump; nothing is read yet."""
        self._inlets = dict(inlets)
        self._outlets = list({id(one): one for one in inlets.values() if one is not None}.values())
        self._signals, self._analyser, self._log = signals, analyser, log
        self._report, self._tick = report, tick
        self._watched = dict(watched or {})
        self._early: float | None = None
        self._poll: Poller | None = None
        self.reported = False
        self.last_came = time.monotonic()
        self.tail = b""
        self._unended = dict.fromkeys(self._inlets, b"") if len(self._inlets) > 1 else {}
        for descriptor in self._inlets:
            enlarge(descriptor)

    def run(self) -> None:
        """Pass everything on until all inlets have ended or `stop` was called.

        Raises:
            BrokenPipeError: Who read the outlet has gone.

        """
        if self._signals.wakes_on >= 0:
            self._run_polling()
        else:
            self._run_blocking()
        for outlet in self._outlets:
            outlet.close()

    def stop(self) -> None:
        """Read no more."""
        for descriptor in list(self._inlets):
            self.keep(self._unended.pop(descriptor, b""))
        self._inlets.clear()

    def stop_watching(self, descriptor: int) -> None:
        """Watch a descriptor no more."""
        if self._watched.pop(descriptor, None) is not None and self._poll is not None:
            self._poll.unregister(descriptor)

    def _run_blocking(self) -> None:
        for descriptor in list(self._inlets):
            while descriptor in self._inlets:
                self._take(descriptor)

    def _run_polling(self) -> None:
        poll = self._poll = poller()
        for descriptor in (*self._inlets, *self._watched):
            poll.register(descriptor, READ)
        poll.register(self._signals.wakes_on, READ)
        wanted: int | None = None  # the analyser's feed, watched while something waits for it
        wait = self._ticked()
        while self._inlets:
            for descriptor, _ in poll.poll(wait):
                if descriptor in self._inlets:
                    self._take(descriptor)
                elif descriptor in self._watched:
                    self._watched[descriptor]()
                elif descriptor == self._signals.wakes_on:
                    self._signals.drain()
                else:
                    self._analyser.flush()
            if self._analyser.wants != wanted:
                if wanted is not None:
                    poll.unregister(wanted)
                wanted = self._analyser.wants
                if wanted is not None:
                    poll.register(wanted, WRITE)
            wait = self._ticked()

    def _take(self, descriptor: int) -> None:
        """Read once, and pass on what was read."""
        try:
            data = os.read(descriptor, CHUNK)
        except BlockingIOError:
            return
        except OSError as error:
            if error.errno != errno.EIO:  # which a pseudo-terminal says when its last writer has gone
                complain(f"the stream can not be read on: {error.strerror}")
            data = b""
        if not data:
            outlet = self._inlets.pop(descriptor)
            self.keep(self._unended.pop(descriptor, b""))
            if self._poll is not None:
                self._poll.unregister(descriptor)
            if outlet is not None and outlet not in self._inlets.values():
                outlet.close()
            return
        outlet = self._inlets[descriptor]
        if outlet is not None:
            outlet.write(data)
        self.keep(self._whole_lines(descriptor, data) if self._unended else data)
        self.last_came = time.monotonic()

    def _whole_lines(self, descriptor: int, data: bytes) -> bytes:
        """Return what may be kept of several streams that are woven into one log: lines, or very long parts of them."""
        data = self._unended[descriptor] + data
        end = len(data) if len(data) > _LONGEST_LINE else max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
        self._unended[descriptor] = data[end:]
        return data[:end]

    def keep(self, data: bytes) -> None:
        """Give bytes to the log file and the analyser alone."""
        if not data:
            return
        self.tail = (self.tail + data)[-_TAIL:] if len(data) < _TAIL else data[-_TAIL:]
        if self._log is not None:
            self._log.write(data)
        self._analyser.feed(data)

    def _ticked(self) -> float | None:
        """Do what is due, and return the milliseconds until something is due again, None where nothing will be."""
        waits = [one.due() for one in self._outlets]
        for outlet, due in zip(self._outlets, waits, strict=True):
            if due == 0.0:
                outlet.tick()
        if self._log is not None:
            self._log.tick()
            waits.append(self._log.due())
        if self._tick is not None:
            waits.append(self._tick())
        if self._signals.terminated_at is not None:
            waits.append(self._make_report_early())
        left = [wait for wait in waits if wait is not None]
        return min(left) * 1000 + 1 if left else None

    def _make_report_early(self) -> float | None:
        """After a SIGTERM: report what was read so far, and read on, for the run may be saving its work."""
        if self.reported or self._report is None:
            return None
        grace = self._signals.grace_left() or 0.0
        if self._early is None and grace > 0.0:
            return grace
        if self._early is None:
            self._early = time.monotonic()
            self._analyser.close()
        overdue = time.monotonic() - self._early > _EARLY_WAIT
        answer = self._analyser.wait(0.0) if overdue else self._analyser.take()
        if answer is None:
            return 0.05
        self.reported = True
        for outlet in self._outlets:
            outlet.tick()
        self._report(answer)
        return None
