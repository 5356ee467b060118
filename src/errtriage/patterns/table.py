"""What a scan and a parser must know of patterns before a line is at hand: it can be had without their modules."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from errtriage import TYPE_CHECKING
from errtriage.patterns.base import LinePattern
from errtriage.values import dataclass

if TYPE_CHECKING:
    from errtriage.patterns.base import Pattern


@dataclass(frozen=True, slots=True)
class Row:
    """What stands in the table for a pattern; the fields are those of `LinePattern`."""

    kind: str
    literals: tuple[str, ...]
    block: bool  # whether it stands on several lines: the fields that follow the next are then left as they are
    sampled: bool = False
    latest: bool = False
    guard: str = ""
    ranged: tuple[str, ...] = ()
    regex: str = ""  # where it has ranged fields
    by_shape: bool = False


def row_of(pattern: Pattern) -> Row:
    """Return the row of a pattern."""
    if not isinstance(pattern, LinePattern):
        sampled, by_shape = (getattr(pattern, name, False) for name in ("sampled", "by_shape"))
        return Row(pattern.kind, pattern.literals, True, sampled, by_shape=by_shape)
    regex = pattern.regex if pattern.ranged else ""
    return Row(
        pattern.kind,
        pattern.literals,
        False,
        pattern.sampled,
        pattern.latest,
        pattern.guard,
        pattern.ranged,
        regex,
        pattern.by_shape,
    )


class Table:
    """Patterns in the order in which a line is offered to them, each of which is made when it is first asked for."""

    def __init__(self, rows: Iterable[Row], made: Callable[[int], Pattern]) -> None:
        """Take the rows, and what returns the pattern of a row by its number."""
        self.rows = tuple(rows)
        self._made = made
        self._known: list[Pattern | None] = [None] * len(self.rows)

    @classmethod
    def of(cls, patterns: Iterable[Pattern]) -> Table:
        """Return the table of patterns that are at hand."""
        patterns = tuple(patterns)
        return cls(map(row_of, patterns), patterns.__getitem__)

    def __getitem__(self, number: int) -> Pattern:
        """Return the pattern of a row."""
        known = self._known[number]
        if known is None:
            known = self._known[number] = self._made(number)
        return known
