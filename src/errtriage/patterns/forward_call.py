"""Anomaly mode prints the frames of a forward call before the exception that they explain: both are put together."""

from __future__ import annotations

from errtriage.model import Event, Frame
from errtriage.values import replace

_EXPLAINED = ("returned nan values", "modified by an inplace operation")  # what such exceptions say


class ForwardCalls:
    """The frames that wait for their exception, by source and channel."""

    def __init__(self) -> None:
        """Know none."""
        self._frames: dict[tuple[str, str], tuple[Frame, ...]] = {}

    def __bool__(self) -> bool:
        """Return whether frames are waiting."""
        return bool(self._frames)

    def explained(self, key: tuple[str, str], made: Event) -> Event:
        """Return an event, with the frames of the forward call where it is the exception that they explain."""
        if made.kind == "warning" and made.frames and "forward call" in made.fields.get("message", ""):
            self._frames[key] = made.frames
        elif made.kind == "exception" and key in self._frames:
            message = made.fields.get("message", "")
            if any(words in message for words in _EXPLAINED):
                return replace(made, frames=made.frames + self._frames.pop(key))
        return made
