"""Which of many literals a cleaned line holds, at a cost that does not grow with their number."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache

from errtriage.scan.beginnings import Beginnings
from errtriage.scan.wanted import DIGITS, LETTERS
from errtriage.scan.words import Words

_MOST = 20_000  # lines without their digits that are remembered
_LONGEST = 2_000  # bytes of one that is; longer ones are looked at by their words


class Picker:
    """Tells the literals of a line; a line that differs from an earlier one in its digits alone costs little."""

    def __init__(self, literals: Iterable[str]) -> None:
        """Take the literals."""
        self._text = {_bytes(literal): literal for literal in literals}
        self._beginnings = Beginnings(self._text)
        self._known: dict[bytes, list[bytes]] = {}

    def held(self, text: str) -> set[str]:
        """Return the literals that a text holds."""
        raw = _bytes(text)
        skeleton = raw.translate(None, DIGITS)
        suspects = self._known.get(skeleton)
        if suspects is None:
            suspects = self._suspects(skeleton)
        if not suspects:
            return set()
        return {self._text[one] for bare in suspects for one in self._beginnings.raw[bare] if one in raw}

    def _suspects(self, skeleton: bytes) -> list[bytes]:
        if len(skeleton) > _LONGEST:
            return self._index.suspects(set(skeleton.translate(LETTERS).split()), skeleton, bare=True)
        if len(self._known) >= _MOST:
            self._known.clear()
        suspects = self._known[skeleton] = self._beginnings.held(skeleton)
        return suspects

    @cached_property
    def _index(self) -> Words:
        return Words(self._text)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@lru_cache(maxsize=8)
def picker(literals: frozenset[str]) -> Picker:
    """Return the picker of a set of literals, the same one for the same set."""
    return Picker(literals)
