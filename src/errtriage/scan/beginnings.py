"""Which literals a short text holds, told by how they begin: an index that is made at once and fit for few texts."""

from __future__ import annotations

from collections.abc import Iterable

from errtriage.scan.wanted import DIGITS

_LENGTH = 3  # bytes of a beginning


class Beginnings:
    """An index of literals, without their digits, by their first three bytes.

    It is made in a tenth of the time of `words.Words`, but looks at every byte of a text.
    """

    def __init__(self, literals: Iterable[bytes]) -> None:
        """Take the literals as they stand in raw lines."""
        self.raw: dict[bytes, list[bytes]] = {}  # a literal without digits to those with
        for literal in literals:
            self.raw.setdefault(literal.translate(None, DIGITS), []).append(literal)
        self._short = [bare for bare in self.raw if len(bare) < _LENGTH]
        self._by_beginning: dict[bytes, list[bytes]] = {}
        for bare in self.raw:
            if len(bare) >= _LENGTH:
                self._by_beginning.setdefault(bare[:_LENGTH], []).append(bare)

    def held(self, text: bytes) -> list[bytes]:
        """Return the literals, without digits, that a text without digits holds."""
        pieces = {text[at : at + _LENGTH] for at in range(len(text) - _LENGTH + 1)}
        found = [one for piece in pieces & self._by_beginning.keys() for one in self._by_beginning[piece]]
        return sorted(one for one in (*found, *self._short) if one in text)
