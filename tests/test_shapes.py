"""Lines of known shapes are read all at once, with the result of reading them one by one."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from errtriage.model import Line, Span
from errtriage.scan.shapes import Columns, Shape, shape_of

FIELDS = re.compile(r"block: \[(?P<block>[\d,]+)\], thread: \[(?P<thread>[\d,]+)\]")
# Digits that stand at other places of the same skeleton, at the ends of lines, and beside each other.
HEADS = st.sampled_from([
    "a.cu:25: op_2d: ", "a.cu:2: op_52d: ", "a2.cu:5: op_2d: ", "a.cu:25: op_d2: ", "1a.cu:: op_d: ", "",
    "[r1] a.cu:: op_d: ", "[r12] a.cu:: op_d: ", "[r1] a.cu:2: op_d: ",
])  # fmt: skip
TAILS = st.sampled_from([" `t >= 0`", " `t >= 0 && t < 10`", " `t >= 1 && t < 0`", " t1", " t", ""])
NUMBERS = st.sampled_from(["0,0,0", "1,0,0", "12,3,0", "7", "10,0,00"])
LINES = st.builds("{}block: [{}], thread: [{}]{}".format, HEADS, NUMBERS, NUMBERS, TAILS)


def shape(text: str) -> Shape:
    found = FIELDS.search(text)
    assert found
    line = Line(text=text, source="log", span=Span(first=1, last=1))
    spans = {name: found.span(name) for name in ("block", "thread")}
    made = shape_of(text.encode(), line, spans, free=False)
    assert made
    return made


def is_of(text: str, one: Shape) -> bool:
    first, second, third = (re.escape(constant.decode()) for constant in one.constants)
    return re.fullmatch(f"{first}[\\d,]+{second}[\\d,]+{third}", text) is not None


def bare(text: str) -> str:
    return re.sub(r"\d", "", text)


def values(lines: list[str], name: str) -> set[tuple[int, ...]]:
    texts = {found[name] for line in lines if (found := FIELDS.search(line))}
    return {tuple(map(int, text.split(","))) for text in texts}


@given(first=LINES, more=st.lists(LINES, max_size=12))
@settings(max_examples=600, deadline=None)
def test_lines_of_one_shape_are_told_from_all_others_of_its_skeleton(first, more):
    """Lines are read where each has the constants of the shape, wherever others have the same digits."""
    if not FIELDS.search(first):
        return
    one = shape(first)
    lines = [first, *(line for line in more if bare(line) == bare(first))]
    read = Columns([one]).read("".join(line + "\n" for line in lines).encode(), len(lines))
    if all(is_of(line, one) for line in lines):
        assert read == {name: values(lines, name) for name in ("block", "thread")}
    else:
        assert read is None


@given(first=st.lists(LINES, min_size=1, max_size=4), more=st.lists(st.integers(0, 5), min_size=1, max_size=20))
@settings(max_examples=600, deadline=None)
def test_woven_lines_are_told_apart(first, more):
    """Of lines of several shapes each shape gets its own: how many, the first, the last, and their values."""
    shapes = list({shape(line): None for line in first})
    lines = [(first * 6)[at] if at < 5 else "block: [1,2], thread: [3] other" for at in more]
    text = "".join(line + "\n" for line in lines)
    read = Columns(shapes).read_woven(text.encode(), bare(text).encode(), len(lines))
    if read is None:  # too much alike, or another line among them
        return
    assert 5 not in more
    for one in shapes:
        own = [at for at, line in enumerate(lines) if is_of(line, one) and bare(line).encode() == one.skeleton]
        assert (one in read) is bool(own)
        if own:
            told = read[one]
            assert (told.first, told.last, told.count) == (own[0], own[-1], len(own))
            assert told.values == {n: values([lines[at] for at in own], n) for n in ("block", "thread")}


def test_ranks_that_print_the_same_assertion_are_woven():
    """Lines that differ in a rank alone are read at once."""
    lines = [f"[rank{at % 3}]: a.cu:25: block: [{at},0,0], thread: [{at % 7},0,0] Assert `t >= 0`" for at in range(40)]
    text = "".join(line + "\n" for line in lines)
    read = Columns([shape(line) for line in lines[:3]]).read_woven(text.encode(), bare(text).encode(), 40)
    assert read is not None
    assert sorted(one.count for one in read.values()) == [13, 13, 14]
