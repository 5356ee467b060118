"""Where the time goes, step by step, and what reading, counting lines and the engine cost by themselves."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import profile_steps
from costs import Bench, Program, Section, in_turn, in_words, median, run, table, warm

KINDS = {"plain": 1, "spam": 1, "tqdm": 1, "text": 10, "warnings": 200}  # each with what the size is divided by
_ALONE = """
import sys
from pathlib import Path
stage, path = sys.argv[1:]
look = len
if stage == "newlines":
    from errtriage.sources import count_newlines as look
if stage == "engine":
    from errtriage.knowledge import load_knowledge
    from errtriage.scan.engines import engine
    from errtriage.triage import wanted
    look = engine(wanted(load_knowledge()), Path(path).stat().st_size).find
with open(path, "rb", buffering=0) as file:
    while window := file.read(256 * 1024):
        look(window)
"""
ALONE = {
    "`cat`": ["cat"],
    "`wc -l`": ["wc", "-l"],
    "Python that reads": [sys.executable, "-c", _ALONE, "read"],
    "Python that reads and counts newlines": [sys.executable, "-c", _ALONE, "newlines"],
    "Python that reads and runs the engine": [sys.executable, "-c", _ALONE, "engine"],
}


def section(bench: Bench) -> Section:
    """Profile kinds of logs, and run on each the programs that do no more than a part of the work."""
    logs = {kind: bench.log(kind, bench.size // part) for kind, part in KINDS.items()}
    head = ["milliseconds", *(f"{kind} {in_words(log.stat().st_size)}" for kind, log in logs.items())]
    rounds = min(bench.rounds, 2)
    profiles = {kind: _profile(log) for kind, log in logs.items()}
    names = [profile_steps.STARTED, *(step for step, _ in profile_steps.STEPS), profile_steps.REST, "all"]
    rows = [[name, *(f"{1000 * profiles[kind].get(name, 0):,.0f}" for kind in KINDS)] for name in names]
    alone: dict[str, list[str]] = {name: [name] for name in ALONE}
    for log in logs.values():
        warm(log)
        costs = in_turn({name: Program([*command, str(log)]) for name, command in ALONE.items()}, rounds)
        for name, those in costs.items():
            alone[name].append(f"{1000 * median(those):,.0f}")
    text = "Processor time by step; below, programs that do no more than a part of it."
    return Section([text, *table(head, rows), *table(head, list(alone.values()))])


def _profile(log: Path) -> dict[str, float]:
    told: dict[str, float] = json.loads(run(Program([sys.executable, str(profile_steps.__file__), str(log)])).output)
    return told
