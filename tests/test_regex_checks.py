"""The linter of regexes: it passes what is linear by its shape, and names what is not."""

from __future__ import annotations

import pytest

from errtriage.cli.kb_trial import regexes_of, slow_regexes
from errtriage.knowledge import load_knowledge
from errtriage.knowledge.regex_checks import SLOW, mistakes, slowest, sure_groups
from errtriage.model import Entry

SOUND = [
    r"^Target (?P<label>-?\d+) is out of bounds",
    r"^.*foo",
    r"Expected .{0,300} but got .{0,300} instead",
    r"shape \[\d+(?:, \d+)*\]",
    r"foo (\d+), (\d+)",
    r"x \S+ y \S+",
    r"got \[[^\]]*\] and \[[^\]]*\]",
    r"(?:\w{1,80}\.){0,9}x",
    r"(?i)cuda error: (?:out of memory|unknown)",
]
WRONG = {
    r"(a+)+b": "a repeat inside a repeat",
    r"x(?:\s*\w+)*y": "a repeat inside a repeat",
    r"(?:\w{1,80} ?){1,9}x": "a repeat inside a repeat",
    r"x(?:a|b{1,9})*c": "a repeat inside a repeat",
    r".*foo": "starts with an unbounded repeat",
    r"(?P<name>\w+)Error": "starts with an unbounded repeat",
    r"a.*b.*c": "two unbounded repeats",
    r"x \w+.*z": "two unbounded repeats",
    r"foo (a": "column 5, missing )",
    r"[[a]": "Possible nested set",
}


@pytest.mark.parametrize("pattern", SOUND)
def test_sound_shapes_pass_and_are_fast(pattern: str) -> None:
    """A sound regex has no mistakes, and no hostile text makes it slow."""
    assert mistakes(pattern) == []
    assert slowest(pattern) < SLOW


@pytest.mark.parametrize(("pattern", "message"), WRONG.items())
def test_wrong_shapes_are_named(pattern: str, message: str) -> None:
    """A regex that can take more than linear time, or does not compile, is told why."""
    assert any(mistake.startswith(message) for mistake in mistakes(pattern))


def test_newer_syntax_is_refused() -> None:
    """What Python 3.10 does not read is a mistake everywhere."""
    assert mistakes(r"xa++b")


def test_the_clock_finds_what_the_shape_hides() -> None:
    """Several bounded holes in a row multiply: the timing on hostile texts shows it."""
    assert mistakes(r"a.{0,300}b.{0,300}c.{0,30}d") == []
    assert slowest(r"a.{0,300}b.{0,300}c.{0,30}d") > SLOW


def test_groups_that_every_match_fills_are_known() -> None:
    """A group in an optional part or in one alternative may be empty."""
    assert sure_groups(r"(?P<a>x)(?P<b>y)?(?:(?P<c>z)|w)(?P<d>v){1,2}") == {"a", "d"}


@pytest.mark.parametrize("entry", [pytest.param(entry, id=entry.id) for entry in load_knowledge().entries])
def test_no_regex_of_an_entry_is_slow(entry: Entry) -> None:
    """Every shipped regex is linear by its shape, and fast on hostile texts."""
    assert [pattern for _, pattern in regexes_of(entry) if mistakes(pattern)] == []
    assert list(slow_regexes(entry)) == []
