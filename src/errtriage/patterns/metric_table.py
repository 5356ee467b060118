"""Tables of metrics: a header line of names, then rows of bare numbers (YOLO, fastai, skorch, CSV)."""

from __future__ import annotations

from collections.abc import Sequence

from errtriage.lazy_regex import lazy
from errtriage.model import Event, Line
from errtriage.patterns.base import Block, Fed, event
from errtriage.patterns.metric import NUMBER, split_and_name

_PATIENCE = 40  # lines without a row, such as those of a validation, after which a table is over
_BOUND = 20_000  # lines of one table
_MOST_COLUMNS = 40

_NAME = r"[A-Za-z][\w/.@()%\-]{0,39}"
_HEADER = lazy(
    rf"^[\s|]{{0,12}}{_NAME}(?:(?:\s{{0,4}}[,;|]\s{{0,24}}|\t{{1,4}}|\s{{2,40}}){_NAME}){{1,{_MOST_COLUMNS}}}[\s|]{{0,40}}$"
)
_WORD = lazy(rf"{_NAME}")
_TELLS = lazy(r"(?i)loss|acc|^(?:lr|learning_rate|grad_norm|rmse|mse|mae)$")
_CELL = lazy(rf"^(?:(?P<count>\d{{1,9}})/\d{{1,9}}|(?P<number>{NUMBER}))(?P<end>:?)$")
_COUNTS = {
    "epoch": "epoch",
    "step": "step",
    "iter": "step",
    "iteration": "step",
    "global_step": "step",
    "batch": "step",
}
_SIGNS = ",;|"


class _Table:
    """A table that is being read, one event for each row."""

    settled = True

    def __init__(self, names: Sequence[str], sign: str) -> None:
        self._names = names
        self._sign = sign
        self._rows: list[Event] = []
        self._silent = 0

    def feed(self, line: Line) -> Fed:
        cells = _cells(line.text[:2048], self._sign)
        if cells == list(self._names):
            self._silent = 0
            return Fed.TAKEN
        row = self._row(line, cells)
        if row is None:
            self._silent += 1
            return Fed.ENDED if self._silent > _PATIENCE else Fed.PASSED
        self._silent = 0
        self._rows.append(row)
        return Fed.TAKEN

    def close(self) -> tuple[Event, ...]:
        return tuple(self._rows)

    def _row(self, line: Line, cells: Sequence[str]) -> Event | None:
        """Return what a line says; None where its first cells are no numbers, or fewer than the columns."""
        wanted = len(self._names)
        if len(cells) < wanted or (len(cells) != wanted if self._sign else _CELL.match(cells[0]) is None):
            return None
        fields: dict[str, str | None] = {}
        told = 0
        for name, cell in zip(self._names, cells, strict=False):
            found = _CELL.match(cell)
            if found is None:
                continue
            told += 1
            value = found["count"] or found["number"]
            if name.lower() in _COUNTS:
                fields[_COUNTS[name.lower()]] = value
            elif _TELLS.search(name) and found["number"]:
                split, plain = split_and_name(name)
                fields.setdefault(f"{split}|{plain}|{name}", value)
        if (told * 2 < wanted and not self._sign) or not any("|" in key for key in fields):
            return None
        return event("metric", line, fields)


def _cells(text: str, sign: str) -> list[str]:
    if sign:
        return [cell.strip() for cell in text.strip().strip("|").split(sign)]
    return text.split()


def _open(line: Line) -> Block | None:
    text = line.text
    if len(text) > 1024 or ":" in text or "=" in text or _HEADER.match(text) is None:
        return None
    sign = next((one for one in _SIGNS if one in text), "")
    names = _cells(text, sign)
    if not any(_TELLS.search(name) for name in names) or (len(names) < 3 and not sign):
        return None
    return _Table(names, sign)


class _MetricTable:
    """The pattern of such tables; like single metrics it is looked for in sampled windows alone."""

    kind = "metric"
    sampled = True
    by_shape = True
    literals: tuple[str, ...] = ("loss", "Loss", "acc")
    bound = _BOUND
    examples: tuple[str, ...] = (
        "  epoch    train_loss    valid_acc    valid_loss     dur\n"
        "-------  ------------  -----------  ------------  ------\n"
        "      1        0.7181       0.9900        0.1700  0.6447\n",
        "epoch,step,train_loss,val_loss\n0,9,1.2311,\n0,49,,0.8130\n",
        "epoch     train_loss  valid_loss  accuracy  time\n0         0.521346    0.412345    0.850000  00:12\n",
        "      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size\n"
        "        1/8      2.31G      3.123      4.210      3.990         40        640: 100%|█████| 3/3\n",
    )
    ignore: tuple[str, ...] = (
        "the train loss and the valid loss\n1 2 3 4 5 6 7\n",
        "train_loss  valid_loss  accuracy\nno numbers  stand here\n",
    )

    def open(self, line: Line) -> Block | None:
        """Return an open table where the line is a header."""
        return _open(line)


PATTERNS = (_MetricTable(),)
