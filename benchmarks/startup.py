"""Measures how long errtriage takes to start, beside a Python that does nothing: ratios of processor time.

    startup.py [--rounds 21]

Goals: `--version` at most 1.5 times `python -c pass`; `explain` of a small log at most 2.5 times (plain and json), and
8 times (terminal).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

import make_logs
from run import run

SMALL = 150_000  # bytes of the small log


def commands(log: Path) -> dict[str, list[str]]:
    """Return what is measured; the first one is what the others are compared with."""
    errtriage = [sys.executable, "-m", "errtriage"]
    script = Path(sys.executable).with_name("errtriage")
    made = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "errtriage --version": [str(script) if script.exists() else "errtriage", "--version"],
    }
    for name in ("plain", "json", "terminal"):
        made[f"errtriage explain small.log --format {name}"] = [*errtriage, "explain", str(log), "--format", name]
    return made


def main() -> None:
    """Read the command line, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=21)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "small.log"
        make_logs.make("plain", SMALL, log)
        taken: dict[str, list[float]] = {}
        for _ in range(rounds):
            for name, command in commands(log).items():
                taken.setdefault(name, []).append(run(command, {}).cpu)
    base = statistics.median(taken["python -c pass"])
    for name, those in taken.items():
        print(f"{statistics.median(those) * 1000:7.1f} ms  {statistics.median(those) / base:5.2f} ×  {name}")


if __name__ == "__main__":
    main()
