"""One view on the parse trees of `re`, whose module has another name in Python 3.10."""

from __future__ import annotations

import importlib
import re
import sys
from typing import Any

_parser = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")

MAXREPEAT = int(_parser.MAXREPEAT)
ALPHABET = frozenset(range(256)) | {0x2019, 0x4E2D}  # the characters on which two parts are compared

Node = tuple[str, Any]


def tree(pattern: str) -> tuple[list[Node], int]:
    """Return the parse tree of a regex as (operation name, argument) pairs, and its flags. Raises `re.error`."""
    parsed = _parser.parse(pattern)
    return _nodes(parsed), parsed.state.flags


def _nodes(sequence: Any) -> list[Node]:
    return [(str(operation), argument) for operation, argument in sequence]


def repeat(argument: Any) -> tuple[int, int, list[Node]]:
    """Return the least and the most count and the body of a repeat."""
    low, high, body = argument
    return int(low), int(high), _nodes(body)


def group(argument: Any) -> tuple[int | None, int, list[Node]]:
    """Return the number, the flags set inside, and the body of a group."""
    number, add, _drop, body = argument
    return number, int(add), _nodes(body)


def branches(argument: Any) -> list[list[Node]]:
    """Return the alternatives of a branch."""
    return [_nodes(body) for body in argument[1]]


def is_repeat(operation: str) -> bool:
    """Return whether an operation repeats its body."""
    return operation in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")


def is_empty(operation: str) -> bool:
    """Return whether an operation takes no character: an anchor or a look around."""
    return operation in ("AT", "ASSERT", "ASSERT_NOT")


def first_characters(node: Node, flags: int) -> frozenset[int]:
    """Return the characters of `ALPHABET` with which a match of the node can start (all, where that is hard to say)."""
    operation, argument = node
    if operation in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
        return _single(operation, argument, flags)
    if is_repeat(operation):
        return first_of_sequence(repeat(argument)[2], flags)
    if operation == "SUBPATTERN":
        _, add, body = group(argument)
        return first_of_sequence(body, flags | add)
    if operation == "BRANCH":
        found: frozenset[int] = frozenset()
        for body in branches(argument):
            found |= first_of_sequence(body, flags)
        return found
    return frozenset() if is_empty(operation) else ALPHABET


def first_of_sequence(nodes: list[Node], flags: int) -> frozenset[int]:
    """Return the characters with which a sequence can start."""
    found: frozenset[int] = frozenset()
    for node in nodes:
        found |= first_characters(node, flags)
        if not is_empty(node[0]) and least_width(node) > 0:
            break
    return found


def all_characters(nodes: list[Node], flags: int) -> frozenset[int]:
    """Return every character that a sequence can take anywhere."""
    found: frozenset[int] = frozenset()
    for operation, argument in nodes:
        if is_repeat(operation):
            found |= all_characters(repeat(argument)[2], flags)
        elif operation == "SUBPATTERN":
            _, add, body = group(argument)
            found |= all_characters(body, flags | add)
        elif operation == "BRANCH":
            for body in branches(argument):
                found |= all_characters(body, flags)
        else:
            found |= first_characters((operation, argument), flags)
    return found


def least_width(node: Node) -> int:
    """Return the least number of characters that a node takes."""
    operation, argument = node
    if is_repeat(operation):
        low, _, body = repeat(argument)
        return low * sum(map(least_width, body))
    if operation == "SUBPATTERN":
        return sum(map(least_width, group(argument)[2]))
    if operation == "BRANCH":
        return min(sum(map(least_width, body)) for body in branches(argument))
    return 1 if operation in ("LITERAL", "NOT_LITERAL", "ANY", "IN") else 0


def _single(operation: str, argument: Any, flags: int) -> frozenset[int]:
    """Return what a node of one character takes, by asking `re` itself."""
    if operation == "ANY":
        return ALPHABET if flags & re.DOTALL else ALPHABET - {10}
    if operation == "IN":
        return frozenset(c for c in ALPHABET if _in_set(argument, c, flags))
    same = frozenset(c for c in ALPHABET if _equal(c, argument, flags))
    return ALPHABET - same if operation == "NOT_LITERAL" else same


def _equal(character: int, wanted: int, flags: int) -> bool:
    if flags & re.IGNORECASE:
        return chr(character).lower() == chr(wanted).lower()
    return character == wanted


def _in_set(items: Any, character: int, flags: int) -> bool:
    inside = False
    negated = False
    for operation, argument in _nodes(items):
        if operation == "NEGATE":
            negated = True
        elif operation == "LITERAL":
            inside |= _equal(character, argument, flags)
        elif operation == "RANGE":
            low, high = argument
            letters = {chr(character)}
            if flags & re.IGNORECASE:
                letters |= {chr(character).lower(), chr(character).upper()}
            inside |= any(low <= ord(letter[0]) <= high for letter in letters)
        elif operation == "CATEGORY":
            inside |= re.match(_CATEGORIES[str(argument)], chr(character)) is not None
    return inside != negated


_CATEGORIES = {
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
}
