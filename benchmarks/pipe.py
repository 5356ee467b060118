"""The pipe beside `cat` and `tee`: processor time and wall time of a stream, and the delay of a line and of a bar.

    pipe.py [FILE]... [--repeat N] [--lines N]     FILE: logs of make_logs.py; one of 200 MB is made where none is given

Programs take turns, so that only their ratios count. `passed on` is errtriage's pump without an analyser, `errtriage`
is the whole. The goals: passed on at 0.9 of cat's speed or more; a line no more than 1 ms later than through cat.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

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
_PAUSE = 0.002  # seconds between two lines, so that each is a write and a read of its own


def through(command: Sequence[str], log: Path) -> tuple[float, float]:
    """Send a log through a program between two pipes; return its processor and wall time in seconds."""
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
    return usage.ru_utime + usage.ru_stime, wall


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


def print_throughput(log: Path, repeat: int) -> None:
    """Print a table of the best of some rounds."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in PROGRAMS}
    for _ in range(repeat):
        for name, command in PROGRAMS.items():
            taken[name].append(through(command, log))
    megabytes = log.stat().st_size / 1e6
    best = {name: (min(cpu for cpu, _ in rows), min(wall for _, wall in rows)) for name, rows in taken.items()}
    print(f"\n{log.name}, {megabytes:,.0f} MB      MB/s of processor   of wall   wall speed against cat")
    for name, (cpu, wall) in best.items():
        print(f"  {name:<12}{megabytes / cpu:>26,.0f}{megabytes / wall:>10,.0f}{best['cat'][1] / wall:>20.2f}")


def print_delays(times: int) -> None:
    """Print the median and the 99th percentile of the delay of a line and of a state of a bar."""
    print("\ndelay in µs: median, 99th percentile        a line                a bar")
    for name, command in PROGRAMS.items():
        cells = []
        for piece in (b"step 120 loss 0.4312 lr 1e-4 tokens/s 51234\n", b"\r 41%|####      | 41/100 [00:41<00:59]"):
            taken = delays(command, piece, times)
            cells.append(f"{statistics.median(taken) * 1e6:>10.0f}{taken[len(taken) * 99 // 100] * 1e6:>10.0f}")
        print(f"  {name:<34}{'  '.join(cells)}")


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="*", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--lines", type=int, default=500)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        logs = options.logs
        if not logs:
            logs = [Path(folder) / "plain.log"]
            maker = Path(__file__).with_name("make_logs.py")
            subprocess.run([sys.executable, str(maker), "plain", "200M", "-o", str(logs[0])], check=True)
        for log in logs:
            print_throughput(log, options.repeat)
    print_delays(options.lines)


if __name__ == "__main__":
    main()
