"""The same bytes as one file and as many, read by one process and by as many as there are processors."""

from __future__ import annotations

import os

from costs import ERRTRIAGE, Bench, Program, Section, in_turn, in_words, median, ratio, table, wall_of, warm

FILES = (1, 4, 64)
_MANY = 16  # files that take long, so that one round must do


def section(bench: Bench) -> Section:
    """Compare the wall time of one process with that of as many as errtriage chooses."""
    rows: list[list[object]] = []
    measured = {}
    for files in FILES:
        logs = [bench.log("plain", bench.size // files, seed) for seed in range(files)]
        warm(*logs)
        command = [*ERRTRIAGE, *map(str, logs)]
        programs = {"one": Program(command, {"ERRTRIAGE_WORKERS": "1"}), "all": Program(command)}
        costs = in_turn(programs, min(bench.rounds, 2) if files < _MANY else 1)
        measured[f"gain in {files} files"] = ratio(costs["one"], costs["all"], wall_of)
        walls = [median(those, wall_of) for those in costs.values()]
        processor = [median(those) for those in costs.values()]
        rows.append([files, *walls, measured[f"gain in {files} files"], *processor])
    head = ("files", "one process: wall s", f"on {os.cpu_count()} processors: wall s", "gain")
    return Section(
        [
            f"Plain logs, {in_words(bench.size)} together.",
            *table((*head, "one process: processor s", "several: processor s"), rows),
        ],
        measured,
    )
