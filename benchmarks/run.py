"""Measures errtriage beside other programs and writes what each cost, with the goals.

    run.py [SECTION ...] [--size 1G] [--rounds 3] [--rg PATH] [--folder DIR] [--write FILE]

Sections (all unless some are named; then the tables are printed and no file is written): throughput, files, scaling,
slow, memory, startup, pipe, steps, peers. The other sizes follow from `--size`. A wrong count makes it exit with 1;
times never do, as they depend on the machine: only ratios of programs that took turns say something.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import goals
import make_logs
import peaks
import peers
import pipe
import scaling
import several_files
import slow_paths
import startup
import steps
import throughput
from costs import Bench, Section, in_words, machine

SECTIONS: dict[str, tuple[str, Callable[[Bench], Section]]] = {
    "throughput": ("Throughput", throughput.section),
    "files": ("One file and many", several_files.section),
    "scaling": ("Scaling", scaling.section),
    "slow": ("Slow paths", slow_paths.section),
    "memory": ("Memory", peaks.section),
    "startup": ("Start-up", startup.section),
    "pipe": ("The pipe", pipe.section),
    "steps": ("Where the time goes", steps.section),
    "peers": ("Other programs", peers.section),
}

_MARKS = ("<!-- made by make bench -->", "<!-- end -->")


def main() -> int:
    """Read the command line, measure, and write or print; return the exit status."""
    options = _options()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program has its modules compiled
    options.folder.mkdir(parents=True, exist_ok=True)
    bench = Bench(options.size, options.rounds, options.folder, options.rg)
    target = options.write or (None if options.sections else Path(__file__).with_name("results.md"))
    measured: dict[str, float] = {}
    body: list[str] = []
    wrong: list[str] = []
    for name in options.sections or SECTIONS:
        title, section = SECTIONS[name]
        began = time.perf_counter()
        done = section(bench)
        load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
        print(f"{name}: {time.perf_counter() - began:.0f} s{load}", *done.wrong, sep="\n  ", file=sys.stderr)
        measured.update(done.measured)
        wrong += done.wrong
        body += [f"## {title}", "", *done.lines]
        text = _page(bench, measured, body, wrong)
        if target is not None:
            target.write_text(text, encoding="utf-8")
        if name == "steps" and not options.sections and not options.write:
            _keep_in_docs(done.lines)
    if target is None:
        print(text)
    return 1 if wrong else 0


def _keep_in_docs(steps: Sequence[str]) -> None:
    """Put the profile between its two marks in the documents."""
    path = Path(__file__).parents[1] / "docs" / "speed.md"
    before, rest = path.read_text(encoding="utf-8").split(_MARKS[0])
    after = rest.split(_MARKS[1])[1]
    path.write_text("\n".join([before + _MARKS[0], *steps, _MARKS[1] + after]), encoding="utf-8")


def _page(bench: Bench, measured: dict[str, float], body: list[str], wrong: list[str]) -> str:
    said = f"{in_words(bench.size)}, {bench.rounds} rounds. [docs/speed.md](../docs/speed.md) says how to read it."
    counts = ["Wrong counts:", "", *(f"- {one}" for one in wrong)] if wrong else ["All counts are the generator's."]
    head = ["# Benchmarks", "", f"Made by `make bench`. {machine(bench.rg)}.", said, "", *counts, ""]
    reached = goals.lines(measured)
    return "\n".join([*head, *(["## Goals", *reached] if reached else []), *body]).rstrip() + "\n"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--size", type=make_logs.size_of, default=make_logs.size_of("1G"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rg", default=shutil.which("rg", path=beside))
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "errtriage-benchmarks")
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    if unknown := set(options.sections) - SECTIONS.keys():
        parser.error(f"{', '.join(sorted(unknown))}: not one of {', '.join(SECTIONS)}")
    return options


if __name__ == "__main__":
    sys.exit(main())
