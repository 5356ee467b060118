"""The pipe beside `cat`, `tee` and ripgrep: how fast it passes a stream on, and how much it delays a line or a bar."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from costs import Bench, Cost, Section, cpu_of, in_words, median, ratio, table, wall_of, warm

KINDS = {"plain": 1, "tqdm": 5, "spam": 5}  # each with what the size is divided by
_PUMP = """
from errtriage.live.outlet import Outlet
from errtriage.live.pump import Pump
from errtriage.live.signal_policy import Signals

class Nobody:
    wants = answers_on = None
    def feed(self, data): pass
    flush = close = take = lambda self: None

with Signals() as signals:
    Pump({0: Outlet(1)}, signals=signals, analyser=Nobody()).run()
"""
PROGRAMS: dict[str, list[str]] = {
    "cat": ["cat"],
    "tee": ["tee", os.devnull],
    "passed on": [sys.executable, "-c", _PUMP],
    "errtriage": [sys.executable, "-m", "errtriage"],
}
_LINE, _BAR = b"step 120 loss 0.4312 lr 1e-4 tokens/s 51234\n", b"\r 41%|####      | 41/100 [00:41<00:59]"
_PAUSE = 0.002  # seconds between two lines, so that each is a write and a read of its own
_TIMES = 100  # times the rounds: so many lines are delayed


def section(bench: Bench) -> Section:
    """Measure throughput and delay. `passed on` is errtriage's pump without an analyser, `errtriage` the whole."""
    lines, measured = _throughput(bench)
    rows: list[list[object]] = []
    middles = {}
    for name, command in PROGRAMS.items():
        row: list[object] = [name]
        for piece in (_LINE, _BAR):
            taken = delays(command, piece, _TIMES * bench.rounds)
            middles[name, piece] = statistics.median(taken) * 1e6
            row += [middles[name, piece], taken[len(taken) * 99 // 100] * 1e6]
        rows.append(row)
    added = max(middles["errtriage", piece] - middles["cat", piece] for piece in (_LINE, _BAR))
    head = ("delay in µs", "a line: median", "99 of 100", "a `\\r` bar: median", "99 of 100")
    return Section([*lines, *table(head, rows)], {**measured, "added delay, ms": max(added, 0.0) / 1000})


def _throughput(bench: Bench) -> tuple[list[str], dict[str, float]]:
    rows: list[list[object]] = []
    measured = {}
    for kind, part in KINDS.items():
        log = bench.log(kind, bench.size // part)
        warm(log)
        programs = {**PROGRAMS, **({"rg -F, which passes nothing on": bench.searching()} if bench.rg else {})}
        costs: dict[str, list[Cost]] = {name: [] for name in programs}
        for _ in range(bench.rounds):
            for name, command in programs.items():
                costs[name].append(through(command, log))
        for name, those in costs.items():
            speeds = [log.stat().st_size / median(those, what) / 1e6 for what in (cpu_of, wall_of)]
            rows.append([f"{kind} {in_words(log.stat().st_size)}", name, *speeds, ratio(costs["cat"], those, wall_of)])
        if kind == "plain":
            measured["passed on over cat"] = ratio(costs["cat"], costs["passed on"], wall_of)
            if bench.rg:
                measured["pipe over rg"] = ratio(costs["rg -F, which passes nothing on"], costs["errtriage"])
    head = ("log", "program", "MB/s of processor", "MB/s of wall", "wall speed × cat")
    return table(head, rows), measured


def through(command: Sequence[str], log: Path) -> Cost:
    """Send a log through a program between two pipes; return its cost."""
    with subprocess.Popen(["cat", str(log)], stdout=subprocess.PIPE) as source:
        began = time.perf_counter()
        program = subprocess.Popen(command, stdin=source.stdout, stdout=subprocess.PIPE)
        with subprocess.Popen(["cat"], stdin=program.stdout, stdout=subprocess.DEVNULL):
            for pipe in (source.stdout, program.stdout):
                if pipe is not None:
                    pipe.close()
            _, _, usage = os.wait4(program.pid, 0)
            wall = time.perf_counter() - began
            program.returncode = 0
    return Cost(usage.ru_utime + usage.ru_stime, wall, b"")


def delays(command: Sequence[str], piece: bytes, times: int) -> list[float]:
    """Return the seconds between writing a piece into a program and reading it from it, sorted."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        source, target = program.stdin, program.stdout
        if source is None or target is None:
            return []
        taken = []
        for number in range(times + 20):
            began = time.perf_counter()
            os.write(source.fileno(), piece)
            left = len(piece)
            while left:
                left -= len(os.read(target.fileno(), left))
            if number >= 20:  # the first ones pay for the start
                taken.append(time.perf_counter() - began)
            time.sleep(_PAUSE)
        source.close()
        target.read()
    return sorted(taken)
