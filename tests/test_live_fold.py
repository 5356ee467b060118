"""Live folding: spam becomes one line that counts, and nothing else is touched."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errtriage.live.fold import HOLD, Fold

ASSERT = b"../aten/src/ATen/native/cuda/Loss.cu:250: nll_loss: block: [%d,0,0], thread: [%d,0,0] Assertion `t >= 0 && t < n_classes` failed.\n"  # noqa: E501
OTHER = b"../aten/src/ATen/native/cuda/Indexing.cu:7: gather: block: [%d,0,0], thread: [%d,0,0] Assertion `index < n` failed.\n"  # noqa: E501
COUNT = re.compile(rb"(?:\r\x1b\[K)?\[errtriage: ([\d,]+) more lines? like the (?:one|\d+) above\](?:\r\n|\n)?")

LINES = st.lists(
    st.sampled_from([b"step 1 loss 0.5\n", b"ok\n", b"\n", b"a\rb\n", b"ok\r\n", b"x" * 50 + b"\n", b"\xff\x00\n"])
    | st.tuples(st.integers(0, 9), st.integers(0, 99)).map(lambda n: ASSERT % n)
    | st.tuples(st.integers(0, 9), st.integers(0, 99)).map(lambda n: OTHER % n)
    | st.binary(max_size=12),
    max_size=40,
)


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.time


def folded(pieces: list[bytes], *, live: bool = False) -> bytes:
    fold = Fold(live=live, now=Clock())
    return b"".join([*(fold.feed(piece) for piece in pieces), fold.close()])


def test_assertions_become_one_line_and_a_count() -> None:
    """Of 500 assertions that differ by their numbers the first stands, and 499 are counted."""
    spam = [ASSERT % (n // 256, n % 256) for n in range(500)]
    assert folded([b"start\n", *spam, b"end\n"]) == (
        b"start\n" + spam[0] + b"[errtriage: 499 more lines like the one above]\nend\n"
    )


def test_woven_assertions_are_one_run() -> None:
    """Two assertions that alternate show each once and one common count."""
    spam = [kind % (n, n) for n in range(100) for kind in (ASSERT, OTHER)]
    assert folded(spam) == spam[0] + spam[1] + b"[errtriage: 198 more lines like the 2 above]\n"


def test_a_line_that_comes_again_and_again_is_counted() -> None:
    """A line is shown twice and counted from then on; another line ends the count."""
    assert folded([b"warn\n"] * 10 + [b"go on\n"]) == (
        b"warn\nwarn\n[errtriage: 8 more lines like the one above]\ngo on\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        b"step 1 loss 0.5\nstep 2 loss 0.5\nstep 3 loss 0.5\nstep 4 loss 0.5\n",
        b"\n\n\n\n\n\n",
        b"-----\na\n-----\nb\n-----\nc\n",
        b"\r 10%|#  |\r 20%|## |\r 20%|## |\r 20%|## |\n",
        b"prompt> ",
        b"x" * 5000 + b"\n" + b"x" * 5000 + b"\n" + b"x" * 5000 + b"\n",
    ],
)
def test_ordinary_output_is_untouched(text: bytes) -> None:
    """Lines that differ in numbers, blank lines, separators, bars and prompts go through byte for byte."""
    assert folded([text], live=True) == text


@given(LINES, st.data())
def test_nothing_is_lost_in_folding(lines: list[bytes], data: st.DataObject) -> None:
    """Whatever the pieces: lines shown stand in their order, and shown and counted together are all lines."""
    text = b"".join(lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    out = folded(pieces)
    counted = sum(int(found[1].replace(b",", b"")) for found in COUNT.finditer(out))
    shown = COUNT.sub(b"", out)
    assert shown.count(b"\n") + counted == text.count(b"\n")
    rest = iter(text.split(b"\n"))
    assert all(line in rest for line in shown.split(b"\n"))


@given(st.lists(st.binary(max_size=30).filter(lambda piece: b"\n" not in piece), max_size=8))
def test_what_holds_no_line_end_goes_through_as_it_is(pieces: list[bytes]) -> None:
    """Bars and prompts are never held back: a piece without a line end comes out at once."""
    fold = Fold(live=True, now=Clock())
    assert [fold.feed(piece) for piece in pieces] == pieces


def test_a_state_of_a_bar_is_shown_before_its_line_ends() -> None:
    """The update of a bar comes out with the piece that brings it, even in the middle of spam."""
    fold = Fold(live=True, now=Clock())
    fold.feed(b"".join(ASSERT % (n, 1) for n in range(50)))
    assert fold.feed(b"\r 10%|#  |").endswith(b"\r 10%|#  |")


def test_the_start_of_a_line_that_may_be_folded_waits_only_a_moment() -> None:
    """The first half of a further assertion is held for the rest of it, and let go when that does not come."""
    clock = Clock()
    fold = Fold(live=True, now=clock)
    fold.feed(ASSERT % (0, 0) + ASSERT % (0, 1))
    half = (ASSERT % (0, 2))[:70]
    assert half not in fold.feed(half)
    assert fold.due() == pytest.approx(HOLD, abs=0.001)
    clock.time += HOLD + 0.001
    assert fold.tick().endswith(b"[errtriage: 1 more line like the one above]\r\n" + half)


def test_a_terminal_sees_the_count_go_up() -> None:
    """While spam goes on the counting line is drawn again over itself, ten times a second at most."""
    clock = Clock()
    fold = Fold(live=True, now=clock)
    states = []
    for n in range(100):
        clock.time += 0.03
        states.append(fold.feed(ASSERT % (n, 0)))
    drawn = [state for state in states[1:] if state]
    assert 20 <= len(drawn) <= 34
    assert all(state.startswith(b"\r\x1b[K[errtriage: ") and not state.endswith(b"\n") for state in drawn)
    assert fold.feed(b"end\n") == b"\r\x1b[K[errtriage: 99 more lines like the one above]\r\nend\n"


def test_counting_stands_still_while_nothing_comes() -> None:
    """A count that was not drawn yet is drawn when its time has come, and then nothing is due."""
    clock = Clock()
    fold = Fold(live=True, now=clock)
    fold.feed(b"".join(ASSERT % (n, 0) for n in range(10)))
    fold.feed(ASSERT % (10, 0))
    due = fold.due()
    assert due is not None
    clock.time += due + 0.001
    assert b"10 more lines" in fold.tick()
    assert fold.due() is None
