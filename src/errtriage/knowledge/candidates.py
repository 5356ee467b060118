"""Which rows of a kind can fit an event: an index of the literals that they need, worth making for many events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from errtriage import TYPE_CHECKING
from errtriage.knowledge.data import meets

if TYPE_CHECKING:
    from typing import Any

_LENGTH = 3  # characters of a literal that are looked up


class Candidates:
    """An index of rows by the beginnings of the literals of one of their needs; rows without needs always count."""

    def __init__(self, rows: Sequence[Any]) -> None:
        """Take the rows: (name, needs, match) with needs as pairs of a field and of literals, of which it holds one."""
        self._rows = rows
        self._always = [number for number, (_, needs, _) in enumerate(rows) if not needs]
        self._fields: dict[str, _Literals] = {}
        for number, (_, needs, _) in enumerate(rows):
            if needs:
                field, literals = max(needs, key=lambda need: min(map(len, need[1]), default=0))
                self._fields.setdefault(field, _Literals()).add(literals, number)

    def of(self, fields: Mapping[str, str]) -> list[int]:
        """Return the numbers of the rows all of whose needs the fields meet, in order."""
        numbers = set(self._always)
        for field, literals in self._fields.items():
            value = fields.get(field)
            if value:
                literals.find(value, numbers)
        return [number for number in sorted(numbers) if meets(self._rows[number][1], fields)]


class _Literals:
    """The literals of one field."""

    def __init__(self) -> None:
        self._by_beginning: dict[tuple[str, ...], dict[str, list[int]]] = {}
        self._short: dict[str, list[int]] = {}

    def add(self, literals: Iterable[str], number: int) -> None:
        """Take the literals of a row."""
        for one in literals:
            short = len(one) < _LENGTH
            same = self._short if short else self._by_beginning.setdefault(tuple(one[:_LENGTH]), {})
            same.setdefault(one, []).append(number)

    def find(self, value: str, numbers: set[int]) -> None:
        """Add the rows one of whose literals a value holds."""
        pieces = set(filter(self._by_beginning.__contains__, zip(value, value[1:], value[2:], strict=False)))
        for known in (self._short, *map(self._by_beginning.__getitem__, pieces)):
            for one, rows in known.items():
                if one in value:
                    numbers.update(rows)
