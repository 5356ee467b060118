"""What the programs of the live tests say of themselves in lines such as `# expect: a, b` at their heads."""

from __future__ import annotations

import re
from pathlib import Path


def header(program: Path, name: str) -> str:
    """The value of a `# name: value` line at the head of a program, or nothing."""
    found = re.search(rf"^# {name}: *(.+)$", program.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1].strip() if found else ""


def listed(program: Path, name: str) -> set[str]:
    """The words of such a value, parted by commas or blanks."""
    return set(filter(None, re.split(r"[,\s]+", header(program, name))))
