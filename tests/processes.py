"""Starts errtriage as people do: a process with pipes, whose whole output is looked at."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ERRTRIAGE = [sys.executable, "-m", "errtriage"]
PLAIN = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "NO_COLOR", "PYTHONWARNINGS")}
DIED = b"step 1\nTraceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n    f(x)\nIndexError: Target 3 is out of bounds.\n"  # fmt: skip # noqa: E501


def piped(data: bytes, *options: str, timeout: float = 60) -> subprocess.CompletedProcess[bytes]:
    """Feed bytes to the pipe and return what came of it."""
    return subprocess.run([*ERRTRIAGE, *options], input=data, capture_output=True, timeout=timeout, check=False)


def ran(*arguments: str, timeout: float = 60, **more: object) -> subprocess.CompletedProcess[bytes]:
    """Run a command of errtriage and return what came of it."""
    return subprocess.run(
        [*ERRTRIAGE, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False, **more
    )  # type: ignore[call-overload]


def started(*arguments: str, **more: object) -> subprocess.Popen[bytes]:
    """Start errtriage with pipes, in a process group of its own."""
    return subprocess.Popen(
        [*ERRTRIAGE, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        **more,  # type: ignore[call-overload]
    )


def eventually(true: Callable[[], object], seconds: float = 20) -> bool:
    """Wait until something is true; return whether it became so."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if true():
            return True
        time.sleep(0.02)
    return False


def children(pid: int) -> list[int]:
    """Return the children of a process."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
