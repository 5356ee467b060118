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
        self._by_beginning: dict[tuple[int, ...], list[bytes]] = {}
        for bare in self.raw:
            if len(bare) >= _LENGTH:
                self._by_beginning.setdefault(tuple(bare[:_LENGTH]), []).append(bare)

    def held(self, text: bytes) -> list[bytes]:
        """Return the literals, without digits, that a text without digits holds."""
        # Three bytes side by side make a tuple faster than a slice is cut.
        pieces = set(filter(self._by_beginning.__contains__, zip(text, text[1:], text[2:], strict=False)))
        found = [one for piece in pieces for one in self._by_beginning[piece] if one in text]
        found += [one for one in self._short if one in text]
        return sorted(found)
