"""The logs that are the hardest to read, and logs in other clothes: UTF-16, gzip, zstd."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import make_logs
from costs import (
    ERRTRIAGE,
    LIBRARY_ALONE,
    Bench,
    Program,
    Section,
    cpu_of,
    in_turn,
    in_words,
    median,
    ratio,
    run,
    table,
    warm,
)
from truth import mistakes

HARD = {
    "warnings": "all lines are different warnings",
    "candidates": "all lines hold a word of a fault and match nothing",
    "tracebacks": "short tracebacks, of which no two are alike",
}
_UTF_16 = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read().decode(errors='replace').encode('utf-16'))"


def section(bench: Bench) -> Section:
    """Read each of the hard logs at two sizes, one endless line from a pipe, and a plain log in other clothes."""
    rows: list[list[object]] = []
    wrong: list[str] = []
    for kind, what in HARD.items():
        for size in (bench.size // 1000, bench.size // 100):
            log = bench.log(kind, size)
            programs = {"fast": Program([*ERRTRIAGE, str(log)])}
            programs["library"] = Program([*ERRTRIAGE, str(log)], LIBRARY_ALONE)
            if bench.rg:
                programs["rg"] = Program(bench.searching(log))
            costs = in_turn(programs, 1)
            wrong += [f"{kind}: {one}" for one in mistakes(costs["fast"][0].output, log)]
            bytes_, lines = log.stat().st_size, json.loads(log.with_suffix(".json").read_text())["newlines"]
            fast, library = cpu_of(costs["fast"][0]), cpu_of(costs["library"][0])
            row: list[object] = [what, in_words(bytes_), fast, bytes_ / fast / 1e6, fast / lines * 1e6, library]
            rows.append([*row, ratio(costs["rg"], costs["fast"]) if bench.rg else ""])
    head = ("log", "size", "processor s", "MB/s", "µs a line", "standard library: s", "× rg")
    other = ("log", "processor s", "MB/s of text", "of which unpacking and `wc -l` take")
    return Section([*table(head, rows), *table(other, _clothes(bench))], {}, wrong)


def _clothes(bench: Bench) -> list[list[object]]:
    size = 2 * bench.size
    cost = run(_endless(size))
    name = f"one line of {in_words(size)}, from a pipe"
    rows: list[list[object]] = [[name, cost.cpu, size / cpu_of(cost) / 1e6, ""]]
    log = bench.log("plain", bench.size // 10)
    for name, (target, other) in _packed(log).items():
        warm(target)
        costs = in_turn(
            {"errtriage": Program([*ERRTRIAGE, str(target)]), "other": Program(other)}, min(bench.rounds, 2)
        )
        mine = costs["errtriage"]
        if not mine[-1].output:
            continue  # packed in a way that needs an extra
        speed = log.stat().st_size / median(mine) / 1e6
        share = f"{100 * ratio(costs['other'], mine):.0f} %"
        rows.append([f"plain {in_words(log.stat().st_size)}, {name}", median(mine), speed, share])
    return rows


def _endless(size: int) -> Program:
    maker = [sys.executable, str(make_logs.__file__), "longline", str(size)]
    return Program([*ERRTRIAGE, "-"], source=maker)


def _packed(log: Path) -> dict[str, tuple[Path, list[str]]]:
    """Return a log in other clothes: its path and the command to compare with."""
    utf16 = log.with_suffix(".utf16.log")
    made = {"as it is": (log, ["cat"], ["wc", "-l", str(log)])}
    made["UTF-16"] = (utf16, [sys.executable, "-c", _UTF_16], ["wc", "-l", str(utf16)])
    for program, ending in (("gzip", ".gz"), ("zstd", ".zst")):
        if shutil.which(program):
            target = log.with_suffix(f".log{ending}")
            made[program] = (target, [program, "-c"], ["sh", "-c", f"{program} -dc {target} | wc -l"])
    for target, command, _ in made.values():
        if not target.exists() or target.stat().st_mtime < log.stat().st_mtime:
            with log.open("rb") as source, target.open("wb") as sink:
                subprocess.run(command, stdin=source, stdout=sink, check=True)
    return {name: (target, other) for name, (target, _, other) in made.items()}
