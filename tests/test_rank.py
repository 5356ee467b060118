"""The score table: every term has points, a reason, and moves the confidence in its direction."""

from __future__ import annotations

import pytest

from errtriage.model import Explanation
from errtriage.rank import BIAS, POINTS, TERMS
from errtriage.triage import triage
from mission_logs import OVERFLOW, device_error, traceback

UNKNOWN = traceback("acme.FrobnicationError: the frob is not nicated")


def told(log: str) -> dict[str, Explanation]:
    return {one.id: one for one in triage(log).explanations}


def test_every_term_has_points_and_every_point_a_term() -> None:
    """The table and the tests name the same terms."""
    from errtriage.model import ROLES, SEVERITIES

    assert set(POINTS) - set(TERMS) == {*ROLES, *SEVERITIES}
    assert set(TERMS) <= set(POINTS)


def test_confidence_is_the_logistic_value_of_the_terms() -> None:
    """What --why lists adds up to the confidence that is shown."""
    import math

    for one in told(OVERFLOW + device_error()).values():
        total = sum(term.points for term in one.terms)
        assert one.confidence == pytest.approx(1 / (1 + math.exp(-total)), abs=1e-3)
        assert any(term.name == "bias" and term.points == BIAS for term in one.terms)


def test_an_unknown_exception_is_told_with_doubt() -> None:
    """What no entry knows comes first where nothing else is there, with its text and place, and little confidence."""
    only = told(UNKNOWN)["unrecognised-exception"]
    assert only.title == "FrobnicationError: the frob is not nicated"
    assert only.where is not None
    assert only.where.line == 57
    assert only.confidence < 0.6


def test_an_unknown_exception_still_stands_before_its_aftermath() -> None:
    """The launcher's table does not come before the exception that it reports."""
    table = (
        "E0131 12:00:00.1 1 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 1) "
        "local_rank: 0 (pid: 9) of binary: python\n"
    )
    assert triage(UNKNOWN + table).explanations[0].id == "unrecognised-exception"


def test_a_survived_error_earns_less_than_a_fatal_one() -> None:
    """The same error with steps on both sides of it is set back."""
    error = traceback("RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB")
    steps = "".join(f"step {n}/9000 loss 1.{n}\n" for n in range(10, 20))
    later = "".join(f"step {n}/9000 loss 1.{n}\n" for n in range(20, 40))
    died = triage(steps + error)
    assert died.verdict == "failed"
    survived = triage(steps + error + later)
    assert survived.ending != "died"
    assert survived.verdict in ("clean", "suspect")


def test_a_warning_that_nothing_follows_from_stands_behind_the_fault() -> None:
    """A warning beside a fatal fault that it is not linked to does not come first."""
    warning = "/home/u/proj/draw.py:3: RuntimeWarning: divide by zero encountered in log10\n  y = np.log10(x)\n"
    report = triage(warning + traceback("ModuleNotFoundError: No module named 'einops'"))
    assert report.explanations[0].id == "module-not-found"


def test_a_traceback_without_its_end_is_told_as_cut() -> None:
    """Where a log ends inside a traceback, that alone is said, with the user's frame and what to collect."""
    whole = traceback("KeyError: 'b'")
    cut = whole[: whole.index("KeyError")]
    report = triage(cut)
    assert [one.id for one in report.explanations] == ["traceback-cut-off"]
    assert report.explanations[0].where is not None
    assert report.collect
    assert not report.cause_in_log


def test_a_known_fault_stands_for_a_traceback_that_was_cut() -> None:
    """A recognised fault before a cut traceback explains the end; the cut is not told beside it."""
    warning = "../aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward_reduce_cuda_kernel_2d: block: [0,0,0], "
    warning += "thread: [4,0,0] Assertion `t >= 0 && t < n_classes` failed.\n"
    whole = traceback("RuntimeError: CUDA error: device-side assert triggered")
    report = triage(warning + whole[: whole.index("RuntimeError")])
    assert [one.id for one in report.explanations] == ["target-out-of-range"]


def test_a_fault_that_a_mere_remark_led_to_stands_by_itself() -> None:
    """A note is not told, so that its effect is a root of the report and is shown."""
    remark = "train.py:3: UserWarning: Flash Attention does not support non-null attn_mask.\n"
    only = triage(remark + traceback("RuntimeError: No available kernel. Aborting execution.")).explanations
    assert [(one.id, one.explained_by) for one in only] == [("attention-kernel-unavailable", None)]


def test_a_message_of_several_lines_is_quoted_by_its_first() -> None:
    """A text that quotes the message gives its first line, and never a hole."""
    message = "FSDP parameters should be materialized from meta device before training\nFor example, call to_empty."
    first = triage(traceback(f"RuntimeError: {message}")).explanations[0]
    assert '("FSDP parameters should be materialized from meta device before training")' in first.summary
