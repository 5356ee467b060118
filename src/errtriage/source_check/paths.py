"""Paths with their links resolved."""

from __future__ import annotations

import os
from pathlib import Path


def real_path(path: Path) -> Path:
    """Return a path with its links resolved; unlike `Path.resolve` it stands loops of links."""
    return Path(os.path.realpath(path))
