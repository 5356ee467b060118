"""Runs errtriage beside `cat`, `wc -l` and ripgrep on made-up logs, in turn, and writes what each cost.

    run.py [--kinds plain,spam,tqdm,text] [--size 1G] [--rounds 5] [--rg PATH] [--folder DIR] [--write FILE]

What counts is the processor time of whole processes and its ratio to ripgrep looking for the same literals: the best of
all rounds, as other work on a machine only ever adds. errtriage's counts must be those of the generator's truth.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import make_logs

KINDS = ("plain", "spam", "tqdm", "text", "woven")
SLOW_SIZE = 20_000_000  # bytes of a log of one of the slow paths
SLOW = ("warnings", "candidates", "tracebacks", "longline")
# In programs of their own, as the memory of this one would count as that of those it starts.
_LITERALS = """
import sys
from errtriage.knowledge import load_knowledge
from errtriage.triage import wanted
looked_for = wanted(load_knowledge())
sys.stdout.buffer.write(b"".join(one + b"\\n" for one in sorted(looked_for.literals | looked_for.latest)))
"""
_ERRTRIAGE = (sys.executable, "-m", "errtriage", "explain", "--format", "json")


@dataclass(frozen=True)
class Cost:
    """What one run of a program cost."""

    cpu: float  # seconds, user and system
    wall: float  # seconds
    peak: float  # MiB of memory at most, mapped files included
    output: bytes


def run(command: Sequence[str], environment: Mapping[str, str]) -> Cost:
    """Run a program and return its cost. Its output goes to a file, as to /dev/null some stop early; cat's does not."""
    with tempfile.TemporaryFile() as output:
        began = time.perf_counter()
        target = subprocess.DEVNULL if command[0] == "cat" else output
        program = subprocess.Popen(command, stdout=target, env={**os.environ, "LC_ALL": "C", **environment})
        _, status, usage = os.wait4(program.pid, 0)
        wall = time.perf_counter() - began
        program.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        peak = usage.ru_maxrss / (1024 if sys.platform == "linux" else 1024 * 1024)
        return Cost(usage.ru_utime + usage.ru_stime, wall, peak, output.read())


def literals(folder: Path) -> Path:
    """Write the literals that pick lines, one a line, for ripgrep; those of numbers are not among them."""
    path = folder / "literals.txt"
    path.write_bytes(subprocess.run([sys.executable, "-c", _LITERALS], capture_output=True, check=True).stdout)
    return path


def log_of(kind: str, size: int, folder: Path) -> tuple[Path, Path]:
    """Return a log and its truth, made unless they are there."""
    log, truth = folder / f"{kind}-{size}.log", folder / f"{kind}-{size}.json"
    if not (log.exists() and truth.exists()):
        print(f"making {log}", file=sys.stderr)
        maker = [sys.executable, str(make_logs.__file__), kind, str(size), "-o", str(log), "--truth", str(truth)]
        subprocess.run(maker, check=True)
    return log, truth


def mistakes(report: bytes, truth: Mapping[str, object]) -> list[str]:
    """Return what a report says otherwise than the truth: lines, and the assertions with their ranges."""
    if not report:
        return ["no report"]
    found = json.loads(report)
    wrong = []
    if found["sources"][0]["lines"] != truth["newlines"]:
        wrong.append(f"{found['sources'][0]['lines']} lines, not {truth['newlines']}")
    evidence = [one for explanation in found["explanations"] for one in explanation["evidence"]]
    asserts = truth["asserts"]
    assert isinstance(asserts, dict)
    for condition, told in asserts.items():
        same = [one for one in evidence if condition in one["text"]]
        lines = sum({(one["line"], one["text"]): one["count"] for one in same}.values())
        if lines != told["lines"]:
            wrong.append(f"{condition}: {lines} lines, not {told['lines']}")
        elif (min(one["line"] for one in same), max(one["last_line"] for one in same)) != (told["first"], told["last"]):
            wrong.append(f"{condition}: not from line {told['first']} to {told['last']}")
    return wrong


def programs(log: Path, rg: str | None, patterns: Path) -> dict[str, tuple[list[str], dict[str, str]]]:
    """Return the commands that take turns on a log, with what their environment adds."""
    made: dict[str, tuple[list[str], dict[str, str]]] = {
        "cat": (["cat", str(log)], {}),
        "wc -l": (["wc", "-l", str(log)], {}),
    }
    if rg:
        made["rg -F"] = ([rg, "-a", "-c", "-F", "-f", str(patterns), str(log)], {})
    made["errtriage"] = ([*_ERRTRIAGE, str(log)], {"ERRTRIAGE_ENGINE": "auto"})
    made["errtriage, standard library"] = ([*_ERRTRIAGE, str(log)], {"ERRTRIAGE_ENGINE": "skeleton"})
    return made


def compared(kind: str, size: int, options: argparse.Namespace, patterns: Path) -> list[str]:
    """Return the rows of one kind of log."""
    log, truth = log_of(kind, size, options.folder)
    costs: dict[str, list[Cost]] = {}
    for _ in range(options.rounds):
        for name, (command, environment) in programs(log, options.rg, patterns).items():
            costs.setdefault(name, []).append(run(command, environment))
    base = min(cost.cpu for cost in costs["rg -F"]) if "rg -F" in costs else None
    rows = []
    for name, those in costs.items():
        cpu = min(cost.cpu for cost in those)
        ratio = f"{base / cpu:.2f}" if base else ""
        wrong = mistakes(those[-1].output, json.loads(truth.read_text())) if name.startswith("errtriage") else []
        peak = "" if name == "rg -F" else f"{max(cost.peak for cost in those):.0f}"
        wall = statistics.median(cost.wall for cost in those)
        speed = log.stat().st_size / cpu / 1e6
        rows.append(
            f"| {kind} | {name} | {cpu:.2f} | {wall:.2f} | {speed:,.0f} | {ratio} | {peak} | {'; '.join(wrong)} |"
        )
        print(rows[-1], file=sys.stderr)
    return rows


def packed(log: Path) -> dict[str, tuple[Path, list[str]]]:
    """Return a log in other clothes: its path and the command to compare with."""
    utf16 = log.with_suffix(".utf16.log")
    recode = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read().decode(errors='replace').encode('utf-16'))"
    made = {"UTF-16": (utf16, [sys.executable, "-c", recode], ["wc", "-l", str(utf16)])}
    for program, ending in (("gzip", ".gz"), ("zstd", ".zst")):
        if shutil.which(program):
            target = log.with_suffix(f".log{ending}")
            made[program] = (target, [program, "-c"], ["sh", "-c", f"{program} -dc {target} | wc -l"])
    for target, command, _ in made.values():
        with log.open("rb") as source, target.open("wb") as sink:
            subprocess.run(command, stdin=source, stdout=sink, check=True)
    return {name: (target, other) for name, (target, _, other) in made.items()}


def slow_paths(folder: Path) -> list[str]:
    """Return the rows of the logs that are the hardest to read."""
    rows = []
    for kind in SLOW:
        log, _ = log_of(kind, SLOW_SIZE, folder)
        cost = run([*_ERRTRIAGE, str(log)], {})
        rows.append(f"| {kind} | {cost.cpu:.2f} | {log.stat().st_size / cost.cpu / 1e6:.1f} | {cost.peak:.0f} | |")
    log, _ = log_of("plain", SLOW_SIZE, folder)
    for name, (target, other) in packed(log).items():
        cost, reference = run([*_ERRTRIAGE, str(target)], {}), run(other, {})
        if not cost.output:
            continue  # packed in a way that needs an extra
        beside = f"{cost.cpu / max(reference.cpu, 0.001):.1f} × {' '.join(other[-1:])[-40:]}"
        rows.append(
            f"| {name} | {cost.cpu:.2f} | {log.stat().st_size / cost.cpu / 1e6:.1f} | {cost.peak:.0f} | {beside} |"
        )
    return rows


def memory(sizes: Sequence[str]) -> list[str]:
    """Return the rows of peak memory by size, each log streamed from the generator."""
    rows = []
    for size in sizes:
        maker = [sys.executable, make_logs.__file__, "plain", size]
        with subprocess.Popen(maker, stdout=subprocess.PIPE) as source:
            program = subprocess.Popen([*_ERRTRIAGE, "-"], stdin=source.stdout, stdout=subprocess.DEVNULL)
            _, _, usage = os.wait4(program.pid, 0)
            program.returncode = 0
        rows.append(f"| {size} | {usage.ru_maxrss / 1024:.0f} |")
    return rows


def machine() -> str:
    """Return one line that says where and with what the figures were taken."""
    names = ("errtriage", "hyperscan", "stringzilla")
    versions = []
    for name in names:
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            versions.append(f"no {name}")
    python = f"{platform.python_implementation()} {platform.python_version()}"
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    where = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors, {load}"
    return f"{where}, {python}, {', '.join(versions)}"


def main() -> None:
    """Read the command line, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--size", type=make_logs.size_of, default=make_logs.size_of("100M"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rg", default=shutil.which("rg"))
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "errtriage-benchmarks")
    parser.add_argument("--memory", default="1M,10M,100M", help="sizes of which the peak memory is taken")
    parser.add_argument("--write", type=Path, default=Path(__file__).parent / "results.md")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    patterns = literals(options.folder)
    lines = [
        "# Benchmarks",
        "",
        f"{machine()}. Best of {options.rounds} rounds in turn, {options.size / 1e6:,.0f} MB each.",
        "",
    ]
    lines += [
        "| log | program | processor s | wall s | MB/s | × rg | peak MiB | not as made |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for kind in options.kinds.split(","):
        lines += compared(kind, options.size, options, patterns)
    lines += ["", f"Slow paths, {SLOW_SIZE / 1e6:.0f} MB each:", "", "| log | processor s | MB/s | peak MiB | beside |"]
    lines += ["|---|---|---|---|---|", *slow_paths(options.folder)]
    lines += [
        "",
        "Peak memory of plain logs, streamed:",
        "",
        "| size | peak MiB |",
        "|---|---|",
        *memory(options.memory.split(",")),
    ]
    options.write.write_text("\n".join([*lines, ""]))
    print(options.write)


if __name__ == "__main__":
    main()
