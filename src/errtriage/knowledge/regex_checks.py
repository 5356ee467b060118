"""The linter of regexes: which ones do not compile, and which ones can take more than linear time on a hostile line."""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Callable, Iterator

from errtriage.knowledge.literals import words_of
from errtriage.knowledge.regex_tree import (
    Node,
    all_characters,
    branches,
    first_characters,
    group,
    is_empty,
    is_repeat,
    least_width,
    repeat,
    tree,
)

FEW = 3  # a repeat that may go on longer must not hold another one that can share its text
MANY = 1000  # a repeat that may go on longer counts as unbounded
SLOW = 0.1  # seconds that one search of a hostile text may take (a linear one takes less than a millisecond)
_HOSTILE_LENGTH = 8192  # characters: the matcher looks no further


def mistakes(pattern: str) -> list[str]:
    """Return what is wrong with a regex; empty where it compiles and its time is bounded by its shape."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            re.compile(pattern)
            nodes, flags = tree(pattern)
    except re.error as error:
        reason = error.msg.partition(", ")[0]
        return [reason if error.pos is None else f"column {error.pos + 1}, {reason}"]
    except (RecursionError, OverflowError):
        return ["too deep or too large a regex"]
    except Warning as warning:
        return [str(warning)]
    return list(dict.fromkeys(_slow_shapes(nodes, flags)))


def slowest(pattern: str) -> float:
    """Return the seconds that the slowest of several hostile texts costs a regex without `mistakes`."""
    search = re.compile(pattern).search
    return max(_best_of_three(search, text) for text in hostile_texts(pattern))


def _best_of_three(search: Callable[[str], object], text: str) -> float:
    """Return the seconds of a search; a slow one is tried again, because a busy machine is slow as well."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        search(text)
        best = min(best, time.process_time() - start)
        if best <= SLOW:
            break
    return best


def hostile_texts(pattern: str) -> Iterator[str]:
    """Yield long texts that make a badly built regex try again and again: its own words, spaces, digits, letters."""
    seeds = ["a", " ", "0", "a ", "1, ", "a.", "/a", "[1]", "(", "=", "::", "\t"]
    words = words_of(pattern)
    for count in range(1, len(words) + 1):
        seeds += ["".join(words[:count]), " ".join(words[:count]) + " ", "0".join(words[:count]) + "0"]
    for seed in seeds:
        body = seed * (_HOSTILE_LENGTH // len(seed))
        yield body
        yield body + "\x00"


def sure_groups(pattern: str) -> frozenset[str]:
    """Return the named groups of a regex that hold something in every match."""
    names = {number: name for name, number in re.compile(pattern).groupindex.items()}
    nodes, _ = tree(pattern)
    return frozenset(names[number] for number in _sure(nodes) if number in names)


def _sure(nodes: list[Node]) -> set[int]:
    found: set[int] = set()
    for operation, argument in nodes:
        if operation == "SUBPATTERN":
            number, _, body = group(argument)
            found |= _sure(body)
            if number is not None:
                found.add(number)
        elif is_repeat(operation):
            low, _, body = repeat(argument)
            if low:
                found |= _sure(body)
        elif operation == "BRANCH":
            found |= set.intersection(*(_sure(body) for body in branches(argument)))
    return found


def _slow_shapes(nodes: list[Node], flags: int) -> Iterator[str]:
    flat = list(_opened(nodes))
    if flat and _is_unbounded(flat[0]):
        yield "starts with an unbounded repeat: bound it, as in {0,80}, or leave it out (a regex is searched)"
    yield from _in_sequence(nodes, flags)


def _in_sequence(nodes: list[Node], flags: int) -> Iterator[str]:
    """Look for two repeats that can take the same characters, with nothing between them that tells where one ends."""
    flat = list(_opened(nodes))
    for index, node in enumerate(flat):
        if _is_unbounded(node) and _meets_another(node, flat[index + 1 :], flags):
            yield "two unbounded repeats can take the same text: bound one, as in {0,300}"
        if is_repeat(node[0]) and repeat(node[1])[1] > FEW:
            yield from _nested(node, flags)
        yield from _needs_newer_python(node)
        for body in _bodies(node):
            yield from _in_sequence(body, flags)


def _meets_another(node: Node, following: list[Node], flags: int) -> bool:
    ours = all_characters(repeat(node[1])[2], flags)
    for other in following:
        if is_empty(other[0]):
            continue
        if _is_unbounded(other) and ours & first_characters(other, flags):
            return True
        if least_width(other) and not ours & all_characters([other], flags):
            return False
    return False


def _nested(node: Node, flags: int) -> Iterator[str]:
    """Look inside a repeat for another one that is not ended by a character of its own: the ways to share multiply."""
    body = list(_opened(repeat(node[1])[2]))
    for index, inner in enumerate(body):
        if inner[0] == "BRANCH":
            loose = any(_is_loose(one) for part in branches(inner[1]) for one in _opened(part))
        else:
            loose = _is_loose(inner) and not _is_ended(inner, [*body[index + 1 :], *body[:index]], flags)
        if loose:
            yield "a repeat inside a repeat: end the inner one with a character that it can not take itself"


def _is_ended(inner: Node, around: list[Node], flags: int) -> bool:
    ours = all_characters(repeat(inner[1])[2], flags)
    ends = next((one for one in around if least_width(one)), None)
    return ends is not None and not ours & all_characters([ends], flags)


def _is_loose(node: Node) -> bool:
    if not is_repeat(node[0]):
        return False
    low, high, _ = repeat(node[1])
    return high > 1 and high != low


def _needs_newer_python(node: Node) -> Iterator[str]:
    if node[0] in ("POSSESSIVE_REPEAT", "ATOMIC_GROUP"):
        yield "possessive repeats and atomic groups need Python 3.11: write it without"


def _is_unbounded(node: Node) -> bool:
    if not is_repeat(node[0]):
        return False
    low, high, _ = repeat(node[1])
    return high > MANY and high != low


def _opened(nodes: list[Node]) -> Iterator[Node]:
    """Yield the nodes of a sequence with groups replaced by what is in them."""
    for operation, argument in nodes:
        if operation == "SUBPATTERN":
            yield from _opened(group(argument)[2])
        else:
            yield operation, argument


def _bodies(node: Node) -> list[list[Node]]:
    operation, argument = node
    if is_repeat(operation):
        return [repeat(argument)[2]]
    if operation == "BRANCH":
        return branches(argument)
    if operation in ("ASSERT", "ASSERT_NOT"):
        return [[(str(name), inner) for name, inner in argument[1]]]
    return []
