"""How a command ended, in figures, and the lines that tell the report of it (read by `patterns.run_ending`)."""

from __future__ import annotations

import signal
from typing import Any

from errtriage.values import dataclass

NEAR = 0.9  # of a limit: a process that was killed with so much in use was killed for its memory
_QUIET = 60.0  # seconds of silence at the end that are worth a word


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a command ended; sizes in bytes, times in seconds, None where it could not be found out."""

    command: tuple[str, ...]
    code: int | None  # None where a signal ended it
    signal: int | None
    seconds: float
    silent: float  # between its last output and its end
    peak: int | None = None  # memory of all its processes together
    limit: int | None = None  # of the cgroup
    machine: int | None = None  # memory of the machine
    limit_kills: int = 0  # by the cgroup's limit, while it ran
    machine_kills: int = 0  # by the kernel on this machine, while it ran
    stopped: str | None = None  # where we stopped it ourselves: why

    @property
    def status(self) -> int:
        """The exit status as shells give it: 128 + n for signal n."""
        return 128 + self.signal if self.signal is not None else self.code or 0


def lines(ending: Ending) -> str:
    """Return the lines that tell of an ending, for the log and its analysis."""
    how = f"with exit code {ending.code}" if ending.signal is None else f"by {_signal_name(ending.signal)}"
    told = f"errtriage run: the command ended {how} after {duration(ending.seconds)}"
    if ending.silent > _QUIET:
        told += f", silent for the last {duration(ending.silent)}"
    if ending.stopped:
        told += f", stopped {ending.stopped}"
    memory = _memory(ending)
    return "".join(f"{line}\n" for line in (memory, told) if line)


def _memory(ending: Ending) -> str:
    """Return the line of a kill for memory, else that of the peak, else nothing."""
    if ending.peak is None:
        return ""
    of = f" of a limit of {size(ending.limit)}" if ending.limit else ""
    if not of and ending.machine:
        of = f" of the machine's {size(ending.machine)}"
    peak = f"memory peaked at {size(ending.peak)}{of}"
    if ending.status == 0:
        return ""
    if ending.limit_kills:
        return f"errtriage run: out of memory: the cgroup's limit killed {_processes(ending.limit_kills)}; {peak}"
    killed = ending.status == 128 + signal.SIGKILL and not ending.stopped
    if killed and ending.machine_kills:
        return f"errtriage run: out of memory: the kernel killed {_processes(ending.machine_kills)}; {peak}"
    if killed and ending.peak >= NEAR * (ending.limit or ending.machine or 2 * ending.peak):
        return f"errtriage run: out of memory: killed near the limit; {peak}"
    return f"errtriage run: {peak}"


def to_dict(ending: Ending, last_words: list[str]) -> dict[str, Any]:
    """Return an ending as it stands in the report's JSON under `run`."""
    return {
        "command": list(ending.command),
        "exit_code": ending.code,
        "signal": None if ending.signal is None else _signal_name(ending.signal),
        "seconds": round(ending.seconds, 3),
        "silent_seconds": round(ending.silent, 3),
        "peak_memory": ending.peak,
        "memory_limit": ending.limit,
        "machine_memory": ending.machine,
        "oom_kills": ending.limit_kills,
        "last_words": last_words,
    }


def duration(seconds: float) -> str:
    """Return `12 s`, `3 min 4 s`, `3 h 12 min`, `2 d 1 h`."""
    whole = int(seconds)
    if whole < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{whole} s"
    parts = [(whole // 86400, "d"), (whole // 3600 % 24, "h"), (whole // 60 % 60, "min"), (whole % 60, "s")]
    while not parts[0][0]:
        parts.pop(0)
    return " ".join(f"{number} {unit}" for number, unit in parts[:2])


def size(number: float) -> str:
    """Return a number of bytes as `1.2 GiB`."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if number < 1024:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1024
    return f"{number:.1f} TiB"


def _processes(number: int) -> str:
    return "1 process" if number == 1 else f"{number} processes"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
