"""Where one log holds several trainings, one after another: folds, trials of a search, epochs that begin again."""

from __future__ import annotations

import math
from collections.abc import Mapping

from errtriage.averages import median
from errtriage.model import Event

_WHOLE = 2.0  # epochs that must have passed before the first one comes again
_FRACTION = 0.4  # the same where epochs are printed as fractions
_GAP_LINES, _GAP_TIMES = 8, 4  # lines between two values without a step, and how many times the usual, before a restart
_LOSSES = ("|loss|", "train|loss|", "val|loss|")  # keys of the losses that a curve is told by
_RISE = math.log(2.0)  # how far above its last value a loss lies where another curve begins
_LEAST = 1e-9  # what a loss that is printed as 0 counts for
_NEAR = math.log(4.0)  # how far its first value lies from that of the training before, where steps alone are printed
_VALUES = 6  # of a curve without epochs before it can be told that another one begins


class Trainings:
    """Numbers the trainings of one channel by its counters, epochs before steps.

    Epochs begin again where the first of a training comes once more after two others. Steps alone may count each
    epoch anew, so that the loss must be nearer to where it had begun than to where it was. Where no step is printed a
    loss that has risen by much after a gap in the lines such as none of the values before had is another curve's.
    """

    def __init__(self) -> None:
        """Start with the first training, 0."""
        self.number = 0
        self._epochs: tuple[float, float] | None = None  # first and latest
        self._steps: tuple[float, float] | None = None
        self._first = self._latest = math.nan  # the loss
        self._count = 0
        self._line = 0  # of the latest loss
        self._gaps: list[int] = []  # lines between the latest values

    @property
    def only_begun(self) -> bool:
        """Whether the latest training may be no more than a line that tells of the best epoch of the one before."""
        return self.number > 0 and self._epochs is not None and len(set(self._epochs)) == 1 and self._count <= 2

    def take(self, event: Event, values: Mapping[str, float]) -> int:
        """Return the number of the training that a `metric` or `progress` event belongs to."""
        epoch, step = (_counted(event.fields.get(name)) for name in ("epoch", "step"))
        loss = next((value for key, value in values.items() if key.startswith(_LOSSES)), math.nan)
        line = event.span.first
        if line < self._line:
            return self.number  # counted beside others and told late
        if epoch is not None:
            again = self._is_first_epoch(epoch)
        elif values and self._epochs is None:
            again = self._count >= _VALUES and self._begins_again(step, line, loss)
        else:
            again = False
        if again:
            self.number += 1
            self._epochs = self._steps = None
            self._first = self._latest = math.nan
            self._count = 0
            self._gaps = []
        if epoch is not None:
            self._epochs = (self._epochs[0] if self._epochs else epoch, epoch)
        if values:
            self._remember(step, loss, line)
        return self.number

    def _is_first_epoch(self, epoch: float) -> bool:
        if self._epochs is None:
            return False
        first, latest = self._epochs
        if epoch.is_integer() and latest.is_integer():
            return epoch <= max(first, 1.0) and latest - epoch >= _WHOLE
        return epoch <= 1.5 * first and latest - epoch >= _FRACTION

    def _begins_again(self, step: float | None, line: int, loss: float) -> bool:
        if not (0.0 < loss < math.inf and self._first > 0.0 and self._latest >= 0.0):
            return False
        rise = math.log(loss / max(self._latest, _LEAST))
        if step is not None:
            again = self._steps is not None and step <= self._steps[0] and step < self._steps[1]
            return again and rise > _RISE and abs(math.log(loss / self._first)) < min(rise, _NEAR)
        gap = line - self._line
        return self._steps is None and rise > _RISE and gap >= max(_GAP_LINES, _GAP_TIMES * median(self._gaps))

    def _remember(self, step: float | None, loss: float, line: int) -> None:
        if step is not None:
            self._steps = (self._steps[0] if self._steps else step, step)
        if math.isfinite(loss):
            self._first = loss if math.isnan(self._first) else self._first
            self._latest = loss
            if self._count:
                self._gaps = [*self._gaps[-15:], line - self._line]
            self._count += 1
            self._line = line


def _counted(printed: str | None) -> float | None:
    try:
        return float(printed) if printed else None
    except ValueError:
        return None
