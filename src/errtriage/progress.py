"""Where a run went forward: the lines of its steps and finite metrics, thinned, so that recovery can be judged."""

from __future__ import annotations

import math
from collections.abc import Mapping

from errtriage.model import Event
from errtriage.values import dataclass, field

_KEPT = 2048  # lines kept for each channel before every other one is dropped
_CHANNELS_KEPT = 4096
_RANKS_KEPT = 8192


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One sign of progress: its line, and its step (global where printed, else epoch and step as one number)."""

    line: int
    step: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The signs of progress of one attempt, by source and channel, in the order of their lines."""

    steps: Mapping[tuple[str, str], tuple[Step, ...]] = field(default_factory=dict)
    last_step: int | None = None
    total_steps: int | None = None
    last_checkpoint: int | None = None
    checkpoint_line: int | None = None
    finished: tuple[str, int] | None = None  # source and line where the run says that it is done
    rank_steps: Mapping[int, int] = field(default_factory=dict)  # the last step of each rank that prints its own

    @property
    def seen(self) -> bool:
        """Whether the log shows any progress at all."""
        return bool(self.steps) or self.finished is not None

    def went_on_after(self, source: str, channel: str, line: int) -> bool:
        """Return whether the run went forward both before and after a line, to a later step.

        Both, since a piped Python holds its prints back: what stands only after a traceback may be older than it.
        """
        return any(
            _went_on(steps, line)
            for (where, who), steps in self.steps.items()
            if where == source and (not channel or not who or who == channel)
        )

    def seen_after(self, source: str, line: int) -> bool:
        """Return whether a source shows any step after a line: enough for what the program itself caught and logged."""
        return any(
            one.line > line and one.step is not None
            for (where, _), steps in self.steps.items()
            if where == source
            for one in steps
        )


def _went_on(steps: tuple[Step, ...], line: int) -> bool:
    before = [one.step for one in steps if one.line <= line and one.step is not None]
    after = {one.step for one in steps if one.line > line and one.step is not None}
    # Other ranks still finish the step they are in, and a bar is drawn once more when it closes.
    return bool(before) and sum(step > max(before[-8:]) for step in after) >= 2


class ProgressBook:
    """Collects `progress` and finite `metric` events in bounded memory."""

    def __init__(self) -> None:
        """Start empty."""
        self._steps: dict[tuple[str, str], list[Step]] = {}
        self._stride: dict[tuple[str, str], int] = {}
        self._seen: dict[tuple[str, str], int] = {}
        self._last: dict[str, int | None] = {"step": None, "total": None, "checkpoint": None, "checkpoint_line": None}
        self._finished: tuple[str, int] | None = None
        self._rank_steps: dict[int, int] = {}

    def add(self, event: Event) -> None:
        """Take a `progress` or `metric` event."""
        what = event.fields.get("what", "step")
        step = _number(event.fields.get("step"))
        epoch = _number(event.fields.get("epoch"))
        if what == "finished":
            self._finished = (event.source, event.span.first)
            return
        steps = self._steps.get((event.source, event.channel))
        late = steps is not None and event.span.first < steps[-1].line  # counted, or beside what was, and told later
        if what == "checkpoint":
            self._last["checkpoint"] = int(step) if step is not None else self._last["step"]
            self._last["checkpoint_line"] = event.span.first
        if what not in ("step", "epoch", "checkpoint"):
            return
        if late:
            return
        if event.kind == "metric" and not _is_finite(event.fields.get("value")):
            return
        self._keep(event, _combined(epoch, step))
        if step is not None and what == "step":
            self._last["step"] = int(step)
            if event.rank is not None and (event.rank in self._rank_steps or len(self._rank_steps) < _RANKS_KEPT):
                self._rank_steps[event.rank] = int(step)
            total = _number(event.fields.get("total"))
            self._last["total"] = int(total) if total is not None else self._last["total"]

    def _keep(self, event: Event, step: float | None) -> None:
        key = (event.source, event.channel)
        if key not in self._steps and len(self._steps) >= _CHANNELS_KEPT:
            return
        steps = self._steps.setdefault(key, [])
        seen = self._seen[key] = self._seen.get(key, 0) + 1
        if (seen - 1) % self._stride.setdefault(key, 1) and len(steps) > 1:
            steps[-1] = Step(line=event.span.first, step=step)  # the last one is always kept
            return
        steps.append(Step(line=event.span.first, step=step))
        if len(steps) > _KEPT:
            del steps[1:-1:2]
            self._stride[key] *= 2

    def progress(self) -> Progress:
        """Return what was collected."""
        return Progress(
            steps={key: tuple(steps) for key, steps in self._steps.items()},
            last_step=self._last["step"],
            rank_steps=dict(self._rank_steps),
            total_steps=self._last["total"],
            last_checkpoint=self._last["checkpoint"],
            checkpoint_line=self._last["checkpoint_line"],
            finished=self._finished,
        )


def _combined(epoch: float | None, step: float | None) -> float | None:
    if epoch is None:
        return step
    return epoch * 1e9 + (step or 0.0)  # an epoch outweighs any step inside of it


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text else None
    except ValueError:
        return None
    return value if value is None or abs(value) < 1e15 else None


def _is_finite(text: str | None) -> bool:
    try:
        return text is not None and math.isfinite(float(text))
    except ValueError:
        return False
