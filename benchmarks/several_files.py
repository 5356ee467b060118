"""The same bytes as one file and as many, on one processor and on all that there are."""

from __future__ import annotations

import os
import shutil

from costs import ERRTRIAGE, Bench, Program, Section, in_turn, in_words, median, ratio, table, wall_of, warm

FILES = (1, 4, 64)


def section(bench: Bench) -> Section:
    """Compare wall times on one processor (by `taskset`) with those on all."""
    if not shutil.which("taskset"):
        return Section(["`taskset` is missing, so nothing can be held to one processor."])
    rows: list[list[object]] = []
    gain = 0.0
    for files in FILES:
        logs = [bench.log("plain", bench.size // files, seed) for seed in range(files)]
        warm(*logs)
        command = [*ERRTRIAGE, *map(str, logs)]
        programs = {"one": Program(["taskset", "-c", "0", *command]), "all": Program(command)}
        costs = in_turn(programs, min(bench.rounds, 3))
        gain = ratio(costs["one"], costs["all"], wall_of) if files == 1 else gain
        walls = [median(costs[name], wall_of) for name in programs]
        rows.append([files, *walls, ratio(costs["one"], costs["all"], wall_of), median(costs["all"])])
    head = ("files", "wall s on one processor", f"wall s on {os.cpu_count()}", "gain", "processor s")
    return Section([f"Plain logs, {in_words(bench.size)} together.", *table(head, rows)], {"gain of workers": gain})
