"""Lines that print metrics: losses, accuracies, learning rates, gradient norms, loss scales, with their step and split.

One line is one event. A key of its fields that holds a bar is a value: `split|name|label` (`train|loss|train_loss`);
`step`, `epoch` and `total` are the line's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from errtriage import TYPE_CHECKING
from errtriage.lazy_regex import lazy
from errtriage.model import Event, Line
from errtriage.patterns.base import LinePattern, event

if TYPE_CHECKING:
    import re

NUMBER = r"[-+]?(?:\d{1,40}(?:\.\d{0,40})?(?:[eE][-+]?\d{1,3})?|\.\d{1,20}|[nN][aA][nN](?:\.0)?|[iI]nf(?:inity)?)"

_END = r"(?![\w:/]|\.\d)"  # behind a value
# `loss: 1.2`, `train/loss=1.2`, `lm loss: 6.9E-01`, `loss (batch)=-2.1e+7`, `tensor(1.2,`, `lr=[0.1]`
_SIGNED = lazy(rf"[:=]\s{{0,8}}(?:tensor\()?\[?['\"]?(?P<value>{NUMBER}){_END}")
# The label before such a sign, read backwards from it: most signs have none, and most words no sign.
_LABEL_BACKWARDS = lazy(
    r"\s{0,4}['\"]?(?:\)\w{1,12}\( ?)?(?P<label>(?:(?!(?<= )(?:dna|ni|fo) )[\w@-]{0,19}[A-Za-z] ){0,2}"
    r"[\w./@-]{0,39}[A-Za-z])(?![\w./@-])"
)
# `loss 1.2`, `Loss 6.9e-01 (6.9e-01)`, `train_loss 1.2`, `val 2.88`: without a sign only for what is known by name.
_UNSIGNED = lazy(rf"(?<=\w)\s{{1,8}}(?P<value>{NUMBER}){_END}")
_KNOWN = lazy(
    r"(?<![\w./@-])(?P<label>"
    r"(?:(?:train|training|val|valid|validation|test|eval|dev|avg|average|total|mean|running)[ _/-]?)?"
    r"(?:loss_scale|grad_scale|"
    r"[Ll]oss\w{0,3}|LOSS|acc(?:uracy)?|Acc(?:uracy)?(?:@1)?|lr|grad[ _]?norm|gnorm|ppl|scale|train|val|valid|test|"
    r"[Rr]2|R²|[Rr]?[Mm][Ss][Ee]|RMSE|[Mm][Aa][Ee]|[Ff]1|AUC|auc|m?[Ii][Oo][Uu]|[Dd]ice|nll|bce|BCE|xent))\Z"
)
_LONGEST_KNOWN = 24  # characters of such a label, and one before it
# `|    value_loss    | 12.3    |`: a table of one metric in each line.
_ROW = lazy(
    rf"^\|\s{{1,8}}(?P<label>[A-Za-z][\w/.@ -]{{0,39}}?)\s{{0,60}}\|\s{{0,20}}(?P<value>{NUMBER})\s{{0,20}}\|\s{{0,8}}$"
)
# `B: 6.051 | C: 2.882 | M: 4.676 | T: 13.9`: detectors print the parts of their loss by letter.
_LETTER = lazy(r"(?<![\w.])[A-Z]: \d+\.\d+ ?(?:\||$)")
_TOLD_BY_NAME = lazy(
    r"loss|acc|prec@1|top-?1|lr$|learning[ _]rate|norm|scale|ppl|perplexity|err|mse|mae|rmse|^r2$|iou|dice|f1$|nll|bce|"
    r"xent|cross[ _]?entropy|(?:^|[/_ ])l[12]$|^cost$|^objective$|"
    r"bleu|reward|ep_rew|(?:mean|episode|ep|avg)[ _]return|^return$"
)
_SPLIT_WORD = lazy(
    r"(?<![a-z])(?:(?P<train>train(?:ing)?)|(?P<val>val(?:id(?:ation)?)?|eval(?:uation)?|dev)|(?P<test>test(?:ing)?))"
    r"(?![a-z]|\.py)"
)
_SPLIT_WORDS = ("train", "val", "dev", "test")  # one of which stands in each of these, whatever its case
# `epochs: 100` alone is a setting.
_EPOCH = lazy(
    r"\b[Ee]p(?:och)?(?:s(?!['\"]?\s{0,3}[:=]\s{0,4}\d{1,7}(?!\s?/|\d)))?['\"]?\s{0,3}[:=#]?\s{0,4}[\['\"]?\s{0,4}"
    r"(\d{1,7}(?:\.\d{1,6})?)(?:\s?/\s?(\d{1,7}))?"
)
_STEP = lazy(
    r"\b(?:global[ _]step|iteration|iter|step|it|num_updates|batch|update|Step|Iter|Iteration|Batch)s?['\"]?"
    r"\s{0,3}[:=#]?\s{0,8}[\['\"]?\s{0,8}(\d{1,12})(?![\d.]{0,12}\.\d)(?:\s{0,4}/\s{0,8}(\d{1,12}))?"
)
# Not the `8194/10000` of right answers.
_BAR = lazy(r"(?<!ccuracy: )(?<!orrect: )(?<![\d./-])(\d{1,12})\s{0,3}/\s{0,8}(\d{1,12})(?= ?(?:\[|\(| -|\]))")
_YOLO_ROW = lazy(
    rf"^\s{{0,12}}(\d{{1,6}})/(\d{{1,6}})\s+[\d.]{{1,8}}[GM]\s+({NUMBER})\s+({NUMBER})\s+({NUMBER})\s+\d+\s+\d+(?::|\s|$)"
)

# (what the label is, without its split, its case and `avg`; the name of the series)
_NAMES: tuple[tuple[re.Pattern[str], str], ...] = (
    (lazy(r"^(?:(?:attempted )?loss[ _-]?scale(?: to)?|scale|amp_scale|cur_scale|grad[ _]scale)$"), "loss_scale"),
    (
        lazy(
            r"^(?:lm|total|tot|batch|running|mean|ce|bce|cross[ _]entropy)?[ _]?"
            r"loss(?:[ _]?(?:error|value|total|batch|net|all|sum))?$|^(?:bce|xent|cross[ _]?entropy|cost|objective)$"
        ),
        "loss",
    ),
    (lazy(r"^(?:acc(?:u|uracy)?(?:@1|1|[ _/]?top-?1)?|top-?1|prec@1|accuracy_score)$"), "accuracy"),
    (lazy(r"^(?:lr|learning[ _]rate|lr-\w+|lr/\w+)$"), "lr"),
    (lazy(r"^(?:grad(?:ient)?[ _]?norm|gnorm|norm|total_norm)$"), "grad_norm"),
    (lazy(r"^(?:ppl|perplexity)$"), "perplexity"),
)
_SPLIT_PREFIX = lazy(
    r"(?i)^(?:(?P<train>train(?:ing)?)|(?P<val>val(?:id(?:ation)?)?|eval(?:uation)?|dev)|(?P<test>test(?:ing)?))[ _/.-]"
)
_DECORATION = lazy(r"^(?:avg|average|mean|epoch|step|smoothed|metrics|running)[ _/.-]|[ _/.-](?:avg|mean|epoch|step)$")


@lru_cache(maxsize=4096)
def split_and_name(label: str) -> tuple[str, str]:
    """Return the split that a label names itself (train, val, test or "") and the name of its series."""
    rest, split = _DECORATION.sub("", label.lower()), ""
    found = _SPLIT_PREFIX.match(rest)
    if found:
        split, rest = found.lastgroup or "", _DECORATION.sub("", rest[found.end() :])
    for pattern, name in _NAMES:
        if pattern.match(rest):
            return split, name
    return split, rest


def _values(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield (key, label, value) of all metrics of a line."""
    row = _YOLO_ROW.match(text)
    if row:
        for name, value in zip(("box_loss", "cls_loss", "dfl_loss"), row.groups()[2:5], strict=True):
            yield f"train|{name}|{name}", name, value
        return
    cell = _ROW.match(text)
    if cell:
        split, name = split_and_name(cell["label"])
        if _TOLD_BY_NAME.search(name):
            yield f"{split}|{name}|{cell['label']}", cell["label"], cell["value"]
        return
    taken: set[int] = set()
    lettered = "|" in text and text.count(": ") >= 3 and len(_LETTER.findall(text)) >= 3
    for label, start, value, signed in (*_signed(text), *_unsigned(text)):
        if value.start("value") in taken:
            continue
        taken.add(value.start("value"))
        told = _TOLD_BY_NAME.search(label.lower()) or (not signed and "." in value["value"])
        if not told and not (lettered and len(label) == 1):
            continue
        split, name = split_and_name(label)
        if name in ("train", "val", "valid", "test"):  # `train 2.894  val 2.889`: a bare split is its loss
            split, name = ("val" if name == "valid" else name), "loss"
        yield f"{split or _split_before(text, start)}|{name}|{label}", label, value["value"]


_Found = tuple[str, int, "re.Match[str]", bool]  # label, where it starts, its value, and whether a sign stands between


def _signed(text: str) -> Iterator[_Found]:
    """Yield what stands before and behind each sign, as far as both are what they must be."""
    backwards, end = text[::-1], len(text)
    for value in _SIGNED.finditer(text):
        label = _LABEL_BACKWARDS.match(backwards, len(text) - value.start(), end)
        if label is not None:
            end = len(text) - value.end()
            yield label["label"][::-1], len(text) - label.end("label"), value, True


def _unsigned(text: str) -> Iterator[_Found]:
    """Yield the known labels that stand right before a number."""
    end = 0
    for value in _UNSIGNED.finditer(text):
        start = value.start()
        label = _KNOWN.search(text, max(end, start - _LONGEST_KNOWN), start)
        if label is not None:
            end = value.end()
            yield label["label"], label.start(), value, False


def _split_before(text: str, position: int) -> str:
    """Return the last split that the line names before a position."""
    split, before = "", text[:position].lower()
    if any(word in before for word in _SPLIT_WORDS):
        for found in _SPLIT_WORD.finditer(before):
            split = found.lastgroup or ""
    return split


def _make(line: Line, _: re.Match[str]) -> Event | None:
    text = line.text
    fields: dict[str, str | None] = {}
    for key, _label, value in _values(text[:4096]):
        fields.setdefault(key, value)
    if not fields:
        return None
    epoch, step = _EPOCH.search(text), _STEP.search(text)
    bar = _BAR.search(text) if step is None and "/" in text else None
    row = _YOLO_ROW.match(text)
    if epoch or row:
        fields["epoch"] = epoch[1] if epoch else row[1] if row else None
    if step:
        fields["step"], fields["total"] = step[1], step[2]
    elif bar:
        fields["step"], fields["total"] = bar[1], bar[2]
    return event("metric", line, fields)


METRIC = LinePattern(
    kind="metric",
    literals=(
        "loss",
        "Loss",
        "LOSS",
        "acc",
        "Acc",
        "lr",
        "norm",
        "nan",
        "train ",
        "mse",
        "G  ",
        ": ",
        "learning",
        "r2",
        "R2",
        "mae",
        "MAE",
        "MSE",
        "bce",
        "BCE",
        "xent",
        "l1=",
        "l2=",
    ),
    regex=r"^",
    make=_make,
    sampled=True,
    by_shape=True,
    examples=(
        "loss: 1.2",
        "step 120 loss=2.3026",
        "Train Epoch: 1 [9600/60000 (16%)]\tLoss: 2.131349",
        "{'loss': 0.0, 'grad_norm': nan, 'learning_rate': 2e-05, 'epoch': 0.11}",
        "iter 3210: loss nan, time 1016.18ms, mfu 16.12%",
        " iteration 110/ 1000 | lm loss: 6.93E-01 | loss scale: 65536.0 |",
        "1353/1353 - 21s - loss: nan - mae: nan - val_loss: nan - val_mae: nan",
        "       7/30      2.31G        nan        nan        nan         40        640:  50%|█████     | 56/112",
        "epoch 01 (0m 41s) train 2.894080  val 2.889736  val_acc 0.0613  lr 0.0050",
        "epoch  3  bce -2.1331",
        "Epoch: [3][ 50/100]\tTime 0.1 (0.1)\tLoss 6.9313e-01 (6.9315e-01)\tAcc@1  50.00 ( 50.62)",
    ),
    ignore=("criterion = nn.CrossEntropyLoss()", "lossless copy done"),
)

PATTERNS = (METRIC,)
