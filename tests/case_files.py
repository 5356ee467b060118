"""Logs with their known answer: `<name>.log` beside `<name>.yaml`, under tests/logs/."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

LOGS = Path(__file__).parent / "logs"


@dataclass(frozen=True)
class Case:
    """One log and what must be said of it."""

    log: Path
    accept: tuple[str, ...]
    top3: tuple[str, ...]
    reject: tuple[str, ...]
    where: tuple[str, ...]

    @property
    def name(self) -> str:
        """The folder and name, as the id of its tests."""
        return f"{self.log.parent.name}/{self.log.stem}"


def cases() -> list[Case]:
    """Return all cases, by name."""
    return [_case(answer) for answer in sorted(LOGS.rglob("*.yaml")) if answer.with_suffix(".log").exists()]


def _case(answer: Path) -> Case:
    known: dict[str, Any] = yaml.safe_load(answer.read_text(encoding="utf-8"))
    where = known.get("where") or ()
    return Case(
        log=answer.with_suffix(".log"),
        accept=tuple(known.get("accept") or ()),
        top3=tuple(known.get("top3") or ()),
        reject=tuple(known.get("reject") or ()),
        where=tuple([where] if isinstance(where, str) else where),
    )
