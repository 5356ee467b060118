"""What a bot remembers, in SQLite: which faults were seen where, its own messages, and which requests came twice.

No text of a log is kept: fingerprints, names of runs, threads and messages, each with its time, until they are too old.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

from errtriage.errors import TransportError
from errtriage.values import dataclass

RETENTION_DAYS = 90
_SWEEP_EVERY = 3600.0  # seconds
_TABLES = """
create table if not exists seen (
    space text, thread text, fingerprint text, run text, at real, primary key (space, thread)
);
create index if not exists seen_fingerprint on seen (space, fingerprint, at);
create table if not exists own (space text, thread text, message text, at real, primary key (space, thread));
create table if not exists requests (id text primary key, at real);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """How often a fault was seen: in how many threads, since when (seconds since the epoch), and where first."""

    count: int
    since: float
    first_run: str
    first_thread: str


def default_path() -> Path:
    """Return where a bot remembers things: `errtriage/bot.sqlite` below the person's state folder (XDG)."""
    base = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA") or "~/.local/state"
    return Path(base).expanduser() / "errtriage" / "bot.sqlite"


class Store:
    """The memory of a bot; safe to use from several threads."""

    def __init__(
        self, path: Path | str = ":memory:", *, days: float = RETENTION_DAYS, clock: Callable[[], float] = time.time
    ) -> None:
        """Open or make the file, which only its owner can read; `days` is how long anything is kept.

        Raises:
            TransportError: The file can not be opened.
        """
        self._days, self._clock = days, clock
        self._lock = threading.Lock()
        self._swept = 0.0
        try:
            if str(path) != ":memory:":
                Path(path).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._base = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
            self._base.executescript(_TABLES)
        except (OSError, sqlite3.Error) as error:
            raise TransportError(f"{path}: the bot's memory can not be opened: {error}") from error
        self._sweep()

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def is_new(self, request: str) -> bool:
        """Return whether a request comes for the first time, and note it: services send again what they think lost."""
        self._sweep()
        with self._lock:
            put = self._base.execute("insert or ignore into requests values (?, ?)", (request, self._clock()))
            return put.rowcount == 1

    def see(self, space: str, thread: str, fingerprint: str, run: str) -> Sighting:
        """Note that a thread of a space (a team, a workspace) tells of a fault, and return what is known of it."""
        self._sweep()
        with self._lock:
            self._base.execute(
                "insert into seen values (?, ?, ?, ?, ?) on conflict (space, thread) do update set"
                " fingerprint = excluded.fingerprint",
                (space, thread, fingerprint, run, self._clock()),
            )
            rows = "from seen where space = ? and fingerprint = ?"
            count = self._base.execute(f"select count(*) {rows}", (space, fingerprint)).fetchone()[0]
            first = self._base.execute(
                f"select at, run, thread {rows} order by at, rowid limit 1", (space, fingerprint)
            ).fetchone()
        return Sighting(count=count, since=first[0], first_run=first[1], first_thread=first[2])

    def own_message(self, space: str, thread: str) -> str | None:
        """Return the bot's own message in a thread, by the name that its service gave it."""
        with self._lock:
            row = self._base.execute("select message from own where space = ? and thread = ?", (space, thread))
            found = row.fetchone()
        return found[0] if found else None

    def keep_own(self, space: str, thread: str, message: str) -> None:
        """Note which message in a thread is the bot's own, so that it can be edited."""
        with self._lock:
            self._base.execute(
                "insert or replace into own values (?, ?, ?, ?)", (space, thread, message, self._clock())
            )

    def _sweep(self) -> None:
        now = self._clock()
        if now - self._swept < _SWEEP_EVERY:
            return
        self._swept = now
        with self._lock:
            for table in ("seen", "own", "requests"):
                self._base.execute(f"delete from {table} where at < ?", (now - self._days * 86400,))
