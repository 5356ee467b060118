"""The tests on series: what each finds, how long a series must be, and the healthy runs that none may find."""

from __future__ import annotations

import inspect
import math
import random
import re
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errtriage.model import Facts, Point, Series
from errtriage.series.levels import floor_of_double_softmax
from errtriage.series.tests import TESTS
from errtriage.series.view import Around
from errtriage.triage import triage
from errtriage.vocabulary import SERIES_TESTS


def series(values: Sequence[float], name: str = "loss", split: str = "train", digits: int = 4) -> Series:
    points = tuple(Point(step=float(n), value=value, line=n + 1) for n, value in enumerate(values))
    bad = next((point for point in points if not math.isfinite(point.value)), None)
    run = 0
    while run < len(values) and not math.isfinite(values[-1 - run]):
        run += 1
    return Series(
        name=name, split=split, label=name, points=points, count=len(points), bad=bad, bad_run=run, digits=digits
    )


def sees(test: str, one: Series, *beside: Series, classes: int | None = None, **parameters: object) -> bool:
    around = Around(series=[one, *beside], facts=Facts(classes=classes))
    return TESTS[test](one, parameters, around) is not None


def test_the_list_of_tests_is_that_of_the_vocabulary() -> None:
    """Entries can name each test, and no other."""
    assert set(SERIES_TESTS) == set(TESTS)


@pytest.mark.parametrize("name", TESTS)
def test_each_test_says_how_long_a_series_must_be(name: str) -> None:
    """The first sentence of a test's description holds its least number of values, and no test speaks of one value."""
    text = inspect.getdoc(TESTS[name]) or ""
    assert re.search(r"\b(?:\d+|three|two)\b", text)
    assert not sees(name, series([1.0]))


@pytest.mark.parametrize("name", TESTS)
@given(values=st.lists(st.floats(allow_nan=True, allow_infinity=True, width=32), max_size=40))
def test_no_test_raises(name: str, values: list[float]) -> None:
    """Any values at all, in a series and beside it, are judged without an error."""
    one = series(values)
    beside = [series(values, split="val"), series(values, name="accuracy"), series(values, name="grad_norm")]
    around = Around(series=[one, *beside], facts=Facts(classes=10, total_steps=100))
    for each in (one, *beside):
        seen = TESTS[name](each, {}, around)
        assert seen is None or (set(SERIES_TESTS[name]) <= set(seen.values) and seen.point in each.points)


def curve(start: float, end: float, count: int, noise: float = 0.02, seed: int = 0) -> list[float]:
    """A healthy loss: it falls like an exponential, with noise."""
    chosen = random.Random(seed)
    return [
        (end + (start - end) * math.exp(-4 * n / count)) * (1 + noise * chosen.uniform(-1, 1)) for n in range(count)
    ]


FLOOR = [2.19, 1.81, 1.62, 1.53, 1.50, 1.491, 1.485, 1.482, 1.479, 1.478, 1.477, 1.476]
HIT = [0.31, 0.66, 0.85, 0.94, 0.965, 0.975, 0.98, 0.981, 0.984, 0.985, 0.985, 0.986]


@pytest.mark.parametrize("classes", [3, 5, 10, 47, 100, 1000])
def test_the_floor_of_a_double_softmax_is_found_by_the_accuracy(classes: int) -> None:
    """With the share of wrong answers above the floor, whatever the number of classes."""
    floor = floor_of_double_softmax(classes)
    hits = [0.5 + 0.47 * (1 - math.exp(-n / 3)) for n in range(16)]
    losses = [floor + 1 - hit + 0.3 * math.exp(-n) for n, hit in enumerate(hits)]
    accuracy = series(hits, name="accuracy")
    assert sees("double_softmax_floor", series(losses), accuracy, classes=classes)
    if classes in (3, 5, 10, 100, 1000):
        assert sees("double_softmax_floor", series(losses), accuracy)


def test_the_floor_is_found_by_a_level_that_gives_a_whole_number_of_classes() -> None:
    """Without an accuracy a flat level just above a floor tells the number of classes."""
    losses = [2.3, 1.8, 1.6, 1.5, 1.4625, *[1.4619, 1.4617, 1.4615, 1.4614, 1.4613, 1.4613, 1.4613]]
    assert sees("double_softmax_floor", series(losses))


def test_a_floor_needs_eight_values_and_no_loss_below_it() -> None:
    """Short series say nothing; nor does a series beside a loss of the same run that is lower."""
    assert not sees("double_softmax_floor", series(FLOOR[:7]), series(HIT[:7], name="accuracy"))
    assert sees("double_softmax_floor", series(FLOOR), series(HIT, name="accuracy"))
    below = series([2.0, 1.2, 0.8, 0.5, 0.3, 0.2], split="val")
    assert not sees("double_softmax_floor", series(FLOOR), series(HIT, name="accuracy"), below)


@pytest.mark.parametrize("accuracy", [0.7, 0.8, 0.85, 0.9, 0.95])
def test_a_binary_classifier_of_usual_confidence_is_no_floor(accuracy: float) -> None:
    """The loss of a sound model lies near that of a calibrated one, also where that is near a floor."""
    level = -accuracy * math.log(accuracy) - (1 - accuracy) * math.log(1 - accuracy)
    losses = [level + (0.69 - level) * math.exp(-n / 2) for n in range(20)]
    hits = [accuracy - 0.2 * math.exp(-n / 2) for n in range(20)]
    for factor in (0.9, 1.0, 1.1, 1.25):
        one = series([value * factor for value in losses])
        assert not sees("double_softmax_floor", one, series(hits, name="accuracy"))


def test_chance_is_found_where_classes_or_accuracy_say_so() -> None:
    """Ln K alone is a number like others; with K told, or an accuracy of 1/K, it is a finding."""
    losses = [2.3031, 2.3028, 2.3027, 2.3027, 2.3026, 2.3027, 2.3026, 2.3026]
    guess = series([0.1, 0.1, 0.101, 0.099, 0.1, 0.1, 0.1, 0.1], name="accuracy")
    assert not sees("chance", series(losses))
    assert sees("chance", series(losses), classes=10)
    assert sees("chance", series(losses), guess)
    assert not sees("chance", series(losses), classes=7)
    assert not sees("chance", series(losses[:7]), guess)


def test_a_warm_up_is_no_chance() -> None:
    """A large model whose loss still falls, slowly, from ln K on, is in its first steps."""
    losses = [6.95 - 0.006 * n for n in range(12)]
    few = series([0.001 + 0.0003 * n for n in range(12)], name="accuracy")
    assert not sees("chance", series(losses), few, classes=1000)
    flat = series([6.908] * 12)
    around = Around(series=[flat], facts=Facts(classes=1000, total_steps=5000))
    assert TESTS["chance"](flat, {}, around) is None


def test_a_constant_is_one_to_all_digits_on_its_own_lines() -> None:
    """Six equal values with three digits that count; not zeros, a converged loss, or a bar that repeats."""
    assert sees("constant", series([0.6931] * 6))
    assert not sees("constant", series([0.6931] * 5))
    assert not sees("constant", series([0.7] * 20, digits=1))
    assert not sees("constant", series([0.0] * 20))
    assert not sees("constant", series([2.3, 1.0, 0.2, *[0.001] * 10], digits=3))
    assert not sees("constant", series([0.6931] * 8, split="val"), series([1.0, 0.8, 0.6, 0.5]))
    bar = tuple(Point(step=float(n), value=0.612, line=7) for n in range(50))
    assert not sees("constant", Series(name="loss", split="val", points=bar, count=50, digits=3))


def test_a_negative_loss_must_fall_on() -> None:
    """A cross entropy with wrong labels falls ever faster; the log of a density settles."""
    assert sees("negative", series([0.7, -0.5 * 1, -3, -12, -40, -90, -160, -260, -400]))
    assert sees("negative", series([-0.3, -2.0, -8.0, -20.0, -45.0, -80.0, -120.0, -170.0]))
    assert not sees("negative", series([5.0 - 60 * (1 - math.exp(-n / 3)) for n in range(20)]))
    assert not sees("negative", series([1.0, 0.5, -0.5, -1.0, -1.5, -2.0, -2.5]))
    assert not sees("negative", series([0.7, -5, -30, -200, -900]))


def test_diverging_is_above_everything_before() -> None:
    """A jump by a thousand that stays; not one from nothing to little, nor one that comes back."""
    assert sees("diverging", series([2.0, 1.9, 1.8, 1.8, 1.7, 1.7, 5e6, 8e6]))
    assert not sees("diverging", series([2.0, 1.0, 0.1, 1e-6, 1e-6, 1e-6, 1e-6, 5e-3, 4e-3]))
    assert not sees("diverging", series([2.0, 1.9, 1.8, 1.8, 1.7, 1.7, 5e6, 1.6, 1.5]))


def test_swings_must_be_smooth_and_stay_wide() -> None:
    """A pendulum is found; noise, dying swings and those of a cyclic rate are not."""
    pendulum = [0.5 + 0.45 * math.cos(n / 2.5) for n in range(40)]
    assert sees("oscillating", series(pendulum))
    assert not sees("oscillating", series(pendulum[:15]))
    assert not sees("oscillating", series([0.5 + 0.45 * math.exp(-n / 8) * math.cos(n / 2.5) for n in range(40)]))
    chosen = random.Random(1)
    assert not sees("oscillating", series([0.5 + 0.4 * chosen.uniform(-1, 1) for _ in range(60)]))
    rate = series([0.01 + 0.009 * math.cos(n / 2.5) for n in range(40)], name="lr")
    assert not sees("oscillating", series(pendulum), rate)


def test_nan_must_stay_and_touch_every_loss() -> None:
    """One bad value that recovers, and a bar's nan beside named losses that go on, are no findings."""
    nan = math.nan
    assert sees("nonfinite", series([2.0, 1.5, nan, nan, nan]))
    assert sees("nonfinite", series([nan]))
    assert not sees("nonfinite", series([2.0, 1.5, nan, 1.2, 1.1]))
    assert not sees("nonfinite", series([2.0, 1.5, 1.2, nan]))
    named = series([2.0, 1.8, 1.5, 1.2, 1.1, 1.0, 0.9, 0.8], split="val")
    assert not sees("nonfinite", series([2.0, nan, nan, nan, nan]), named)
    assert sees("nonfinite", series([2.0, 1.9, nan, nan]), series([2.0, 1.8], split="val"))


def test_a_nan_out_of_the_blue_is_told_from_one_after_growth() -> None:
    """What grew before is an explosion; what did not is a root or a division at 0."""
    nan = math.nan
    assert sees("sudden", series([0.7, 0.8, 0.6, 0.7, 0.7, nan, nan], name="grad_norm"))
    assert not sees("sudden", series([0.7, 0.8, 0.6, 0.7, 12.0, nan, nan], name="grad_norm"))
    assert not sees("sudden", series([0.7, 0.8, 0.6, 0.7, 0.7, nan, 0.6], name="grad_norm"))


def test_zeros_hide_nan_only_beside_a_bad_norm() -> None:
    """A loss that is printed as 0 while the gradient norm is nan."""
    nan = math.nan
    norm = series([5.0, 4.0, nan, nan, nan], name="grad_norm")
    assert sees("zero_hides_nan", series([3.9, 3.7, 0.0, 0.0, 0.0]), norm)
    assert not sees("zero_hides_nan", series([3.9, 3.7, 0.0, 0.0, 0.0]))


def test_a_scale_at_its_minimum_was_halved_again_and_again() -> None:
    """A scale that is 1 by choice, and one that finds its level after some skipped steps, are sound."""
    assert sees("at_minimum", series([2.0**n for n in range(16, -1, -1)], name="loss_scale"))
    assert not sees("at_minimum", series([1.0] * 20, name="loss_scale"))
    assert not sees("at_minimum", series([65536.0, 32768.0, 16384.0, 8192.0, *[8192.0] * 10], name="loss_scale"))


def test_training_and_validation_that_part() -> None:
    """A gap from early on is one question, a validation loss that turns and rises another."""
    train = series([1.5, 0.7, 0.43, 0.32, 0.25, 0.2, 0.18, 0.16, 0.14, 0.13])
    hits = series([0.58, 0.88, 0.93, 0.94, 0.95, 0.96, 0.97, 0.97, 0.97, 0.97], name="accuracy")
    early = series([1.2, 0.95, 0.75, 0.71, 0.63, 0.6, 0.57, 0.57, 0.59, 0.56], split="val")
    late = series([1.2, 0.75, 0.5, 0.45, 0.45, 0.46, 0.46, 0.48, 0.5, 0.5], split="val")
    worse = series([0.66, 0.76, 0.8, 0.8, 0.81, 0.82, 0.82, 0.82, 0.82, 0.81], name="accuracy", split="val")
    rising = series([1.2, 0.75, 0.5, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0], split="val")
    assert sees("split_gap", early, train, hits, worse, rising=False)
    assert not sees("split_gap", late, train, hits, worse, rising=False)
    assert sees("split_gap", rising, train, hits, worse, rising=True)
    assert not sees("split_gap", rising, train, rising=True)


def test_losses_that_part_by_far_need_no_accuracy() -> None:
    """A training loss that vanishes while that of validation climbs from its early least value is enough alone."""
    learnt = series([0.7, 0.4, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 0.01, 0.005, 0.004, 0.003, 0.002], split="")
    climbing = series([0.7, 0.6, 0.62, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.96, 0.98, 1.0], split="val")
    level = series([0.7, 0.6, 0.6, 0.61, 0.62, 0.63, 0.64, 0.65, 0.66, 0.67, 0.68, 0.7, 0.74], split="val")
    assert sees("split_gap", climbing, learnt, rising=True)
    assert not sees("split_gap", level, learnt, rising=True)


HEALTHY: dict[str, Callable[[], str]] = {
    "a long training": lambda: "".join(f"step {n} loss {v:.4f}\n" for n, v in enumerate(curve(2.3, 0.2, 300))),
    "a training that converges": lambda: "".join(
        f"epoch {n} loss {v:.3f} acc {min(0.999, 1 - v / 3):.3f}\n" for n, v in enumerate(curve(2.3, 0.001, 60, 0.0))
    ),
    "a fine-tune that starts low": lambda: "".join(
        f"{{'loss': {v:.4f}, 'grad_norm': {0.5 + v:.3f}, 'learning_rate': 2e-05, 'epoch': {n / 20}}}\n"
        for n, v in enumerate(curve(0.09, 0.05, 60, 0.3))
    ),
    "a warm-up plateau": lambda: "".join(
        f"iter {n}: loss {v:.4f}, time 100.0ms, lr {min(n, 20) * 1e-5:.6f}\n"
        for n, v in enumerate([10.82, 10.81, 10.79, 10.78, 10.76, 10.75, *curve(10.7, 3.3, 60)])
    ),
    "skipped steps at the start": lambda: (
        "".join(
            f"Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to {2.0 ** (16 - n)}\n"
            for n in range(4)
        )
        + "".join(f"step {n} loss {v:.4f} loss_scale 4096.0\n" for n, v in enumerate(curve(3.0, 1.0, 50)))
    ),
    "one nan norm that recovers": lambda: "".join(
        f"step {n} loss {v:.4f} grad_norm {'nan' if n == 13 else '0.8'} lr 0.0001\n"
        for n, v in enumerate(curve(3.0, 1.0, 50))
    ),
    "a GAN": lambda: "".join(
        f"[Epoch {n}/50] [D loss: {0.6 + 0.1 * math.sin(n):.4f}] [G loss: {1.0 + 0.5 * math.cos(n / 3):.4f}]\n"
        for n in range(50)
    ),
    "reinforcement learning": lambda: "".join(
        f"update {n} policy_loss: {-0.01 * math.sin(n / 4):.4f} value_loss: {5 + 4 * math.sin(n / 5):.3f} "
        f"entropy_loss: {-0.69 + n * 0.005:.4f} reward {20 + n}\n"
        for n in range(60)
    ),
    "a bar whose loss is nan beside good losses": lambda: "".join(
        f"Epoch 0: {n}%| {n}/100 [00:01, loss=nan, train_loss={v:.4f}, val_loss={v + 0.1:.4f}]\n"
        for n, v in enumerate(curve(2.0, 0.5, 60))
    ),
    "a language model at a plateau of its own": lambda: "".join(
        f"step {n}: train loss {v:.4f}, val loss {v + 0.04:.4f}\n" for n, v in enumerate(curve(4.2, 1.47, 60, 0.004))
    ),
    "slight overfitting": lambda: "".join(
        f"epoch {n} train_loss {v:.4f} train_acc {1 - v / 4:.3f} val_loss {max(v, 0.42) + 0.05:.4f} val_acc "
        f"{min(0.88, 1 - v / 4):.3f}\n"
        for n, v in enumerate(curve(1.6, 0.25, 20, 0.0))
    ),
    "a density": lambda: "".join(
        f"epoch {n} loss {v:.3f}\n" for n, v in enumerate([500 - 1400 * (1 - math.exp(-n / 8)) for n in range(50)])
    ),
    "warm restarts": lambda: "".join(
        f"epoch {n} loss {0.5 + 0.4 * math.cos(n / 3):.4f} lr {0.05 + 0.045 * math.cos(n / 3):.5f}\n" for n in range(50)
    ),
    "a regression on noise": lambda: "".join(f"epoch {n} mse {v:.4f}\n" for n, v in enumerate(curve(1.4, 1.0, 40))),
    "binary, 85 % right": lambda: "".join(
        f"epoch {n} loss {v:.4f} accuracy {0.85 - 0.3 * math.exp(-n / 3):.3f}\n"
        for n, v in enumerate(curve(0.69, 0.36, 40, 0.01))
    ),
    "a detector whose bar repeats": lambda: "".join(
        "\r".join(f"Epoch {n}: {k}/20 [loss=0.{9 - n}{k % 10}1, val_loss=0.{8 - n}12]" for k in range(20)) + "\n"
        for n in range(8)
    ),
}


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_run_is_clean(name: str) -> None:
    """Nothing is said of a run in which nothing is wrong."""
    report = triage(HEALTHY[name]())
    assert [one.id for one in report.explanations] == []
    assert report.verdict == "clean"


@given(st.integers(0, 10_000), st.floats(0.01, 0.2), st.integers(8, 80))
def test_no_noisy_curve_that_falls_is_a_finding(seed: int, noise: float, count: int) -> None:
    """Of any loss that falls with noise, with an accuracy that rises beside it, no test of an entry speaks."""
    losses = curve(2.3, 0.15, count, noise, seed)
    hits = series([1 - value / 2.6 for value in losses], name="accuracy")
    for test in ("nonfinite", "chance", "constant", "negative", "diverging", "oscillating", "double_softmax_floor"):
        assert not sees(test, series(losses), hits), test


def test_a_validation_loss_is_judged_beside_the_training_loss() -> None:
    """NaN of the validation loss alone is seen; not where the training loss went bad as well, or it recovered."""
    nan = math.nan
    train = series([2.0, 1.5, 1.2, 1.1])
    assert sees("nonfinite_beside", series([nan, nan, nan, nan], split="val"), train)
    assert sees("nonfinite_beside", series([1.9, 1.6, nan, nan], split="val"), train)
    assert not sees("nonfinite_beside", series([nan, nan, 1.3, 1.2], split="val"), train)
    assert not sees("nonfinite_beside", series([nan, nan, nan, nan], split="val"), series([2.0, nan, nan, nan]))
    assert not sees("nonfinite_beside", series([nan, nan, nan, nan]), train)


def test_a_loss_that_rises_must_do_so_all_the_time() -> None:
    """A steady rise to twice the start is seen; one that falls first, turns, or stands beside a reward is not."""
    up = [1.0 + 0.05 * n for n in range(36)]
    assert sees("rising", series(up))
    assert not sees("rising", series(up), series(up, name="reward"))
    assert not sees("rising", series(up[:20]))
    assert not sees("rising", series([3.0 - 0.2 * n for n in range(12)] + up[12:]))
    assert not sees("rising", series([1.0 + 0.005 * n for n in range(36)]))
    assert not sees("rising", series([*up[:18], *up[17::-1]]))


def test_a_blow_up_after_three_values_must_stay() -> None:
    """Three values are enough before a jump by a thousand where three values or more stay above it."""
    assert sees("diverging", series([2.3, 2.2, 2.2, 5e4, 8e6, 4e8]))
    assert not sees("diverging", series([2.3, 2.2, 2.2, 5e4, 2.4, 2.2]))
    assert not sees("diverging", series([2.3, 2.2, 2.2, 5e4]))


def test_a_gradient_norm_is_no_fault_beside_a_finite_loss() -> None:
    """A scaler skips steps whose norm is not finite; only without a loss that is finite the norm speaks."""
    nan = math.nan
    norm = series([nan, nan, nan], name="grad_norm")
    assert sees("nonfinite", norm, points=3)
    assert not sees("nonfinite", norm, series([1.9, 1.7, 1.6]), points=3)
    assert not sees("nonfinite", series([nan, nan], name="grad_norm"), points=3)


def test_a_blow_up_needs_losses_before_it() -> None:
    """Two losses are enough before a jump by ten thousand; zeros, which a part shows before it counts, are none."""
    assert sees("diverging", series([0.85, 2.44, 6.3e4, 1e13, 2e25]))
    assert not sees("diverging", series([0.85, 2.44, 6.3e3, 7e3, 8e3]))
    assert not sees("diverging", series([0.0, 0.0, 0.0, 0.0, 35.0, 31.0, 33.0]))
