"""Complaints: what goes wrong beside the stream, told on standard error where there is one."""

from __future__ import annotations

import sys


def complain(text: str) -> None:
    """Write to standard error; where that is gone, nothing can be said and nothing is raised."""
    try:
        for line in text.splitlines():
            sys.stderr.write(f"errtriage: {line}\n")
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        return
