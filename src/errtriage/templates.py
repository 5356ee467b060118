"""Texts with holes: `{name}`, `{label + 1}`, `{free:bytes}`, and clauses in `[…]` that go where a value is unknown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from errtriage import TYPE_CHECKING
from errtriage.lazy_regex import lazy
from errtriage.values import dataclass

if TYPE_CHECKING:
    import re

Number = int | float

_BRACES = lazy(r"\{\{([^{}\n]{1,80})\}\}|\{([^{}\n]{1,80})\}|\\([\[\]])|([\[\]])")
_TOKEN = lazy(r"\s*(?:(?P<number>\d{1,15}(?:\.\d{1,15})?)|(?P<name>[A-Za-z_]\w*)|(?P<sign>//|[-+*/()]))")
_NUMBER = lazy(r"[-+]?\d{1,30}(?:\.\d{1,30})?(?:[eE][-+]?\d{1,3})?")
STAND_INS = {"where": "the line that fails"}  # what stands for a value that is not known, in words
_LONGEST_VALUE = 300  # characters of one value inside a text


@dataclass(frozen=True, slots=True)
class Hole:
    """A placeholder: its expression, the names in it, and the form that its number is written in."""

    expression: str
    names: tuple[str, ...]
    form: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a text that is left out where a value directly in it is unknown."""

    pieces: tuple[Piece, ...]


Piece = str | Hole | Clause


def fill(text: str, values: Mapping[str, str], *, clauses: bool = True) -> str:
    r"""Return a text with its holes filled.

    A clause in square brackets that holds a hole is left out where one of its own values is unknown; brackets without
    a hole stay. `{{x}}`, `\[` and `\]` write themselves. Code is filled with `clauses=False`: its brackets stay.
    A value that is unknown outside of a clause is written as in `STAND_INS`, else `<name>`. Never raises.
    """
    return "".join(_write(piece, values) or "" for piece in parse(text, clauses=clauses))


def evaluate(expression: str, values: Mapping[str, str]) -> Number | None:
    """Return the number that an expression of names, numbers, `+ - * / //` and parentheses has; None if unknown."""
    try:
        return _Reader(expression, values).whole()
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


def holes(text: str, *, clauses: bool = True) -> Iterator[tuple[Hole, bool]]:
    """Yield each hole of a text, and whether it stands in a clause, so that its value may be unknown."""
    yield from _holes(parse(text, clauses=clauses), False)


def stray_braces(text: str) -> list[str]:
    """Return the braces of a text that hold something, but no placeholder."""
    found = (m[2] for m in _BRACES.finditer(text) if m[2] is not None)
    return ["{" + inner + "}" for inner in found if _hole(inner) is None]


@lru_cache(maxsize=4096)
def parse(text: str, *, clauses: bool = True) -> tuple[Piece, ...]:
    """Return the pieces of a text."""
    open_parts: list[list[Piece]] = [[]]
    at = 0
    for found in _BRACES.finditer(text):
        open_parts[-1].append(text[at : found.start()])
        at = found.end()
        _take(found, open_parts, clauses)
    open_parts[-1].append(text[at:])
    while len(open_parts) > 1:  # a bracket that is never closed is a plain bracket
        tail = open_parts.pop()
        open_parts[-1] += ["[", *tail]
    return tuple(piece for piece in open_parts[0] if piece != "")


def _take(found: re.Match[str], open_parts: list[list[Piece]], clauses: bool) -> None:
    doubled, inner, escaped, bracket = found.groups()
    if inner is not None:
        open_parts[-1].append(_hole(inner) or found[0])
    elif doubled is not None:
        open_parts[-1].append("{" + doubled + "}" if _hole(doubled) else found[0])
    elif not clauses:
        open_parts[-1].append(found[0])
    elif escaped is not None:
        open_parts[-1].append(escaped)
    elif bracket == "[":
        open_parts.append([])
    elif len(open_parts) == 1:
        open_parts[-1].append("]")
    else:
        pieces = open_parts.pop()
        if any(isinstance(piece, Hole) for piece in pieces):
            open_parts[-1].append(Clause(tuple(piece for piece in pieces if piece != "")))
        else:
            open_parts[-1] += ["[", *pieces, "]"]


def _hole(inner: str) -> Hole | None:
    expression, _, form = inner.partition(":")
    if form and form not in FORMS:
        return None
    try:
        names = _Reader(expression, {}).names()
    except ValueError:
        return None
    return Hole(expression.strip(), names, form) if names else None


def _holes(pieces: tuple[Piece, ...], optional: bool) -> Iterator[tuple[Hole, bool]]:
    for piece in pieces:
        if isinstance(piece, Hole):
            yield piece, optional
        elif isinstance(piece, Clause):
            yield from _holes(piece.pieces, True)


def _write(piece: Piece, values: Mapping[str, str]) -> str:
    if isinstance(piece, str):
        return piece
    if isinstance(piece, Hole):
        value = _value(piece, values)
        return STAND_INS.get(piece.expression, f"<{piece.expression}>") if value is None else value
    if any(isinstance(part, Hole) and _value(part, values) is None for part in piece.pieces):
        return ""
    return "".join(_write(part, values) for part in piece.pieces)


def _value(hole: Hole, values: Mapping[str, str]) -> str | None:
    if hole.expression in values and not hole.form:
        text = str(values[hole.expression])
        return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"
    number = evaluate(hole.expression, values)
    if number is None:
        return None
    return FORMS[hole.form](number)


def _plain(number: Number) -> str:
    whole = isinstance(number, int) or (number.is_integer() and abs(number) < 1e15)
    return str(int(number)) if whole else f"{number:.6g}"


def _bytes(number: Number) -> str:
    for unit, size in (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if abs(number) >= size:
            return f"{number / size:.2f} {unit}"
    return f"{_plain(number)} bytes"


def _duration(milliseconds: Number) -> str:
    for unit, size in (("h", 3_600_000), ("min", 60_000), ("s", 1000)):
        if abs(milliseconds) >= size:
            return f"{milliseconds / size:.4g} {unit}"
    return f"{_plain(milliseconds)} ms"


FORMS: Mapping[str, Callable[[Number], str]] = {"": _plain, "bytes": _bytes, "ms": _duration}


class _Reader:
    """Reads one expression by recursive descent; ValueError where it is none, or a value is not a number."""

    def __init__(self, expression: str, values: Mapping[str, str]) -> None:
        self._tokens = _tokens(expression)
        self._values = values
        self._at = 0
        self._blank = False  # whether names stand for 1, to read the shape alone

    def names(self) -> tuple[str, ...]:
        self._blank = True
        try:  # noqa: SIM105 - contextlib is not imported for this
            self.whole()
        except ZeroDivisionError:
            pass  # the shape is right; only the blank values divide by zero
        return tuple(dict.fromkeys(text for kind, text in self._tokens if kind == "name"))

    def whole(self) -> Number:
        value = self._sum()
        if self._at < len(self._tokens):
            raise ValueError
        return value

    def _sum(self) -> Number:
        value = self._product()
        while (sign := self._sign("+", "-")) is not None:
            other = self._product()
            value = value + other if sign == "+" else value - other
        return value

    def _product(self) -> Number:
        value = self._atom()
        while (sign := self._sign("*", "/", "//")) is not None:
            other = self._atom()
            value = value * other if sign == "*" else value / other if sign == "/" else value // other
        return value

    def _atom(self) -> Number:
        if self._sign("-") is not None:
            return -self._atom()
        if self._sign("(") is not None:
            value = self._sum()
            if self._sign(")") is None:
                raise ValueError
            return value
        if self._at >= len(self._tokens):
            raise ValueError
        kind, text = self._tokens[self._at]
        self._at += 1
        if kind == "name":
            return 1 if self._blank else _number(str(self._values.get(text, "")))
        if kind == "number":
            return _number(text)
        raise ValueError

    def _sign(self, *signs: str) -> str | None:
        if self._at < len(self._tokens) and self._tokens[self._at] in [("sign", sign) for sign in signs]:
            self._at += 1
            return self._tokens[self._at - 1][1]
        return None


def _tokens(expression: str) -> list[tuple[str, str]]:
    tokens = []
    at = 0
    text = expression.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            raise ValueError
        tokens.append((found.lastgroup, found[found.lastgroup]))
        at = found.end()
    return tokens


def _number(text: str) -> Number:
    if not _NUMBER.fullmatch(text.strip()):
        raise ValueError
    value = float(text)
    return int(text) if text.strip().lstrip("+-").isdigit() else value
