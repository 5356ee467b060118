"""The goals for speed and memory, and how far each one is reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from costs import table


@dataclass(frozen=True)
class Goal:
    """A figure that some section measures: what it must be and what would be excellent."""

    says: str
    figure: str
    must: float
    edge: float
    less: bool = False  # whether less is better

    def bound(self) -> str:
        """Return what it must be."""
        return f"{'≤' if self.less else '≥'} {self.must:g}"

    def reached(self, value: float) -> str:
        """Return how far a value reaches."""
        for name, bound in (("excellent", self.edge), ("yes", self.must)):
            if value <= bound if self.less else value >= bound:
                return name
        return "no"


GOALS = (
    Goal("plain, × ripgrep with the same literals", "plain, errtriage", 2.0, 3.1),
    Goal("`\\r` bars, × ripgrep", "tqdm, errtriage", 1.1, 1.4),
    Goal("spam, with exact counts and ranges, × ripgrep", "spam, errtriage", 0.75, 0.93),
    Goal("plain, standard library alone, × ripgrep", "plain, errtriage, standard library", 0.6, 0.74),
    Goal("text of which no line repeats, × ripgrep", "text, errtriage", 1.2, 1.75),
    Goal("the same, standard library alone, × ripgrep", "text, errtriage, standard library", 0.08, 0.11),
    Goal("64 ranks woven, × the time of plain", "woven over plain", 1.5, 1.5, less=True),
    Goal("two processors on one large file, wall, × one", "gain in 1 files", 1.6, 1.78),
    Goal("two processors on four files, wall, × one", "gain in 4 files", 1.6, 1.78),
    Goal("1,000 entries of knowledge, × the time of 10", "1,000 entries over 10", 1.1, 1.02, less=True),
    Goal("peak memory of any kind and size, MiB", "peak MiB", 60, 25, less=True),
    Goal("`--version`, × `python -c pass`", "--version", 1.5, 1.0, less=True),
    Goal("`explain small.log`, plain, × `python -c pass`", "plain", 2.5, 1.3, less=True),
    Goal("the same, json", "json", 2.5, 1.3, less=True),
    Goal("the same, terminal", "terminal", 8, 5, less=True),
    Goal("pipe that passes on alone, wall speed × cat", "passed on over cat", 0.9, 1.25),
    Goal("pipe that explains, plain, × ripgrep", "pipe over rg", 1.5, 2.1),
    Goal("added delay of a line or bar, ms", "added delay, ms", 1.0, 0.05, less=True),
)


def lines(measured: Mapping[str, float]) -> list[str]:
    """Return the table of the goals that something was measured for."""
    rows: list[list[object]] = [
        [goal.says, goal.bound(), f"{goal.edge:g}", measured[goal.figure], goal.reached(measured[goal.figure])]
        for goal in GOALS
        if goal.figure in measured
    ]
    return table(("goal", "must be", "excellent", "is", "reached"), rows) if rows else []
