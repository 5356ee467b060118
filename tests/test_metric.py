"""The forms in which programs print metrics: each line gives its values, splits, steps and epochs."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errtriage.knowledge import load_knowledge
from errtriage.model import Line, Series, Span
from errtriage.patterns.metric import METRIC, split_and_name
from errtriage.reading import read
from errtriage.series import number
from errtriage.sources import from_bytes
from errtriage.triage import wanted


def fields(text: str) -> dict[str, str]:
    """What a line says: `split|name` and the value, and `step`, `epoch`, `total`."""
    made = list(METRIC.parse(Line(span=Span(first=1, last=1), text=text)))
    assert len(made) <= 1
    told = dict(made[0].fields) if made else {}
    return {("|".join(key.split("|")[:2]) if "|" in key else key): value for key, value in told.items()}


def series_of(log: str | bytes) -> dict[str, Series]:
    """The series of a whole log, by `split|name`."""
    known = load_knowledge()
    data = log.encode() if isinstance(log, str) else log
    reading = read([from_bytes("log", data)], wanted(known), known.literals)
    return {f"{one.split}|{one.name}": one for attempt in reading.attempts for one in attempt.series}


LINES = {
    "plain colon": ("loss: 1.2", {"|loss": "1.2"}),
    "plain equals": ("step 120 loss=2.3026", {"|loss": "2.3026", "step": "120"}),
    "plain blank": ("train_loss 1.2", {"train|loss": "1.2"}),
    "meter": (
        "Epoch: [3][ 50/100]\tTime 0.1 (0.1)\tLoss 6.9313e-01 (6.9315e-01)\tAcc@1  50.00 ( 50.62)",
        {"|loss": "6.9313e-01", "|accuracy": "50.00", "epoch": "3"},
    ),
    "mnist": (
        "Train Epoch: 1 [9600/60000 (16%)]\tLoss: 2.131349",
        {"train|loss": "2.131349", "epoch": "1", "step": "9600", "total": "60000"},
    ),
    "hugging face": (
        "{'loss': 0.5, 'grad_norm': nan, 'learning_rate': 2e-05, 'epoch': 0.11}",
        {"|loss": "0.5", "|grad_norm": "nan", "|lr": "2e-05", "epoch": "0.11"},
    ),
    "hugging face 5": (
        "{'loss': '0.6931', 'grad_norm': '1.234', 'learning_rate': '4.8e-05', 'epoch': '0.31'}",
        {"|loss": "0.6931", "|grad_norm": "1.234", "|lr": "4.8e-05", "epoch": "0.31"},
    ),
    "hugging face evaluation": (
        "{'eval_loss': 0.3456, 'eval_accuracy': 0.87, 'eval_runtime': 1.2, 'epoch': 1.0}",
        {"val|loss": "0.3456", "val|accuracy": "0.87", "epoch": "1.0"},
    ),
    "lightning": (
        "Epoch 3: 100%|####| 50/50 [00:01<00:00, 45.67it/s, train_loss=0.0345, val_loss=0.0567, val_acc=0.990]",
        {"train|loss": "0.0345", "val|loss": "0.0567", "val|accuracy": "0.990", "epoch": "3", "step": "50"},
    ),
    "keras": (
        "1353/1353 - 21s - loss: nan - mae: nan - val_loss: nan",
        {"|loss": "nan", "|mae": "nan", "val|loss": "nan", "step": "1353", "total": "1353"},
    ),
    "megatron": (
        " iteration      110/    1000 | consumed samples:        14080 | learning rate: 1.5E-05 | lm loss: 6.93E-01 |"
        " loss scale: 65536.0 | grad norm: 1.23 | number of nan iterations:   0 |",
        {
            "|lr": "1.5E-05", "|loss": "6.93E-01", "|loss_scale": "65536.0", "|grad_norm": "1.23", "step": "110",
            "total": "1000",
        },
    ),
    "deepspeed": (
        "[2024-01-01] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=0, lr=[9.9e-05], mom=[(0.9, 0.999)]",
        {"|lr": "9.9e-05", "step": "10"},
    ),
    "deepspeed scale": (
        "[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 4294967296, reducing to 2147483648",
        {"|loss_scale": "4294967296"},
    ),
    "nanogpt": (
        "step 250: train loss 2.0123, val loss 2.1456",
        {"train|loss": "2.0123", "val|loss": "2.1456", "step": "250"},
    ),
    "detectron2": (
        "[01/01 10:00:00 d2.utils.events]:  eta: 1:02:03  iter: 19  total_loss: 1.234  loss_cls: 0.9012  lr: 0.0004",
        {"|loss": "1.234", "|loss_cls": "0.9012", "|lr": "0.0004", "step": "19"},
    ),
    "mmengine": (
        "2023/10/10 10:00:00 - mmengine - INFO - Epoch(train)  [1][  50/7330]  lr: 3.9840e-06  eta: 1 day, 2:03:04  "
        "grad_norm: 92.1234  loss: 8.6123",
        {"train|lr": "3.9840e-06", "train|grad_norm": "92.1234", "train|loss": "8.6123", "step": "50", "total": "7330"},
    ),
    "mmengine validation": (
        "2023/10/10 - mmengine - INFO - Epoch(val)  [1][100/100]    accuracy/top1: 55.1200  data_time: 0.1",
        {"val|accuracy": "55.1200", "step": "100", "total": "100"},
    ),
    "fairseq": (
        "2024-01-01 | INFO | train_inner | epoch 001:    100 / 1234 loss=9.5, nll_loss=8.9, ppl=480.1, gnorm=2.1, "
        "loss_scale=128",
        {
            "train|loss": "9.5", "train|nll_loss": "8.9", "train|perplexity": "480.1", "train|grad_norm": "2.1",
            "train|loss_scale": "128", "epoch": "001",
        },
    ),
    "fairseq json": (
        '2024-01-01 | INFO | train_inner | {"epoch": 1, "update": 0.08, "loss": "9.5", '
        '"num_updates": "100", "lr": "1.2e-05"}',
        {"train|loss": "9.5", "train|lr": "1.2e-05", "epoch": "1", "step": "100"},
    ),
    "timm": (
        "Train: 0 [  50/1251 (  4%)]  Loss: 6.95 (6.96)  Time: 0.123s,  260.10/s  LR: 1.000e-05  Data: 0.001 (0.001)",
        {"train|loss": "6.95", "train|lr": "1.000e-05", "step": "50", "total": "1251"},
    ),
    "json lines": (
        '{"step": 120, "train/loss": 1.9, "train/lr": 0.0001}',
        {"train|loss": "1.9", "train|lr": "0.0001", "step": "120"},
    ),
    "stable baselines": ("|    value_loss           | 12.3        |", {"|value_loss": "12.3"}),
    "yolo": (
        "       7/30      2.31G      1.234        nan      0.987         40        640:  50%|####      | 56/112",
        {"train|box_loss": "1.234", "train|cls_loss": "nan", "train|dfl_loss": "0.987", "epoch": "7"},
    ),
    "tensor": ("loss=tensor(0.1234, grad_fn=<NllLossBackward0>)", {"|loss": "0.1234"}),
    "gan": ("[Epoch 3/200] [Batch 10/938] [D loss: 0.693] [G loss: 0.701]", {"|d loss": "0.693", "|g loss": "0.701"}),
    "average": ("Average training loss: 0.45", {"train|loss": "0.45"}),
    "odd nan": ("loss: nan.0", {"|loss": "nan.0"}),
    "negative": ("loss (batch)=-9.2e+5", {"|loss": "-9.2e+5"}),
    "regression": ("epoch  0 | mse loss 14.1432 | r2 0.0169", {"|r2": "0.0169", "epoch": "0"}),
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_a_line_gives_its_metrics(name: str) -> None:
    """Each framework's line is read with its values, the split they belong to, and where in the run it stands."""
    text, wanted_fields = LINES[name]
    told = fields(text)
    assert {key: told.get(key) for key in wanted_fields} == wanted_fields


@pytest.mark.parametrize(
    "text",
    [
        "criterion = nn.CrossEntropyLoss()",
        "val_loss improved from inf to 0.41234, saving model to best.keras",
        "EarlyStopping counter: 3 out of 7",
        "tensor([nan, nan], grad_fn=<AddBackward0>)",
        "lossless copy done",
        "elapsed: 12.3",
    ],
)
def test_a_line_without_a_metric_gives_none(text: str) -> None:
    """Words that look like metrics are none without a value of their own."""
    assert fields(text) == {}


@given(st.text(max_size=300))
def test_any_line_is_read_without_an_error(text: str) -> None:
    """Whatever a line holds, its values are numbers as printed."""
    for key, value in fields(text).items():
        if "|" in key:
            assert isinstance(number(value), float)


@pytest.mark.parametrize(
    ("label", "known"),
    [
        ("val_loss", ("val", "loss")),
        ("train/loss_epoch", ("train", "loss")),
        ("Average validation loss", ("val", "loss")),
        ("lm loss", ("", "loss")),
        ("lr-AdamW", ("", "lr")),
        ("gnorm", ("", "grad_norm")),
        ("eval_accuracy", ("val", "accuracy")),
        ("loss_cls", ("", "loss_cls")),
    ],
)
def test_a_label_tells_its_split_and_the_name_of_its_series(label: str, known: tuple[str, str]) -> None:
    """Decorations are taken off, so that one metric is one series under all its labels."""
    assert split_and_name(label) == known


@pytest.mark.parametrize(
    ("printed", "value"),
    [("1e-3", 1e-3), ("nan.0", math.nan), ("NaN", math.nan), ("-inf", -math.inf), ("Infinity", math.inf)],
)
def test_printed_numbers_are_what_they_say(printed: str, value: float) -> None:
    """All spellings of numbers that are none are known."""
    assert number(printed) == value or (math.isnan(value) and math.isnan(number(printed)))


TABLES = {
    "skorch": (
        "  epoch    train_loss    valid_acc    valid_loss     dur\n"
        "-------  ------------  -----------  ----------  ------\n"
        + "".join(f"      {n}        0.7{n}81       0.9900        0.1{n}00  0.6447\n" for n in range(1, 6)),
        {"train|loss": 5, "val|accuracy": 5, "val|loss": 5},
    ),
    "csv": (
        "epoch,step,train_loss,val_loss\n" + "".join(f"0,{n},1.2{n},\n0,{n},,0.8{n}\n" for n in range(5)),
        {"train|loss": 5, "val|loss": 5},
    ),
    "fastai": (
        "epoch     train_loss  valid_loss  accuracy  time    \n"
        + "".join(f"{n}         0.52134{n}    0.41234{n}    0.850000  00:12     \n" for n in range(5)),
        {"train|loss": 5, "val|loss": 5, "|accuracy": 5},
    ),
    "yolo with five columns": (
        "      Epoch    GPU_mem   box_loss  pose_loss  kobj_loss   cls_loss   dfl_loss  Instances       Size\n"
        + "".join(
            f"        {n}/5      2.31G      1.{n}  nan  0.7  1.2  0.9         40        640: 100%|#| 3/3\n"
            for n in range(5)
        ),
        {"|box_loss": 5, "|pose_loss": 5, "|dfl_loss": 5},
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_gives_a_series_for_each_column(name: str) -> None:
    """A header names the bare columns that follow it."""
    text, counts = TABLES[name]
    told = series_of(text)
    assert {key: told[key].count for key in counts} == counts


def test_a_table_passes_over_what_is_no_row() -> None:
    """Warnings and bars between the rows of a table are neither rows, nor lost."""
    text = (
        "epoch  train_loss  valid_loss  time\n0  0.5  0.4  00:12\nUserWarning: x\n1  0.3  0.2  00:12\nall 220 612 0 0\n"
    )
    assert [point.value for point in series_of(text)["train|loss"].points] == [0.5, 0.3]


def test_bars_are_read_through_carriage_returns_and_backspaces() -> None:
    """One physical line of a bar holds many values."""
    bar = "\r".join(f"Epoch 0: {n}0%|#| {n}/10 [00:0{n}, loss=0.{9 - n}]" for n in range(10)) + "\n"
    assert series_of(bar)["|loss"].count >= 8
    keras = "".join(f"{n}/5 [==>...] - loss: 0.{9 - n}" + "\x08" * 24 for n in range(1, 6)) + "\n"
    assert series_of(keras)["|loss"].points[-1].value == 0.4


def test_the_first_bad_value_is_never_lost() -> None:
    """Points are thinned, but the first value that is no number keeps its step and line."""
    log = "".join(f"step {n} loss {'nan' if n >= 7777 else 1.5}\n" for n in range(9000))
    one = series_of(log)["|loss"]
    assert one.bad is not None
    assert (one.bad.step, one.bad.line) == (7777, 7778)
    assert len(one.points) <= 600
