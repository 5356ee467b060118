"""The errors that errtriage raises; a log's content never raises.

ErrtriageError            has `exit_status`, and its text is one line for the person
├── SourceError           a log that can not be read
├── KnowledgeError        all mistakes of all knowledge files at once, each as a trail into its file
└── TransportError        a bot or notification that could not be delivered
"""

from __future__ import annotations


class ErrtriageError(Exception):
    """The base of all errors of errtriage; `exit_status` is that of the command which ends with it."""

    exit_status = 2


class SourceError(ErrtriageError):
    """A log could not be read: missing, no permission, a socket."""


class KnowledgeError(ErrtriageError):
    """Knowledge files hold mistakes; `trails` lists them, e.g. `x.yaml > match[0] > where > message: missing )`."""

    def __init__(self, trails: list[str]) -> None:
        """Take one trail for each mistake."""
        super().__init__("\n".join(trails))
        self.trails = trails


class TransportError(ErrtriageError):
    """A message could not be sent or received."""
