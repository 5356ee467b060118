"""The lines in which `errtriage run` says how its command ended (made by `live.ending`)."""

from __future__ import annotations

import re

from errtriage.exits import signal_of
from errtriage.model import Event, Line
from errtriage.patterns.base import LinePattern, event

_UNITS = {"B": 1, "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3, "TiB": 1024**4}


def _make_ending(line: Line, found: re.Match[str]) -> Event:
    fields = {"signal": found["signal"] or signal_of(found["code"]), "code": found["code"], "message": found[0]}
    return event("process_exit", line, fields, text=found[0])


def _make_out_of_memory(line: Line, found: re.Match[str]) -> Event:
    size, unit = found["peak"].split()
    fields = {
        "what": "oom_kill",
        "scope": "host" if found["owner"] else "cgroup",
        "memory": str(round(float(size) * _UNITS[unit])),
        "message": found[0],
    }
    return event("kernel_log", line, fields, text=found[0])


def _make_finished(line: Line, found: re.Match[str]) -> Event:
    return event("progress", line, {"what": "finished"}, text=found[0])


_AFTER = r" after \d[\w. ]{1,40}"
ENDING = LinePattern(
    kind="process_exit",
    literals=("errtriage run: the command ended ",),
    regex=(
        rf"^errtriage run: the command ended (?:by (?P<signal>SIG[A-Z0-9]{{2,8}}|signal \d{{1,2}})|"
        rf"with exit code (?P<code>[1-9]\d{{0,10}})){_AFTER}.{{0,200}}$"
    ),
    make=_make_ending,
    examples=(
        "errtriage run: the command ended by SIGKILL after 3 h 12 min",
        "errtriage run: the command ended with exit code 1 after 12 s, silent for the last 30 min",
    ),
    ignore=("errtriage run: the command ended with exit code 0 after 12 s", "the command ended by SIGKILL"),
)
OUT_OF_MEMORY = LinePattern(
    kind="kernel_log",
    literals=("errtriage run: out of memory: ",),
    regex=(
        r"^errtriage run: out of memory: .{1,300}?memory peaked at (?P<peak>\d{1,6}(?:\.\d{1,2})? [KMGT]?i?B)"
        r"(?: of (?P<owner>the machine's )?[^;]{1,60})?$"
    ),
    make=_make_out_of_memory,
    examples=(
        "errtriage run: out of memory: the cgroup's limit killed 1 process; memory peaked at 63.8 GiB of a limit of "
        "64.0 GiB",
        "errtriage run: out of memory: killed near the limit; memory peaked at 125.1 GiB of the machine's 128.0 GiB",
    ),
    ignore=("errtriage run: memory peaked at 1.2 GiB of a limit of 64.0 GiB",),
)
FINISHED = LinePattern(
    kind="progress",
    literals=("errtriage run: the command ended with exit code 0",),
    regex=rf"^errtriage run: the command ended with exit code 0{_AFTER}.{{0,200}}$",
    make=_make_finished,
    examples=("errtriage run: the command ended with exit code 0 after 2 h 1 min",),
    ignore=("errtriage run: the command ended with exit code 1 after 12 s",),
)

PATTERNS = (OUT_OF_MEMORY, ENDING, FINISHED)
