"""Fit the score table on logs with known answers, and say how good its confidence is under five-fold cross-validation.

    python benchmarks/calibrate.py [FOLDER OF .log AND .yaml ...]

Reads the first explanation of each log, the terms that earned it its points, and whether it was right. Prints the
Brier score and a table of reliability for the points as they stand and for points fitted without the fold that is
judged, then the points fitted on all. Nothing is written: a person moves the figures to `rank.POINTS`.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from errtriage.rank import BIAS, POINTS
from errtriage.triage import triage

FOLDS = 5
STEPS = 3000
RATE = 0.05
PRIOR = 0.02  # how strongly points are held to where they stand


@dataclass(frozen=True)
class Answer:
    """The first explanation of one log: how much of each term it earned, and whether it was right."""

    name: str
    shares: Mapping[str, float]
    right: bool


def answer(log: Path, known: Mapping[str, object]) -> Answer | None:
    """Return the first answer to a log; None where nothing was said, rightly or not: that earns no confidence."""
    told = triage(log).explanations
    if not told:
        return None
    first = told[0]
    names = {first.id, *(cause.id for cause in first.causes[:1])}
    accept, reject = set(known.get("accept") or ()), set(known.get("reject") or ())  # type: ignore[call-overload]
    shares = {term.name: term.points / POINTS.get(term.name, BIAS) for term in first.terms}
    return Answer(name=log.stem, shares=shares, right=bool(names & accept) and first.id not in reject)


def confidence(shares: Mapping[str, float], points: Mapping[str, float]) -> float:
    """Return the logistic value of the points that were earned."""
    return 1.0 / (1.0 + math.exp(-sum(points[name] * share for name, share in shares.items())))


def fit(answers: Sequence[Answer], start: Mapping[str, float]) -> dict[str, float]:
    """Return points that fit the answers by logistic regression, held to `start`."""
    points = dict(start)
    for _ in range(STEPS):
        slope = {name: PRIOR * (points[name] - start[name]) for name in points}
        for one in answers:
            error = confidence(one.shares, points) - one.right
            for name, share in one.shares.items():
                slope[name] += error * share / len(answers)
        for name in points:
            points[name] -= RATE * slope[name]
    return points


def brier(pairs: Sequence[tuple[float, bool]]) -> float:
    """Return the mean squared distance of confidence from what happened."""
    return sum((said - right) ** 2 for said, right in pairs) / len(pairs)


def reliability(pairs: Sequence[tuple[float, bool]]) -> str:
    """Return, for each band of confidence, how many answers lie in it, what they claim and what they earn."""
    rows = []
    for low, high in ((0.0, 0.5), (0.5, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 1.01)):
        inside = [(said, right) for said, right in pairs if low <= said < high]
        if inside:
            claimed = sum(said for said, _ in inside) / len(inside)
            earned = sum(right for _, right in inside) / len(inside)
            rows.append(
                f"  {low:.2f}–{min(high, 1.0):.2f}  {len(inside):4d} answers  said {claimed:.2f}  right {earned:.2f}"
            )
    return "\n".join(rows)


def main(folders: Sequence[str]) -> None:
    """Print the figures."""
    answers: list[Answer | None] = []
    for folder in folders or [str(Path(__file__).parents[1] / "tests" / "logs")]:
        answers += [
            answer(known.with_suffix(".log"), yaml.safe_load(known.read_text(encoding="utf-8")))
            for known in sorted(Path(folder).rglob("*.yaml"))
            if known.with_suffix(".log").exists()
        ]
    told = [one for one in answers if one is not None]
    start = {**POINTS, "bias": BIAS}
    now = [(confidence(one.shares, start), one.right) for one in told]
    print(f"{len(told)} answers, {sum(one.right for one in told)} right; Brier {brier(now):.4f} as it stands")
    print(reliability(now))
    random.Random(0).shuffle(told)
    judged = []
    for fold in range(FOLDS):
        points = fit([one for number, one in enumerate(told) if number % FOLDS != fold], start)
        judged += [(confidence(one.shares, points), one.right) for one in told[fold::FOLDS]]
    print(f"Brier {brier(judged):.4f} under {FOLDS}-fold cross-validation")
    print(reliability(judged))
    for name, value in fit(told, start).items():
        print(f'    "{name}": {value:.2f},')
    for one in told:
        if not one.right and confidence(one.shares, start) >= 0.9:
            print(f"wrong with {confidence(one.shares, start):.2f}: {one.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
