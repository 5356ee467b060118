"""The rules that the failing program's own source breaks near a fault."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from errtriage.model import Frame


def rules_near(_frames: Sequence[Frame], _command: str | None, _root: Path) -> frozenset[str]:
    """Return the ids of the rules that are broken near the frames, in files below the root alone."""
    return frozenset()
