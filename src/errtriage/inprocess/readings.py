"""What the values of a failing process say about its fault: one sentence each, and the causes that it speaks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from errtriage.inprocess.values import Value
from errtriage.values import dataclass

_LABELS = ("target", "label", "y", "gt", "class", "truth")
# Functions of torch.nn.functional, and those of their arguments that must lie in [0, 1].
_WANT_PROBABILITIES = {
    "binary_cross_entropy": ("input", "target"),
    "binary_cross_entropy_with_logits": ("target",),
}
_EMBEDDINGS = frozenset({"embedding", "embedding_bag"})
_IGNORED = (-100, -1, 254, 255)  # values that mean "leave this one out" in one framework or another


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A sentence about the values, and the ids of the causes that it lifts."""

    text: str
    causes: tuple[str, ...] = ()


def read(values: Sequence[Value], tags: frozenset[str]) -> list[Reading]:
    """Return what the values say about a fault with these tags."""
    found: dict[str, Reading] = {}
    for wanted, function in READINGS:
        if tags & wanted:
            for one in function(values):
                found.setdefault(one.text, one)
    return list(found.values())


def _labels(values: Sequence[Value]) -> Iterator[Reading]:
    """Compare whole-number labels with the classes of the scores that belong to them."""
    for labels in values:
        if not (labels.kind == "tensor" and labels.whole and _is_named(labels, _LABELS)):
            continue
        for scores in values:
            classes = _classes(scores, labels)
            if classes is None:
                continue
            if labels.high is None or labels.low is None:
                yield Reading(text=f"{scores.name} has {classes} classes, so {labels.name} must be 0 to {classes - 1}.")
                return
            if labels.low < 0 or labels.high >= classes:
                yield _label_reading(labels, scores, classes, int(labels.low), int(labels.high))
                return


def _label_reading(labels: Value, scores: Value, classes: int, low: int, high: int) -> Reading:
    told = f"{scores.name} has {classes} classes (0 to {classes - 1})"
    if low < 0:
        return Reading(text=f"{labels.name}.min() is {low}, and {told}.", causes=("ignore-value-left",))
    text = f"{labels.name}.max() is {high}, and {told}."
    if high in _IGNORED:
        return Reading(text=text, causes=("ignore-value-left",))
    starts_at_one = high == classes and low >= 1
    return Reading(text=text, causes=("labels-start-at-one",) if starts_at_one else ("head-too-small",))


def _classes(scores: Value, labels: Value) -> int | None:
    """Return the number of classes where one value can be the scores of the other: (N, C, …) of (N, …)."""
    if scores.kind != "tensor" or scores.whole or len(scores.shape) != len(labels.shape) + 1 or not labels.shape:
        return None
    rest = (scores.shape[0], *scores.shape[2:])
    return scores.shape[1] if rest == labels.shape and scores.shape[1] > 1 else None


def _indices(values: Sequence[Value]) -> Iterator[Reading]:
    """Compare the ids that an embedding was given with the rows of its table."""
    if not {one.function for one in values} & _EMBEDDINGS:
        return
    tables = [one for one in values if "weight" in (one.name, *one.roles) and len(one.shape) == 2]
    ids = [one for one in values if "input" in (one.name, *one.roles) and one.whole and one.kind == "tensor"]
    for table in tables[:1]:
        for one in ids:
            if one.low is None or one.high is None:
                yield Reading(
                    text=f"{table.name} has {table.shape[0]} rows, so {one.name} must be 0 to {table.shape[0] - 1}."
                )
            elif one.high >= table.shape[0]:
                yield Reading(text=f"{one.name}.max() is {int(one.high)}, and {table.name} has {table.shape[0]} rows.")
            elif one.low < 0:
                yield Reading(text=f"{one.name}.min() is {int(one.low)}, and {table.name} has {table.shape[0]} rows.")


def _probabilities(values: Sequence[Value]) -> Iterator[Reading]:
    """Tell what is not in [0, 1] where a function is called that wants it so."""
    called = {one.function for one in values}
    wanted = {name for function, names in _WANT_PROBABILITIES.items() if function in called for name in names}
    for one in values:
        if one.kind != "tensor" or one.low is None or one.high is None or not wanted & {one.name, *one.roles}:
            continue
        if one.low < 0 or one.high > 1:
            yield Reading(text=f"{one.name} goes from {one.low:.4g} to {one.high:.4g}, not from 0 to 1.")


def _not_finite(values: Sequence[Value]) -> Iterator[Reading]:
    for one in values:
        if one.nans or one.infinities:
            told = " and ".join(f"{n:,} {word}" for n, word in ((one.nans, "NaN"), (one.infinities, "inf")) if n)
            yield Reading(text=f"{one.name} holds {told}.")


def _shapes(values: Sequence[Value]) -> Iterator[Reading]:
    yield from _listing(values, lambda one: f"{one.name} {one.shape}".replace(",)", ")"), lambda one: bool(one.shape))


def _devices(values: Sequence[Value]) -> Iterator[Reading]:
    if len({one.device for one in values if one.device}) > 1:
        yield from _listing(values, lambda one: f"{one.name} on {one.device}", lambda one: bool(one.device))


def _dtypes(values: Sequence[Value]) -> Iterator[Reading]:
    if len({one.dtype for one in values if one.kind != "number"}) > 1:
        yield from _listing(values, lambda one: f"{one.name} {one.dtype}", lambda one: one.kind != "number")


def _listing(
    values: Sequence[Value], text: Callable[[Value], str], holds: Callable[[Value], bool]
) -> Iterator[Reading]:
    """Yield one sentence with the values of the innermost place that holds at least two that count."""
    places = dict.fromkeys((one.file, one.line) for one in values)
    for place in places:
        told = [text(one) for one in values if (one.file, one.line) == place and holds(one)]
        if len(told) > 1:
            yield Reading(text=f"{', '.join(told[:6])}.")
            return


def _is_named(value: Value, words: tuple[str, ...]) -> bool:
    names = [name.lower() for name in (value.name, *value.roles)]
    return any(
        name == word or (len(word) > 2 and word in name) or name.endswith(f"_{word}")
        for name in names
        for word in words
    )


# The tags of the faults about which a reading can say something.
READINGS: tuple[tuple[frozenset[str], Callable[[Sequence[Value]], Iterator[Reading]]], ...] = (
    (frozenset({"labels", "device-assert"}), _labels),
    (frozenset({"indexing", "device-assert"}), _indices),
    (frozenset({"loss", "device-assert", "nonfinite", "numerics"}), _probabilities),
    (frozenset({"nonfinite", "numerics", "device-assert", "autograd"}), _not_finite),
    (frozenset({"shapes"}), _shapes),
    (frozenset({"device"}), _devices),
    (frozenset({"dtype"}), _dtypes),
)
