"""Several trainings in one log, one after another, are curves of their own."""

from __future__ import annotations

from errtriage.triage import triage


def first(lines: list[str]) -> str:
    """Return the first answer to a log of these lines; empty where nothing is reported."""
    report = triage(lines)
    return report.explanations[0].id if report.explanations else ""


def falling(start: float, count: int = 10) -> list[float]:
    return [start * 0.7**n + 0.01 for n in range(count)]


def fold(losses: list[float]) -> list[str]:
    return [f"epoch {n + 1}/{len(losses)} loss={loss:.4f}" for n, loss in enumerate(losses)]


def test_a_later_fold_on_a_larger_scale_does_not_diverge() -> None:
    """A second training whose epochs begin again may have a loss a thousand times larger."""
    assert first([*fold(falling(0.5)), "fold 2", *fold(falling(9000.0))]) == ""


def test_one_training_on_both_scales_diverges() -> None:
    """The same values diverge where the epochs count on."""
    values = [*falling(0.5), *[9000.0 + n for n in range(10)]]
    assert first(fold(values)) == "loss-diverging"


def test_a_fold_without_a_number_is_told_though_a_later_one_is_sound() -> None:
    """A loss that became NaN in one of several trainings is reported."""
    broken = [*falling(0.5, 4), *[float("nan")] * 6]
    assert first([*fold(falling(0.5)), *fold(broken), *fold(falling(0.5))]) == "nan-loss"


def test_a_diverging_trial_of_a_search_is_no_fault_of_the_job() -> None:
    """One trial of four that blows up is what a search is for; in the last one it is the end of the job."""
    wild = [*falling(0.5, 7), *[10.0**n for n in range(3, 9)]]
    assert first([*fold(wild), *fold(falling(0.5)), *fold(falling(0.5)), *fold(falling(0.5))]) == ""
    assert first([*fold(falling(0.5)), *fold(falling(0.5)), *fold(wild)]) == "loss-diverging"


def test_steps_that_begin_again_in_each_epoch_are_one_training() -> None:
    """Without epochs, steps that begin again go on with the curve where the loss does."""
    values = [*falling(2.0, 12), *[5000.0 + n for n in range(8)]]
    lines = [f"[{n % 4}/4] step {n % 4} loss {value:.4f}" for n, value in enumerate(values)]
    assert first(lines) == "loss-diverging"


def test_steps_that_begin_again_where_the_loss_had_begun_are_another_training() -> None:
    """Without epochs, a first step whose loss is that of the first training begins a second one."""
    calm = [f"iter {100 * n}: loss {value:.4f}" for n, value in enumerate(falling(2.0, 40))]
    assert first([*calm, *calm, *calm]) == ""


def test_a_line_of_the_best_epoch_begins_no_training() -> None:
    """`best epoch 1` at the end leaves the curve whole."""
    values = [*falling(0.5), *[9000.0 + n for n in range(10)]]
    assert first([*fold(values), "best epoch 1, loss=0.5100"]) in ("loss-diverging", "")


def test_curves_without_steps_part_at_a_gap() -> None:
    """Without any counter a jump behind a block of other lines, the first such, is another training."""
    block = [f"Loaded weights of layer{n}" for n in range(12)]
    lines = [f"Validation loss: {value:.4f}" for value in falling(0.5)]
    later = [f"Validation loss: {value:.4f}" for value in falling(9000.0)]
    assert first([*lines, *block, *later]) == ""
    assert first([*lines, *[f"Validation loss: {9000.0 + n}" for n in range(9)]]) == "loss-diverging"


def test_many_trainings_stay_within_their_bound() -> None:
    """Of very many trainings the first and the latest are kept, and what was left out is told."""
    lines = [line for _ in range(60) for line in fold(falling(0.5))]
    report = triage(lines)
    assert not report.explanations
    assert any("first training and the last" in cut for cut in report.stats.cut)
