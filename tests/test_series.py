"""Series in bounded memory: what is kept of millions of values, and what is never lost."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from errtriage.model import Event, Span
from errtriage.series import SeriesBook


def event(line: int, **fields: str) -> Event:
    return Event(kind="metric", fields=fields, span=Span(first=line, last=line), text="")


def book(values: list[float], key: str = "train|loss|loss") -> SeriesBook:
    kept = SeriesBook()
    for n, value in enumerate(values):
        kept.add(event(n + 1, **{key: repr(value), "step": str(n)}))
    return kept


def test_points_are_thinned_but_counts_are_exact() -> None:
    """A hundred thousand values leave a bounded number of points, the first and the last among them."""
    (one,) = book([float(n) for n in range(100_000)]).series()
    assert one.count == 100_000
    assert len(one.points) <= 514
    assert (one.points[0].value, one.points[-1].value) == (0.0, 99_999.0)


@given(st.lists(st.sampled_from([1.0, 2.5, math.nan, math.inf]), min_size=1, max_size=3000))
def test_the_first_bad_value_is_known_exactly(values: list[float]) -> None:
    """Whatever is thinned out, the first value that is no number is that of the log."""
    (one,) = book(values).series()
    expected = next((n for n, value in enumerate(values) if not math.isfinite(value)), None)
    assert (one.bad.step if one.bad is not None else None) == expected
    run = 0
    while run < len(values) and not math.isfinite(values[-1 - run]):
        run += 1
    assert one.bad_run == run


def test_splits_and_labels_are_series_of_their_own() -> None:
    """Values of training and validation on one line do not mix."""
    kept = SeriesBook()
    kept.add(event(1, **{"train|loss|loss": "1.5", "val|loss|val_loss": "2.5", "epoch": "1"}))
    assert [(one.split, one.points[0].value) for one in kept.series()] == [("train", 1.5), ("val", 2.5)]


def test_steps_of_several_epochs_follow_one_another() -> None:
    """A step that begins anew in each epoch is counted on by the length of an epoch."""
    kept = SeriesBook()
    for epoch in range(2):
        for step in (10, 20):
            kept.add(event(1, **{"|loss|loss": "1.0", "epoch": str(epoch), "step": str(step), "total": "50"}))
    assert [point.step for point in kept.series()[0].points] == [10.0, 20.0, 60.0, 70.0]


def test_too_many_labels_are_left_out_and_told() -> None:
    """Labels that name their own step can not fill the memory."""
    kept = SeriesBook()
    for n in range(1000):
        kept.add(event(n, **{f"|loss_{n}|loss_{n}": "1.0"}))
    assert len(kept.series()) == 256
    assert kept.cut


def test_decimals_are_those_that_were_printed() -> None:
    """How exactly a value is printed decides whether equal values mean anything."""
    kept = SeriesBook()
    kept.add(event(1, **{"|loss|loss": "0.693147"}))
    kept.add(event(2, **{"|loss|loss": "1.5e-3"}))
    assert kept.series()[0].digits == 6
