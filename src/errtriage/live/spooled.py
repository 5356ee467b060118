"""The analyser of systems without fork: the stream is kept in a file, and analysed when it has ended."""

from __future__ import annotations

import tempfile
from typing import Any

from errtriage.live.analysis import Answer, Work, failure

_CHUNK = 1024 * 1024


class Spooled:
    """An analyser for systems without fork: it keeps the stream in a temporary file and works when that has ended."""

    wants = None
    answers_on = None

    def __init__(self, work: Work) -> None:
        """Open the temporary file."""
        self._work = work
        self._file: Any = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `end`)
        self._trouble = ""

    def feed(self, data: bytes) -> None:
        """Take a copy of a piece of the stream."""
        if self._trouble:
            return
        try:
            self._file.write(data)
        except OSError as error:
            self._trouble = f"the log could not be kept for the analysis: {error.strerror}"

    def flush(self) -> None:
        """Do nothing: nothing waits."""

    def close(self) -> None:
        """Do nothing: the analysis starts when it is asked for."""

    def take(self) -> Answer | None:
        """Return None: the answer comes when it is waited for."""
        return None

    def wait(self, seconds: float) -> Answer:  # noqa: ARG002 (it can not be cut short)
        """Return the answer."""
        if self._trouble:
            return {"trouble": self._trouble}
        try:
            self._file.seek(0)
            return self._work(iter(lambda: self._file.read(_CHUNK), b""))
        except BaseException as error:
            return failure(error)
        finally:
            self.end()

    def end(self) -> None:
        """Remove the temporary file."""
        self._file.close()
