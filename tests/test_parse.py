"""The parser: blocks by channel, order of events, hunger, lines that nobody took, and any text at all."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errtriage.model import Event, Line, Span
from errtriage.parse import Parser, parse
from errtriage.patterns import PATTERNS

_TRACEBACK = (
    'Traceback (most recent call last):\n  File "/app/t.py", line {line}, in <module>\n    main()\nValueError: {what}'
)


def _line(number: int, text: str, channel: str = "", source: str = "log") -> Line:
    return Line(span=Span(first=number, last=number), text=text, channel=channel, source=source)


def _rows(text: str) -> list[str]:
    return text.split("\n")


def _messages(events: list[Event]) -> list[tuple[str, str]]:
    return [(event.kind, event.fields.get("message", "")) for event in events]


def test_each_channel_has_its_own_block():
    """Tracebacks that alternate line by line on two channels are each read whole."""
    first, second = _rows(_TRACEBACK.format(line=1, what="a")), _rows(_TRACEBACK.format(line=2, what="b"))
    lines = [
        _line(2 * n + side + 1, rows[n], channel=f"rank{side}")
        for n in range(4)
        for side, rows in enumerate((first, second))
    ]
    events = list(parse(lines))
    assert _messages(events) == [("exception", "a"), ("exception", "b")]
    assert [event.frames[0].line for event in events] == [1, 2]


def test_events_come_in_the_order_of_their_first_lines():
    """An event inside of an open block waits for the block, whose first line stands before it."""
    rows = _rows(_TRACEBACK.format(line=1, what="a"))
    lines = [_line(1, rows[0]), _line(2, rows[1]), _line(3, "/app/t.py:3: UserWarning: w"), _line(4, "  main()")]
    lines += [_line(5, rows[2]), _line(6, rows[3])]
    assert _messages(list(parse(lines))) == [("exception", "a"), ("warning", "w")]


def test_hungry_while_a_block_is_open():
    """The parser wants the lines after a head, and no more once the traceback has ended."""
    parser = Parser()
    parser.feed(_line(1, "Traceback (most recent call last):"))
    assert parser.hungry
    for number, row in enumerate(_rows(_TRACEBACK.format(line=1, what="a"))[1:], 2):
        parser.feed(_line(number, row))
    for number in range(5, 60):
        parser.feed(_line(number, f"2024 step {number}"))
    assert not parser.hungry


def test_silent_channel_does_not_hold_its_block_open():
    """The block of a channel that says nothing more is closed after some lines of others, and nothing waits for it."""
    parser = Parser()
    events = []
    for number, row in enumerate(_rows(_TRACEBACK.format(line=1, what="a")), 1):
        events += parser.feed(_line(number, row, channel="rank3"))
    for number in range(5, 200):
        events += parser.feed(_line(number, "all is well", channel="rank0"))
    assert _messages(events) == [("exception", "a")]
    assert not parser.hungry


def test_line_with_a_literal_that_no_pattern_takes_is_text():
    """A line becomes a text event where an entry's literal is in it, else nothing."""
    lines = [_line(1, "the array is masked here"), _line(2, "nothing of note")]
    events = list(parse(lines, text_literals=["masked"]))
    assert _messages(events) == [("text", "the array is masked here")]


def test_line_of_a_block_is_no_text():
    """A line that a block took gives no text event, whatever literals it holds."""
    rows = _rows(_TRACEBACK.format(line=1, what="masked"))
    events = list(parse([_line(n, row) for n, row in enumerate(rows, 1)], text_literals=["masked"]))
    assert [event.kind for event in events] == ["exception"]


def test_sources_do_not_share_blocks():
    """The same channel name in two sources is two channels."""
    rows = _rows(_TRACEBACK.format(line=1, what="a"))
    lines = [_line(n, row, source=name) for n, row in enumerate(rows, 1) for name in ("x", "y")]
    assert [event.source for event in parse(lines)] == ["x", "y"]


_PIECES = sorted(
    {row for pattern in PATTERNS for text in (*pattern.examples, *pattern.ignore) for row in text.split("\n")}
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.one_of(st.sampled_from(_PIECES), st.text(max_size=80)), st.sampled_from(["", "rank1"])),
        max_size=40,
    )
)
def test_any_text_is_read(rows):
    """No text raises; every span lies in the text, every parent is an event of its own, and nothing stays open."""
    parser = Parser(text_literals=["step"])
    events = [event for n, (text, channel) in enumerate(rows, 1) for event in parser.feed(_line(n, text, channel))]
    events += parser.close()
    told = {id(event) for event in events}
    assert all(1 <= event.span.first <= event.span.last <= len(rows) for event in events)
    assert all(event.parent is None or id(event.parent) in told for event in events)
    assert not parser.hungry


@pytest.mark.parametrize("text", ["1" * 4096, ":1: " * 1024, "a." * 2048, "─" * 4096, "\\n" * 2048, 'File "' * 700])
def test_hostile_line_is_read_fast(text):
    """A long line of one piece, behind a head and alone, is read without trouble."""
    lines = [_line(1, "Traceback (most recent call last):"), _line(2, text), _line(3, f"Error: {text} Error")]
    assert all(event.span.first >= 1 for event in parse(lines))
