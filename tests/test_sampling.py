"""A sample of the metrics of a large log says what all of them say: no first nan and no verdict is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from case_files import LOGS
from errtriage.knowledge import load_knowledge
from errtriage.model import Report, Series
from errtriage.parse import Parser
from errtriage.reading import read
from errtriage.scan import sampling, scan
from errtriage.sources import from_bytes, windows
from errtriage.triage import triage, wanted

KNOWN = load_knowledge()
WANTED = wanted(KNOWN)
SMALL_WINDOW = 32 * 1024  # bytes: logs of a fraction of a megabyte are sampled as large ones
ROUNDS = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
NOISE = "2026-03-01 10:00:00 INFO heartbeat {n} of node{m} ok, queue {m}"
# Lines as trainers print them: {n} is the step, {v} the loss.
SHAPES = (
    "step={n} loss={v} lr=1.0e-04",
    "{{'loss': {v}, 'grad_norm': 1.25, 'learning_rate': 5e-05, 'epoch': 0.5}}",
    "Epoch: [3][{n}/90000]\tTime  0.125 ( 0.130)\tLoss {v} (0.6931)",
    "[rank3]: iter {n}: loss {v}, time 120.5ms",
    "2026-03-01 10:00:00,123 - trainer - INFO - step {n} loss: {v}",
    "\x1b[32mstep {n}\x1b[0m loss: \x1b[1;31m{v}\x1b[0m",
    "step {n} | train/loss: {v} | tokens/s 51234",
    "{n}: loss = tensor({v}, device='cuda:0')",
    " 12%|█▎        | {n}/90000 [00:41<00:59, 8.12it/s, loss={v}]\r",
)
BAD = ("nan", "NaN", "inf", "-inf", "Infinity")


@pytest.fixture
def many_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most windows of a log of some hundred kilobytes are not sampled."""
    monkeypatch.setattr(windows, "WINDOW", SMALL_WINDOW // 8)


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs of some hundred kilobytes count as large ones."""
    monkeypatch.setattr(windows, "WINDOW", SMALL_WINDOW)


def losses(data: bytes) -> list[Series]:
    """The loss series of a log."""
    attempts = read([from_bytes("log", data)], WANTED, KNOWN.literals).attempts
    return [one for attempt in attempts for one in attempt.series if one.name == "loss"]


def run_of(shape: str, lines: int, bad: dict[int, str], noise: int) -> bytes:
    """A run of so many lines of one shape, the values of some of them not finite, with so many other lines between."""
    rows = []
    for at in range(lines):
        if noise and at % (noise + 1):
            rows.append(NOISE.format(n=at, m=at % 7))
        else:
            value = bad.get(at, f"{0.4 + at % 97 / 100:.4f}")
            rows.append(shape.format(n=at, v=value))
    return "\n".join(rows).encode() + b"\n"


@ROUNDS
@example(shape=SHAPES[7], lines=3_000, place=0.5, word="inf", noise=0, lasting=True)  # inf is no new training's start
@given(
    shape=st.sampled_from(SHAPES),
    lines=st.integers(3_000, 12_000),
    place=st.floats(0.0, 1.0, exclude_max=True),
    word=st.sampled_from(BAD),
    noise=st.sampled_from([0, 0, 3]),
    lasting=st.booleans(),
)
def test_the_first_value_that_is_not_finite_is_at_its_line(
    many_windows: None, shape: str, lines: int, place: float, word: str, noise: int, lasting: bool
) -> None:
    """Wherever the loss is nan or inf for the first time, once or from there on, the series holds that very line."""
    first = int(place * lines) // (noise + 1) * (noise + 1)
    data = run_of(shape, lines, dict.fromkeys(range(first, lines if lasting else first + 1), word), noise)
    found = losses(data)
    assert [one.bad.line for one in found if one.bad is not None] == [first + 1]
    assert lasting or found[0].count < lines // (noise + 1), "the log is sampled, not read whole"


@pytest.mark.parametrize("place", [0.0, 0.5, 0.9])
def test_a_loss_that_stays_nan_is_told_with_its_line_in_a_log_of_megabytes(place: float) -> None:
    """In a log of its usual windows the report names the line in which the loss became nan."""
    lines = 120_000
    first = int(place * lines)
    report = triage(run_of(SHAPES[4], lines, dict.fromkeys(range(first, lines), "nan"), 0))
    assert report.verdict == "failed"
    assert first + 1 in {one.line for told in report.explanations for one in told.evidence}


def test_the_last_values_are_read_whatever_stands_between(large: None) -> None:
    """The last value of a large log is the last point of its series, behind other lines, too."""
    data = run_of(SHAPES[0], 9_000, {}, 0) + b"step=9001 loss=7.5\n"
    assert losses(data)[0].points[-1].value == 7.5
    quiet = "\n".join(NOISE.format(n=at, m=at % 7) for at in range(40)).encode()
    assert losses(data + quiet)[0].points[-1].value == 7.5


def metric_lines(data: bytes) -> set[int]:
    """The numbers of the lines that print metrics."""
    parser = Parser(text_literals=tuple(KNOWN.literals))
    events = (
        event for line in scan(from_bytes("log", data), WANTED, hungry=lambda: True) for event in parser.feed(line)
    )
    return {event.span.first for event in events if event.kind == "metric" and event.span.first == event.span.last}


def large_forms(data: bytes) -> Iterator[bytes]:
    """The log made large twice: with other lines between its metrics (or before all), and each metric many times."""
    rows, metrics = data.split(b"\n"), metric_lines(data)
    between = [number for number in sorted(metrics) if number + 1 in metrics]
    noise = [NOISE.format(n=at, m=at % 7).encode() for at in range(6_000 // max(1, len(between)) + 1)]
    sparse = [] if between else noise
    for number, row in enumerate(rows, 1):
        sparse += [row, *(noise if number in between else [])]
    yield b"\n".join(sparse)
    if metrics:
        times = 400_000 // sum(len(rows[number - 1]) + 1 for number in metrics) + 1
        yield b"\n".join(b"\n".join([row] * (times if number in metrics else 1)) for number, row in enumerate(rows, 1))


def said(report: Report) -> tuple[str, list[str]]:
    """The verdict and the ids of a report."""
    return report.verdict, [told.id for told in report.explanations]


CORPUS = sorted((LOGS / "silent").glob("*.log")) + sorted(LOGS.rglob("*.log"))[::12]


@pytest.mark.parametrize("log", [pytest.param(path, id=path.stem) for path in dict.fromkeys(CORPUS)])
def test_a_sample_gives_the_verdict_of_the_whole(large: None, monkeypatch: pytest.MonkeyPatch, log: Path) -> None:
    """Logs of the corpus, made large enough to be sampled, are explained as they are when every line is read."""
    for data in large_forms(log.read_bytes()):
        assert len(data) > sampling.WHOLE * SMALL_WINDOW
        sampled = said(triage(data, knowledge=KNOWN))
        with monkeypatch.context() as patch:
            patch.setattr(sampling, "WHOLE", 10**9)
            assert said(triage(data, knowledge=KNOWN)) == sampled
