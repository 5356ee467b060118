"""Explains one log and prints, as JSON, the processor seconds that each step took.

    profile_steps.py LOG

A timer looks some hundred times a second at what is running, so that the figures are those of an undisturbed run; what
passed since its last look is charged to the innermost frame that belongs to a step.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from types import FrameType

_PERIOD = 0.001  # seconds; kernels round it up to their own tick
STARTED = "Python starts"
# Modules, or functions of them, of each step; the first that fits names it. What is in none belongs to its caller.
STEPS = (
    ("modules imported", ("importlib", "_frozen_importlib")),
    ("regexes compiled", ("re._compiler", "re._parser", "sre_compile", "sre_parse", "errtriage.regex_store")),
    ("knowledge loaded", ("errtriage.knowledge", "errtriage.user_cache")),
    ("read", ("errtriage.sources.unpacking",)),
    ("newlines counted", ("errtriage.sources.windows.count_newlines",)),
    ("cut into windows, undressed", ("errtriage.sources",)),
    ("metrics sampled", ("errtriage.scan.sampling",)),
    ("spam counted", ("errtriage.scan.spam", "errtriage.scan.shapes", "errtriage.scan.repeats")),
    (
        "engine",
        tuple(
            f"errtriage.scan.{name}"
            for name in ("engines", "hyperscan_engine", "hyperscan_database", "words", "beginnings")
        ),
    ),
    ("parsed", ("errtriage.parse", "errtriage.patterns", "errtriage.scan.picking")),
    ("lines picked", ("errtriage.scan",)),
    ("lines cleaned", ("errtriage.lines",)),
    ("collapsed, series kept", ("errtriage.collapse", "errtriage.series", "errtriage.facts", "errtriage.progress")),
    ("rendered", ("errtriage.render",)),
    ("matched, linked, ranked, all else", ("errtriage.",)),
)
REST = "the rest"


class Profile:
    """Charges processor time to steps while it is on."""

    def __init__(self) -> None:
        """Charge what passed so far to Python itself."""
        self.seconds: dict[str, float] = {}
        self._last = time.process_time()
        self.seconds[STARTED] = self._last
        signal.signal(signal.SIGPROF, self._look)
        signal.setitimer(signal.ITIMER_PROF, _PERIOD, _PERIOD)

    def stop(self) -> None:
        """Look no more."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        self._charge(REST)

    def _look(self, _signal: int, frame: FrameType | None) -> None:
        while frame is not None:
            step = step_of(_place(frame))
            if step is not None:
                self._charge(step)
                return
            frame = frame.f_back
        self._charge(REST)

    def _charge(self, step: str) -> None:
        now = time.process_time()
        self.seconds[step] = self.seconds.get(step, 0.0) + now - self._last
        self._last = now


def _place(frame: FrameType) -> str:
    module = frame.f_globals.get("__name__", "")
    package = "" if frame.f_globals.get("__path__") is None else ".__init__"
    return f"{module}{package}.{frame.f_code.co_name}"


def step_of(place: str) -> str | None:
    """Return the step of a function, such as `errtriage.sources.windows.count_newlines`; None where it has none."""
    if place.startswith(("errtriage.scan.segments.", "errtriage.scan.wanted.")):
        return None  # several steps use them
    return next((step for step, modules in STEPS if place.startswith(modules)), None)


def main() -> None:
    """Explain the log of the command line under the profile."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # so that no other process takes a part of it
    profile = Profile()
    from errtriage.cli import run

    sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123 - for the rest of this process
    run(["explain", "--format", "json", sys.argv[1]])
    profile.stop()
    import json

    sys.__stdout__.write(json.dumps({**profile.seconds, "all": time.process_time()}))  # type: ignore[union-attr]


if __name__ == "__main__":
    main()
