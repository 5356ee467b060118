"""Following logs while a run writes them: each finding once, when it appears, and a stall when nothing comes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from errtriage.live.growing import Growing
from errtriage.live.tail import Tail
from errtriage.model import Entry, Explanation, Report, SeriesMatch
from errtriage.values import dataclass

if TYPE_CHECKING:
    from errtriage.knowledge import Knowledge

PACE = 0.25  # seconds between two looks at the files
SETTLE = 1.5  # seconds of silence after which a traceback counts as whole, and a last line without an end as a line
_ROUNDS = 16  # pieces that are read of each file before what they hold is told
_LOOK_FOR_FILES = 5.0  # seconds between two looks into folders
_MOST_SHARE = 0.1  # of one processor, which the analysis of a busy log may take
# Tests of a metric that hold at once; others may look so for a while and are told when they have lasted.
_AT_ONCE = frozenset({"nonfinite", "zero_hides_nan"})
_LASTED = 1.5  # how many times as many points as when it was first seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing to tell: an explanation, or a stall of so many minutes; `report` is that of all logs so far."""

    report: Report
    explanation: Explanation | None = None
    stalled: float | None = None
    source: str = ""
    last_line: str = ""


class Follower:
    """Follows files and folders.

    Args:
        paths: Files, which need not be there yet, and folders, of which all logs are followed.
        knowledge: The entries to explain by.
        growing: The books to fill.
        stall: Minutes without anything new after which that is told, once until something comes again.
        now: The clock.

    """

    def __init__(
        self,
        paths: Sequence[str],
        knowledge: Knowledge,
        growing: Growing,
        *,
        stall: float | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Make a follower; nothing is read yet."""
        self._knowledge, self._growing, self._now = knowledge, growing, now
        self._folders = [path for path in paths if os.path.isdir(path)]  # noqa: PTH112 (they are strings throughout)
        self._tails = {path: Tail(path) for path in paths if path not in self._folders}
        self._looked = -_LOOK_FOR_FILES
        self._came = {path: now() for path in self._tails}
        self._unsettled: set[str] = set()
        self._last_lines: dict[str, str] = {}
        self._stall = None if stall is None else stall * 60
        self._last_news = now()
        self._stalled = False
        self._told: set[str] = set()
        self._seen: dict[str, int] = {}
        self._explained_events = 0
        self._rest_until = now()

    def step(self) -> Iterator[Finding]:
        """Read what is new, and yield what is to be told of it."""
        self._find_files()
        for _ in range(_ROUNDS):
            if not sum(self._read(tail) for tail in list(self._tails.values())):
                break
        self._settle()
        if self._growing.events != self._explained_events and self._now() >= self._rest_until:
            yield from self._explained()
        yield from self._stalls()

    def _find_files(self) -> None:
        if not self._folders or self._now() - self._looked < _LOOK_FOR_FILES:
            return
        from errtriage.sources.folders import logs_of

        self._looked = self._now()
        for folder in self._folders:
            for path in logs_of(folder):
                if path not in self._tails:
                    self._tails[path] = Tail(path)

    def _read(self, tail: Tail) -> bool:
        data = tail.read()
        if not data:
            return False
        self._growing.add(tail.path, data, restarted=tail.restarted)
        self._came[tail.path] = self._last_news = self._now()
        self._unsettled.add(tail.path)
        self._stalled = False
        lines = [line for line in data[-4096:].replace(b"\r", b"\n").split(b"\n") if line.strip()]
        if lines:
            self._last_lines[tail.path] = lines[-1].decode("utf-8", "replace").strip()
        return True

    def _settle(self) -> None:
        for path in list(self._unsettled):
            if self._now() - self._came[path] >= SETTLE:
                self._unsettled.discard(path)
                rest = self._tails[path].settle()
                if rest:
                    self._growing.add(path, rest)
                self._growing.settle(path)

    def _explained(self) -> Iterator[Finding]:
        began = self._now()
        self._explained_events = self._growing.events
        report = self._growing.report()
        present = {one.id for one in report.explanations}
        self._seen = {name: count for name, count in self._seen.items() if name in present}
        for one in report.explanations:
            if one.id not in self._told and self._has_lasted(one):
                self._told.add(one.id)
                yield Finding(report=report, explanation=one)
        self._rest_until = self._now() + (self._now() - began) / _MOST_SHARE

    def _has_lasted(self, one: Explanation) -> bool:
        """Return whether a finding is sure enough while the run goes on."""
        entry = self._knowledge.entry(one.id) if one.id in self._knowledge.by_id else None
        if entry is None or not _is_patient(entry) or not one.evidence:
            return True
        count = one.evidence[0].count
        return count >= self._seen.setdefault(one.id, count) * _LASTED

    def _stalls(self) -> Iterator[Finding]:
        silent = self._now() - self._last_news
        if self._stall is None or self._stalled or silent < self._stall:
            return
        self._stalled = True
        source = max(self._came, key=self._came.__getitem__, default="")
        last_line = self._last_lines.get(source, "")
        yield Finding(report=self._growing.report(), stalled=silent / 60, source=source, last_line=last_line)


def _is_patient(entry: Entry) -> bool:
    rows = [row for row in entry.match if isinstance(row, SeriesMatch)]
    return len(rows) == len(entry.match) and not any(row.test in _AT_ONCE for row in rows)
