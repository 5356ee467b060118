"""Which literals a text can hold, told by the words of the text: the cost does not grow with the number of literals."""

from __future__ import annotations

from collections.abc import Iterable

from errtriage.scan.wanted import DIGITS, LETTERS

_MOST = 100_000  # words that are remembered
_LONG = 100  # letters of a word whose parts are too many to look up
_HEX = (
    b"abcdefABCDEF"  # the words of hexadecimal numbers hardly repeat: none is looked at, and what they can hold counts
)
_NO_SIGNS = bytes(byte for byte in range(256) if byte in b" \n\r0123456789" or LETTERS[byte] != 32)
_TOO_MANY = 10_000  # new words in one text from which on the text is searched for each part (base64, say)
_PLACES = ("first", "last", "any")


Part = tuple[str, bytes]  # where in a word (first, last, any), and the letters


class Words:
    """An index of literals by their words.

    A word is a run of letters. A literal's inner words are whole words of any text that holds it; its first and its
    last word can be parts of longer ones. A text that lacks one of these does not hold the literal.
    """

    def __init__(self, literals: Iterable[bytes], closed: frozenset[bytes] = frozenset()) -> None:
        """Take the literals as they stand in raw lines, and those of them that end where a word does.

        All texts are looked at without their digits.
        """
        self.raw: dict[bytes, list[bytes]] = {}  # a literal without digits to those with
        self._needed: dict[bytes, tuple[frozenset[bytes], frozenset[Part], frozenset[int]]] = {}  # words, parts, signs
        self._by_word: dict[bytes, list[bytes]] = {}
        self._by_part: dict[Part, list[bytes]] = {}
        self._wordless: list[bytes] = []
        self._silent: set[bytes] = set()  # words of texts that hold no part of a literal
        self._telling: dict[bytes, int] = {}  # words that do, and the number of the parts
        self._told: list[tuple[Part, ...]] = []  # parts that a word holds, by number: many words hold the same
        self._numbers: dict[tuple[Part, ...], int] = {}
        for literal in literals:
            self.raw.setdefault(literal.translate(None, DIGITS), []).append(literal)
        for bare, raw in self.raw.items():
            self._add(bare, closed=closed.issuperset(raw))
        self._parts = {part for _, parts, _ in self._needed.values() for part in parts}
        self._lengths = {place: sorted({len(part) for at, part in self._parts if at == place}) for place in _PLACES}
        self._hex = {part for part in self._parts if not part[1].strip(_HEX)}

    def _add(self, bare: bytes, *, closed: bool) -> None:
        text = bare.translate(LETTERS)
        words = text.split()
        opened, closed = text[:1] in b" \n", closed or text[-1:] in b" \n"
        parts: set[Part] = set()
        if len(words) == 1 and not (opened and closed):
            parts = {("first" if opened else "last" if closed else "any", words.pop())}
        if words and not opened:
            parts.add(("last", words.pop(0)))
        if words and not closed:
            parts.add(("first", words.pop()))
        self._needed[bare] = (frozenset(words), frozenset(parts), frozenset(bare.translate(None, _NO_SIGNS)))
        if words:
            self._by_word.setdefault(max(words, key=len), []).append(bare)
        elif parts:
            self._by_part.setdefault(max(parts, key=lambda part: len(part[1])), []).append(bare)
        else:
            self._wordless.append(bare)

    def suspects(self, words: set[bytes], text: bytes, *, bare: bool) -> list[bytes]:
        """Return the literals, without digits, that a text of these words can hold.

        With `bare` the text is without digits, and those are returned that it does hold.
        """
        parts = self._parts_of(words, text, bare=bare)
        found = {one for word in words & self._by_word.keys() for one in self._by_word[word]}
        found.update(one for part in parts & self._by_part.keys() for one in self._by_part[part])
        signs = frozenset(text.translate(None, _NO_SIGNS))
        fitting = []
        for one in (*found, *self._wordless):
            whole, part, sign = self._needed[one]
            if whole <= words and part <= parts and sign <= signs and (not bare or one in text):
                fitting.append(one)
        return sorted(fitting)

    def _parts_of(self, words: set[bytes], text: bytes, *, bare: bool) -> set[Part]:
        """Return the parts of literals that words can hold."""
        new = words - self._silent
        new -= self._telling.keys()
        new = {word for word in new if word.strip(_HEX)}
        if len(new) > _TOO_MANY:
            text = text if bare else text.translate(None, DIGITS)
            return self._hex.union(part for part in self._parts if part[1] in text)
        if len(self._silent) + len(self._telling) > _MOST:
            for known in (self._silent, self._telling, self._told, self._numbers):
                known.clear()
            new = {word for word in words if word.strip(_HEX)}
        for word in new:
            told = self._tell(word)
            if told:
                self._telling[word] = self._number(told)
            else:
                self._silent.add(word)
        numbers = set(map(self._telling.__getitem__, words & self._telling.keys()))
        return self._hex.union(*map(self._told.__getitem__, numbers))

    def _number(self, parts: tuple[Part, ...]) -> int:
        number = self._numbers.setdefault(parts, len(self._told))
        if number == len(self._told):
            self._told.append(parts)
        return number

    def _tell(self, word: bytes) -> tuple[Part, ...]:
        if len(word) > _LONG:
            return tuple(sorted(part for part in self._parts if part[1] in word))
        ends = [("first", word[:length]) for length in self._lengths["first"]]
        ends += [("last", word[-length:]) for length in self._lengths["last"]]
        for length in self._lengths["any"]:
            ends += [("any", word[at : at + length]) for at in range(len(word) - length + 1)]
        return tuple(sorted(self._parts.intersection(ends)))
