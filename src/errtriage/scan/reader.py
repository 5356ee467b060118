"""What the scan asks of the parser where it passes over blocks that are known."""

from __future__ import annotations

from errtriage import TYPE_CHECKING
from errtriage.model import Event

if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object


class Reader(Protocol):
    """The parser: which of its blocks are open, and how it is brought past lines that it does not see.

    `noted` are the events made, by channel, each with the count of the line that it begins at; None: they are not.
    """

    noted: dict[str, list[tuple[int, Event]]] | None

    @property
    def count(self) -> int:
        """How many lines were taken, or passed over."""

    @property
    def begun(self) -> bool:
        """Whether the last line began a block and ended all others."""

    @property
    def is_idle(self) -> bool:
        """Whether no block is open."""

    @property
    def remembers(self) -> bool:
        """Whether something waits for what may come, though no block is open."""

    def is_open(self, channel: str) -> bool:
        """Return whether a block of a channel is open."""

    def is_settled(self, channel: str) -> bool:
        """Return whether the end was seen of all that is open in a channel."""

    def is_silent(self, count: int, line: int) -> bool:
        """Return whether a settled block is closed by now whose last line was taken at this count."""

    def pass_over(self, lines: int, last: int) -> None:
        """Count lines as if they had been taken."""

    def finish(self, channel: str) -> None:
        """Close the blocks of a channel."""
