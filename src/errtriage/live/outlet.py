"""The outlet: where the stream goes on to, as a rule standard output, folded where a person reads it."""

from __future__ import annotations

import os
from typing import Protocol

from errtriage.live.complaints import complain
from errtriage.live.pipes import enlarge, write_all


class Folding(Protocol):
    """What an outlet knows of a fold (`fold.Fold`)."""

    def feed(self, data: bytes) -> bytes:
        """Take a piece of the stream and return what is to be written for it."""

    def due(self) -> float | None:
        """Return the seconds until `tick` has something to write, None where it has nothing."""

    def tick(self) -> bytes:
        """Return what is to be written now though nothing has come."""

    def close(self) -> bytes:
        """Return what is still held."""


class Outlet:
    """Writes pieces as they come. A reader that has gone raises `BrokenPipeError`; any other trouble is said once.

    After such trouble (a closed terminal, a full disk) the stream is read on and dropped here: the run goes on.
    """

    def __init__(self, descriptor: int, name: str = "standard output", fold: Folding | None = None) -> None:
        """Take an open descriptor, which is not closed, what to call it, and how to fold."""
        self._descriptor = descriptor
        self._name = name
        self._fold = fold
        self._broken = False
        self._last = b"\n"
        enlarge(descriptor)

    @property
    def in_line(self) -> bool:
        """Whether the last line that was written has no end yet."""
        return self._last not in (b"\n", b"")

    def write(self, data: bytes) -> None:
        """Write a piece of the stream."""
        self._write(self._folded(data) if self._fold is not None else data)

    def due(self) -> float | None:
        """Return the seconds until `tick` must be called, None where it need not be."""
        return self._fold.due() if self._fold is not None else None

    def tick(self) -> None:
        """Write what has been held long enough."""
        if self._fold is not None:
            self._write(self._fold.tick())

    def close(self) -> None:
        """Write what is still held; the descriptor stays open."""
        if self._fold is not None:
            self._write(self._fold.close())
            self._fold = None

    def _folded(self, data: bytes) -> bytes:
        fold = self._fold
        try:
            return fold.feed(data) if fold is not None else data
        except Exception:  # a mistake of ours in folding must not cost a byte: go on without
            self._fold = None
            return data

    def _write(self, data: bytes) -> None:
        if not data or self._broken:
            return
        try:
            write_all(self._descriptor, data)
            self._last = data[-1:]
        except BrokenPipeError:
            raise
        except OSError as error:
            self._broken = True
            complain(f"{self._name}: {os.strerror(error.errno or 0)}; the run goes on, and is read on, without it")
