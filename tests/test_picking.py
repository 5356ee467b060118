"""Which of many literals a line holds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errtriage.scan import picking
from errtriage.scan.picking import Picker, picker

LITERALS = [
    "Error",
    "[Errno 28]",
    "loss",
    " nan",
    "10.0.0.1",
    "错误",
    "exit code -9",
    "a",
    "aa1a",
    ">= 0 &&",
    "Loss is",
]
PIECES = st.sampled_from(
    [*LITERALS, "RuntimeError", "1", "28", " ", "los", "nano", "b", "exit code ", "-", "\udc80", "é"]
)


@given(texts=st.lists(st.lists(PIECES, max_size=12).map("".join), max_size=5), longest=st.sampled_from([0, 12, 2000]))
@settings(max_examples=300, deadline=None)
def test_the_picker_finds_what_a_search_for_each_literal_finds(texts, longest):
    """The literals of a line are those that stand in it, whatever lines came before, by either index."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(picking, "_LONGEST", longest)
        chosen = Picker(LITERALS)
        for text in [*texts, *texts]:
            assert chosen.held(text) == {literal for literal in LITERALS if literal in text}


def test_forgetting_changes_nothing(monkeypatch):
    """At the bound of remembered lines the picker starts anew, with the same answers."""
    monkeypatch.setattr(picking, "_MOST", 2)
    chosen = Picker(LITERALS)
    assert all(chosen.held(f"{'x' * at} loss {at}") == {"loss"} for at in range(9))


def test_one_picker_serves_all_sources():
    """The same literals give the same picker."""
    assert picker(frozenset(LITERALS)) is picker(frozenset(reversed(LITERALS)))
