"""The rows that the tool exists for: overflow that ends in a device-side assert, and PyTorch's usual mistakes."""

from __future__ import annotations

import pytest

import mission_logs as logs
from errtriage.model import Explanation, Report
from errtriage.triage import triage


def first(report: Report) -> Explanation:
    assert report.explanations, report.headline
    return report.explanations[0]


def cause(text: str) -> str:
    """The id of the likeliest cause of the explanation of the assertion itself."""
    told = {one.id: one for one in triage(text).explanations}
    return told["bce-input-not-probability"].causes[0].id


@pytest.mark.parametrize("lines", [200, 100_000])
def test_a1_overflow_that_ends_in_a_device_side_assert(lines: int) -> None:
    """The root is the first warning, the place is the user's line that warned, and the spam is one exact group."""
    report = triage(logs.overflow_then_assert(lines))
    root = first(report)
    assert root.id == "numpy-overflow"
    assert root.evidence[0].line == 3
    spam = next(item for item in root.evidence if "Assertion" in item.text)
    assert (spam.line, spam.last_line, spam.count) == (7, 6 + lines, lines)
    assert spam.ranges["block"].high == ((lines - 1) // 256, 0, 0)
    assert spam.ranges["thread"].distinct == min(lines, 256)
    assert [one.id for one in report.explanations].index("device-side-assert") > 0
    assert root.where is not None
    assert (root.where.file, root.where.line) == ("/home/u/proj/data.py", 48)


def test_a2_bce_on_the_cpu_in_a_notebook() -> None:
    """On the CPU the message itself says that the input was no probability; the place is the cell's line."""
    root = first(triage(logs.CPU_NOTEBOOK))
    assert root.id == "bce-input-not-probability"
    assert root.where is not None
    assert root.where.line == 3


@pytest.mark.parametrize("backslashes", [True, False])
@pytest.mark.parametrize("lines", [64, 100_000])
def test_a3_windows_in_ipython(lines: int, backslashes: bool) -> None:
    """Assert lines without a kernel name, glued behind a prompt, with and without backslashes, are the same story."""
    report = triage(logs.windows_overflow_then_assert(lines, backslashes=backslashes))
    root = first(report)
    assert root.id == "numpy-overflow"
    spam = next(item for item in root.evidence if "Assertion" in item.text)
    assert spam.count == lines


def test_a4_placeholders_in_a_paste() -> None:
    """What people paste with xxx for paths and numbers, and quotes for backquotes, is recognised."""
    told = [one.id for one in triage(logs.PLACEHOLDERS).explanations]
    assert told[0] == "numpy-overflow"
    assert "bce-input-not-probability" in told


@pytest.mark.parametrize(
    ("log", "wanted"),
    [
        pytest.param(logs.LABELS_FROM_ONE, "sigmoid-missing", id="A5"),
        pytest.param(logs.DIVISION_BY_STD, "division-by-zero-in-normalization", id="A6"),
        pytest.param(logs.SQRT_AT_ZERO, "sqrt-at-zero", id="A7"),
        pytest.param(logs.MASK_LOST, "masked-array-mask-lost", id="A8"),
    ],
)
def test_evidence_in_the_log_orders_the_causes(log: str, wanted: str) -> None:
    """The same assertion has another likeliest cause with other evidence, and without it the order falls back."""
    assert cause(log) == wanted
    without = {one.id: one for one in triage(logs.NO_EVIDENCE).explanations}["bce-input-not-probability"]
    assert not any(reading.because for reading in without.causes)
    assert wanted in {reading.id for reading in without.causes}


def test_output_that_was_held_back_does_not_hide_the_root() -> None:
    """Prints that a piped Python held back stand after the traceback; the root stays the first warning."""
    assert first(triage(logs.BUFFERED_TWIN_OF_A1)).id == "numpy-overflow"


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        (
            "ValueError: Expected more than 1 value per channel when training, got input size torch.Size([1, 32])",
            "batchnorm-single-value",
        ),
        (
            "RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn",
            "graph-detached",
        ),
        ("IndexError: Target 3 is out of bounds.", "target-out-of-range"),
        ("RuntimeError: expected target dtype to be Long or Byte, but got Float", "target-dtype-not-long"),
        ("RuntimeError: expected scalar type Long but found Float", "target-dtype-not-long"),
        ("RuntimeError: 0D or 1D target tensor expected, multi-target not supported", "target-shape-not-1d"),
    ],
)
def test_b_rows_that_raise(error: str, wanted: str) -> None:
    """Each mistake that PyTorch raises for is named, at the user's line."""
    root = first(triage(logs.traceback(error)))
    assert root.id == wanted
    assert root.where is not None
    assert root.where.line == 57


def test_b3_broadcast_of_prediction_and_target() -> None:
    """The warning that PyTorch prints once is enough to name the fault."""
    text = (
        "/v/lib/python3.9/site-packages/torch/nn/modules/loss.py:520: UserWarning: Using a target size "
        "(torch.Size([100])) that is different to the input size (torch.Size([100, 1])). This will likely lead to "
        "incorrect results due to broadcasting. Please ensure they have the same size.\n"
        "  return F.mse_loss(input, target, reduction=self.reduction)\n"
    )
    log = text + "".join(f"epoch {n} loss 19.{n}1\n" for n in range(10, 30))
    assert first(triage(log)).id == "target-size-broadcast"


def test_a_notebook_that_shows_only_the_late_error() -> None:
    """Where the assertion itself is not in the log, that is said, with what to collect."""
    report = triage(logs.traceback("RuntimeError: CUDA error: device-side assert triggered\n" + logs.HINTS.rstrip()))
    assert first(report).id == "device-side-assert"
    assert not report.cause_in_log
    assert report.collect


def test_a_warning_in_metric_code_is_not_the_root() -> None:
    """A warning raised where the program only measures does not become the root of a failure elsewhere."""
    place = "/home/u/proj/metrics.py:71: RuntimeWarning: "
    warning = place + "invalid value encountered in scalar divide\n  return inter / union\n"
    log = warning + logs.traceback("IndexError: Target 3 is out of bounds.")
    assert first(triage(log)).id == "target-out-of-range"
