"""Runs a program of the live tests as a person does, with both of its streams in one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def run(program: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run a program in its folder, for three minutes at most; what it writes to standard error is in its output."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, program.name, *arguments],
        cwd=program.parent,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=180,
        check=False,
    )
