"""How the cost grows: with the size of the log it must, with the number of entries of knowledge it must not."""

from __future__ import annotations

import sys

from costs import Bench, Program, Section, in_turn, in_words, median, ratio, table, warm
from make_entries import make_entries

_EXPLAIN = """
import sys
from pathlib import Path
from errtriage import triage
from errtriage.knowledge import load_knowledge
log, *folders = map(Path, sys.argv[1:])
knowledge = load_knowledge(folders, builtin=not folders)
assert not knowledge.problems and len(knowledge.ids) >= 10
triage(log, knowledge=knowledge)
"""
ENTRIES = (10, 100, 1000)


def section(bench: Bench) -> Section:
    """Explain plain logs of three sizes with 10, 100 and 1,000 made-up entries alone, and with the built-in ones."""
    names = [f"{count:,} made-up" for count in ENTRIES]
    folders = [make_entries(count, bench.folder / f"entries-{count}") for count in ENTRIES]
    costs = {}
    sizes = [bench.size // 100, bench.size // 10, bench.size]
    for size in sizes:
        log = bench.log("plain", size)
        warm(log)
        programs = {
            name: _program(bench, str(log), str(folder)) for name, folder in zip(names, folders, strict=True)
        } | {"built-in": _program(bench, str(log))}
        if size == sizes[0]:
            in_turn(programs, 1)  # fills the caches
        costs[size] = in_turn(programs, min(bench.rounds, 2))
    rows = [
        [
            name,
            *(median(costs[size][name]) for size in sizes),
            ratio(costs[sizes[-1]][name], costs[sizes[-1]][names[0]]),
        ]
        for name in [*names, "built-in"]
    ]
    measured = {"1,000 entries over 10": ratio(costs[sizes[-1]][names[-1]], costs[sizes[-1]][names[0]])}
    head = ["entries", *(f"{in_words(size)}: processor s" for size in sizes), "largest, × 10 entries"]
    text = "Plain logs, knowledge from the cache. The engine's own patterns are there in each row."
    return Section([text, *table(head, rows)], measured)


def _program(bench: Bench, *arguments: str) -> Program:
    cache = {"XDG_CACHE_HOME": str(bench.folder / "cache")}
    return Program([sys.executable, "-c", _EXPLAIN, *arguments], cache)
