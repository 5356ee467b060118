"""Runs programs in turn and says what they cost: what all tables of the benchmarks share.

Other work on a machine only ever adds to these figures, and unevenly: programs that are compared take turns, and their
ratio is the median of the ratios within a round.
"""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path

import make_logs

ERRTRIAGE = (sys.executable, "-m", "errtriage", "explain", "--format", "json")
LIBRARY_ALONE = {
    "ERRTRIAGE_ENGINE": "skeleton"
}  # what an environment adds, so that the standard library's engine reads
_BUG = 3  # errtriage's exit status where it failed itself


@dataclass(frozen=True)
class Program:
    """A command with what its environment adds, the file that it reads, and a command whose output it reads."""

    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    stdin: Path | None = None
    source: Sequence[str] = ()


@dataclass(frozen=True)
class Cost:
    """What one run of a program cost."""

    cpu: float  # seconds, user and system
    wall: float  # seconds
    output: bytes


@dataclass(frozen=True)
class Bench:
    """What the person asked for."""

    size: int  # bytes of a large log
    rounds: int
    folder: Path  # where logs are kept
    rg: str | None  # ripgrep

    def log(self, kind: str, size: int, seed: int = 0) -> Path:
        """Return a log, made unless it is there and no older than its maker; its truth stands beside it as JSON."""
        log = self.folder / f"{kind}-{size}-{seed}.log"
        truth = log.with_suffix(".json")
        if not truth.exists() or truth.stat().st_mtime < Path(make_logs.__file__).stat().st_mtime:
            maker = [sys.executable, str(make_logs.__file__), kind, str(size), "--seed", str(seed), "-o", str(log)]
            subprocess.run([*maker, "--truth", str(truth)], check=True)
        return log

    def literals(self) -> Path:
        """Return a file with what errtriage looks for, one literal a line, as ripgrep reads it."""
        return _literals(self.folder / "literals.txt")

    def searching(self, *logs: Path) -> list[str]:
        """Return ripgrep's command that counts the lines which hold a literal."""
        return [self.rg or "rg", "-a", "-c", "-F", "-f", str(self.literals()), *map(str, logs)]


@dataclass(frozen=True)
class Section:
    """What one section says: its lines of Markdown, the figures that goals are about, and counts that are wrong."""

    lines: Sequence[str]
    measured: Mapping[str, float] = field(default_factory=dict)
    wrong: Sequence[str] = ()


@cache
def _literals(path: Path) -> Path:
    command = [sys.executable, "-m", "errtriage", "kb", "literals"]
    path.write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
    return path


def run(program: Program) -> Cost:
    """Run a program and return its cost. Its output goes to a file, as to /dev/null some stop early; cat's does not."""
    with tempfile.TemporaryFile() as output:
        target = subprocess.DEVNULL if program.command[0] in {"cat", "tee"} else output
        stdin = program.stdin.open("rb") if program.stdin else None
        source = subprocess.Popen(program.source, stdout=subprocess.PIPE) if program.source else None
        environment = {**os.environ, "LC_ALL": "C", **program.environment}
        began = time.perf_counter()
        child = subprocess.Popen(
            program.command, stdin=source.stdout if source else stdin, stdout=target, env=environment
        )
        if source and source.stdout:
            source.stdout.close()
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        if source:
            source.wait()
        if stdin:
            stdin.close()
        output.seek(0)
        if child.returncode < 0 or child.returncode == _BUG:
            raise SystemExit(f"{' '.join(program.command)} ended with {child.returncode}")
        return Cost(usage.ru_utime + usage.ru_stime, wall, output.read())


def in_turn(programs: Mapping[str, Program], rounds: int) -> dict[str, list[Cost]]:
    """Run all programs so many times in turn and return their costs."""
    costs: dict[str, list[Cost]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, program in programs.items():
            costs[name].append(run(program))
    return costs


def cpu_of(cost: Cost) -> float:
    """Return the processor time in seconds, never 0."""
    return max(cost.cpu, 1e-4)


def wall_of(cost: Cost) -> float:
    """Return the wall time in seconds."""
    return cost.wall


def median(costs: Sequence[Cost], what: Callable[[Cost], float] = cpu_of) -> float:
    """Return the median of a figure over all rounds."""
    return statistics.median(map(what, costs))


def ratio(over: Sequence[Cost], under: Sequence[Cost], what: Callable[[Cost], float] = cpu_of) -> float:
    """Return how many times more the first ones cost: the median over the rounds."""
    return statistics.median(what(one) / what(other) for one, other in zip(over, under, strict=True))


def warm(*logs: Path) -> None:
    """Read files once, so that they lie in memory."""
    for log in logs:
        run(Program(["cat", str(log)]))


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """Return a table in Markdown, floats with three digits that count."""
    lines = [head, ["---"] * len(head), *rows]
    return ["", *("| " + " | ".join(map(_cell, cells)) + " |" for cells in lines), ""]


def _cell(value: object) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}" if value >= 1 else f"{value:.2g}"


def in_words(size: float) -> str:
    """Return a size in words."""
    unit, name = next(((unit, name) for unit, name in ((1e9, "GB"), (1e6, "MB")) if size >= unit), (1e3, "kB"))
    return f"{size / unit:.3g} {name}"


def machine(rg: str | None) -> str:
    """Return one line that says where and with what the figures were taken."""
    versions = []
    for name in ("errtriage", "hyperscan", "stringzilla"):
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            versions.append(f"no {name}")
    for program in (rg, shutil.which("lnav")):
        if program:
            said = subprocess.run([program, "--version"], capture_output=True, check=False, text=True).stdout
            versions += [said.splitlines()[0].partition(" (")[0]] if said else []
    python = f"{platform.python_implementation()} {platform.python_version()}"
    load = f", load {os.getloadavg()[0]:.1f} at the end" if hasattr(os, "getloadavg") else ""
    where = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors{load}"
    return f"{where}, {python}, {', '.join(versions)}"
