"""The literals one of which a text must hold where a regex can match it: they pick lines before any regex runs."""

from __future__ import annotations

import re

from errtriage.knowledge.regex_tree import Node, branches, group, is_repeat, repeat, tree
from errtriage.vocabulary import COMMON_WORDS

SHORTEST = 4  # bytes of a literal that picks lines: shorter ones stand everywhere
_TELLING = 6  # characters of a literal that picks lines only as evidence
_MOST = 24  # alternatives of one set


def required(pattern: str) -> tuple[str, ...]:
    """Return literals of which every match of a regex holds at least one; empty where there are none.

    Of several such sets the one whose shortest literal is longest is taken. A part that ignores case gives no
    literal. Raises `re.error`.
    """
    nodes, flags = tree(pattern)
    return _best(_sets(nodes, flags))


def picking(pattern: str) -> tuple[str, ...]:
    """Return the literals that pick lines for a regex: at least `SHORTEST` bytes each, else none at all.

    A regex that ignores case is picked by its literals as written, in small letters, in capitals and capitalised:
    those are the forms that logs print.
    """
    nodes, flags = tree(pattern)
    for found in (_best(_sets(nodes, flags)), _variants(_best(_sets(nodes, flags, fold=True)))):
        if found and all(len(text.encode()) >= SHORTEST for text in found):
            return found
    return ()


def telling(pattern: str) -> tuple[str, ...]:
    """Return the literals that pick lines for a `log` condition: those of each alternative that has a telling one.

    Alternatives made of short or common words pick nothing: they count where a line is read anyway.
    """
    nodes, flags = tree(pattern)
    bodies = branches(nodes[0][1]) if len(nodes) == 1 and nodes[0][0] == "BRANCH" else [nodes]
    parts = [_best(_sets(body, flags)) or _variants(_best(_sets(body, flags, fold=True))) for body in bodies]
    return tuple(dict.fromkeys(text for part in parts if part and all(map(_is_telling, part)) for text in part))


def _is_telling(literal: str) -> bool:
    return len(literal) >= _TELLING and literal.strip(" .:=_").lower() not in COMMON_WORDS


def words_of(pattern: str) -> list[str]:
    """Return the literal words of a regex in their order, whether or not a match needs them; at most 12."""
    nodes, flags = tree(pattern)
    return [found[0] for found in _sets(nodes, flags, fold=True)][:12]


def _variants(found: tuple[str, ...]) -> tuple[str, ...]:
    forms = [form for text in found for form in (text, text.lower(), text.upper(), text.capitalize())]
    return tuple(dict.fromkeys(forms))


def _best(sets: list[tuple[str, ...]]) -> tuple[str, ...]:
    return max(sets, key=lambda found: (min(map(len, found)), -len(found)), default=())


def _sets(nodes: list[Node], flags: int, *, fold: bool = False) -> list[tuple[str, ...]]:
    """Return the sets of literals of a sequence: a match holds one literal of each set."""
    sets: list[tuple[str, ...]] = []
    run = ""
    for operation, argument in _flat(nodes):
        if operation == "LITERAL" and (fold or not flags & re.IGNORECASE or not chr(argument).isalpha()):
            run += chr(argument)
            continue
        if operation == "AT":
            continue  # takes no character: the letters on both sides stand together
        if run:
            sets.append((run,))
            run = ""
        sets += _inner(operation, argument, flags, fold=fold)
    return [*sets, (run,)] if run else sets


def _flat(nodes: list[Node]) -> list[Node]:
    """Open the groups that change no flags, so that letters on both sides of a bracket stand together."""
    found: list[Node] = []
    for operation, argument in nodes:
        if operation == "SUBPATTERN" and not group(argument)[1]:
            found += _flat(group(argument)[2])
        else:
            found.append((operation, argument))
    return found


def _inner(operation: str, argument: object, flags: int, *, fold: bool) -> list[tuple[str, ...]]:
    if operation == "SUBPATTERN":
        _, add, body = group(argument)
        return _sets(body, flags | add, fold=fold)
    if operation == "ATOMIC_GROUP":
        return []
    if is_repeat(operation):
        low, _, body = repeat(argument)
        return _sets(body, flags, fold=fold) if low else []
    if operation != "BRANCH":
        return []
    parts = [_best(_sets(body, flags, fold=fold)) for body in branches(argument)]
    if not all(parts):
        return []
    union = tuple(dict.fromkeys(text for part in parts for text in part))
    return [union] if len(union) <= _MOST else []
