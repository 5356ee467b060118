"""A line whose shape is known tells what it would tell if it were read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from case_files import LOGS
from errtriage.model import Event, Line, Span
from errtriage.parse import Parser
from errtriage.patterns import PATTERNS
from errtriage.patterns.recall import Recall

EXAMPLES = tuple(
    line
    for pattern in PATTERNS
    if getattr(pattern, "by_shape", False)
    for text in (*pattern.examples, *pattern.ignore)
    for line in text.splitlines()
)
MORE = (
    "Epoch: [3][12/5004]\tTime  0.693 ( 0.168)\tLoss 3.5705e+00 (0.7450e+00)\tTop1  22.26\tTop5  46.20",
    "Epoch 3/10 step 3/10 loss 0.3 acc@1 0.3 acc@5 0.5",
    "val: loss=0.5 l1=0.25 l2=0.5 r2=0.75",
    "loss: nan.0 and loss nan and val_loss: 1e-05",
    "step 7: mean_abs_error=0.98962 word_error_rate=0.5425 eval_loss=4.0998 perplexity=02.564",
    "Accuracy: 8194/10000 (82%)",
    "rank 3 exitcode: 1, loss: 0.5",
)


def line(text: str, number: int = 1) -> Line:
    return Line(span=Span(first=number, last=number), text=text, source="log")


def told(parser: Parser, one: Line) -> list[Event]:
    return [*parser.feed(one), *parser.close()]


def with_digits(text: str, digits: str) -> str:
    """The text with other digits in the places of its own."""
    wanted = iter(digits)
    return re.sub(r"\d", lambda found: next(wanted, found[0]), text)


class Forgetful(Recall):
    """Learns no shape: every line is read."""

    def learn(self, *_: object) -> None:
        """Take nothing."""


@pytest.mark.parametrize("text", [*EXAMPLES, *MORE])
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_known_shape_tells_what_reading_does(text: str, data: st.DataObject) -> None:
    """After lines of one shape, a line with any other digits gives the events that a parser without memory gives."""
    digits = st.text("0123456789", min_size=len(text), max_size=len(text))
    knowing = Parser()
    for number in range(4):
        told(knowing, line(with_digits(text, data.draw(digits)), number))
    new = line(with_digits(text, data.draw(digits)), 9)
    assert told(knowing, new) == told(Parser(), new)


def test_most_metric_lines_are_recalled() -> None:
    """From the fourth line of a shape on nothing is read: the memory answers, and with the line's own values."""
    parser, memory = Parser(), Recall(())
    for number in range(3):
        one = line(f"step {number} loss: 0.{number}2", number + 1)
        assert memory.events(one) is None
        memory.learn(one, told(parser, one), lambda twin: told(Parser(), twin))
    (metric, step) = memory.events(line("step 8 loss: 0.97", 4)) or ()
    assert metric.fields == {"|loss|loss": "0.97", "step": "8"}
    assert (step.kind, step.fields["step"], step.span.first) == ("progress", "8", 4)


def test_digits_of_a_word_are_part_of_its_meaning() -> None:
    """What was learnt of `acc@5` is not taken for `acc@1`."""
    parser = Parser()
    for number in range(5):
        told(parser, line(f"epoch {number} acc@5 0.{number}", number + 1))
    one = line("epoch 7 acc@1 0.7", 9)
    assert told(parser, one) == told(Parser(), one)


def test_a_literal_that_other_digits_would_make_is_not_overlooked() -> None:
    """Lines are not recalled where other digits in them would be something that an entry looks for."""
    parser = Parser(text_literals=("code: 137",))
    for number in range(5):
        told(parser, line(f"loss: 0.5, code: 10{number}", number + 1))
    kinds = [event.kind for event in told(parser, line("loss: 0.5, code: 137", 9))]
    assert "text" in kinds


@pytest.mark.parametrize("log", sorted(LOGS.glob("clean/*.log"))[:60], ids=lambda path: path.stem)
def test_healthy_logs_give_the_same_events(log: Path) -> None:
    """The events of a log are the same with a memory and without."""
    lines = [line(text, number) for number, text in enumerate(log.read_text("utf-8", "replace").splitlines(), 1)]
    knowing, forgetful = Parser(), Parser()
    forgetful._recall = Forgetful(())
    for one in lines:
        assert knowing.feed(one) == forgetful.feed(one)
    assert knowing.close() == forgetful.close()
