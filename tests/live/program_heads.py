"""What the programs of the live tests say of themselves in lines such as `# expect: a, b` at their heads."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path


def header(program: Path, name: str) -> str:
    """The value of a `# name: value` line at the head of a program, or nothing."""
    found = re.search(rf"^# {name}: *(.+)$", program.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1].strip() if found else ""


def listed(program: Path, name: str) -> set[str]:
    """The words of such a value, parted by commas or blanks."""
    return set(filter(None, re.split(r"[,\s]+", header(program, name))))


def lacking(program: Path) -> list[str]:
    """The commands of a program's `# needs: gcc nvcc` line that this machine does not have."""
    return sorted(command for command in listed(program, "needs") if not _runs(command))


# How a command shows that it works here, where `--version` says too little: mounts of one's own may be forbidden.
_SHOWN_BY = {"unshare": ("unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/dev/shm")}


@cache
def _runs(command: str) -> bool:
    """Whether a command is there and starts; one that only stands for a version that is not installed does not."""
    if shutil.which(command) is None:
        return False
    shown = _SHOWN_BY.get(command, (command, "--version"))
    return subprocess.run(shown, check=False, capture_output=True, timeout=60).returncode == 0
