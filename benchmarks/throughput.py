"""errtriage beside `cat`, `wc -l`, `tee` and ripgrep on large logs."""

from __future__ import annotations

import os

from costs import (
    ERRTRIAGE,
    LIBRARY_ALONE,
    Bench,
    Program,
    Section,
    in_turn,
    in_words,
    median,
    ratio,
    table,
    wall_of,
    warm,
)
from truth import mistakes

KINDS = {"plain": 1, "spam": 1, "tqdm": 1, "text": 10, "woven": 1}  # each with what the size is divided by
HEAD = ("log", "program", "processor s", "MB/s", "wall s", "× rg", "of the best", "not as made")


def section(bench: Bench) -> Section:
    """Compare all kinds of logs. Ratios are ripgrep's processor time over the program's."""
    rows: list[list[object]] = []
    measured: dict[str, float] = {}
    wrong: list[str] = []
    speeds: dict[tuple[str, str], float] = {}
    for kind, part in KINDS.items():
        log = bench.log(kind, bench.size // part)
        warm(log)
        costs = in_turn(_programs(bench, kind, part), bench.rounds)
        for name, those in costs.items():
            said = mistakes(those[-1].output, log) if name.startswith("errtriage") else []
            wrong += [f"{kind}, {name}: {one}" for one in said]
            speeds[kind, name] = log.stat().st_size / median(those) / 1e6
            row: list[object] = [f"{kind} {in_words(log.stat().st_size)}", name, median(those), speeds[kind, name]]
            row += [median(those, wall_of)]
            if "rg -F" in costs:
                measured[f"{kind}, {name}"] = ratio(costs["rg -F"], those)
                best = min(cost.cpu for cost in costs["rg -F"]) / max(1e-4, min(cost.cpu for cost in those))
                row += [measured[f"{kind}, {name}"], best]
            else:
                row += ["", ""]
            rows.append([*row, "; ".join(said)[:200]])
    measured["woven over plain"] = speeds["plain", "errtriage"] / speeds["woven", "errtriage"]
    text = "Medians of rounds in turn. `× rg`: ripgrep's processor time over the program's, within a round."
    return Section([text, *table(HEAD, rows)], measured, wrong)


def _programs(bench: Bench, kind: str, part: int) -> dict[str, Program]:
    log = bench.log(kind, bench.size // part)
    made = {
        "cat": Program(["cat", str(log)]),
        "tee": Program(["tee", os.devnull], stdin=log),
        "wc -l": Program(["wc", "-l", str(log)]),
    }
    if bench.rg:
        made["rg -F"] = Program(bench.searching(log))
    made["errtriage"] = Program([*ERRTRIAGE, str(log)])
    made["errtriage, standard library"] = Program([*ERRTRIAGE, str(log)], LIBRARY_ALONE)
    return made
