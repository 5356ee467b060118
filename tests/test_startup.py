"""What a small log may import: a budget of modules, as the time itself differs from machine to machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[1] / "examples" / "overflow-then-assert.log"
HEALTHY = "Epoch 1 step 10 loss 2.31\nEpoch 1 step 20 loss 2.11\ndone\n"
# Runs a command, then tells the modules that it imported beyond a few light ones of the standard library.
CHILD = """
import __future__, collections, functools, gc, heapq, io, itertools, marshal, operator, sys, unicodedata, zlib
before = set(sys.modules)
from errtriage.cli import run
run(sys.argv[1:])
sys.stdout.flush()
sys.stderr.write("\\n".join(sorted(set(sys.modules) - before)))
"""
# Each of them costs at least a tenth of what a bare interpreter takes to start.
HEAVY = {
    "asyncio", "click", "contextlib", "ctypes", "dataclasses", "datetime", "decimal", "enum", "hashlib", "hyperscan",
    "importlib.metadata", "inspect", "ipaddress", "json", "logging", "pathlib", "random", "re", "rich", "shutil",
    "socket", "statistics", "stringzilla", "subprocess", "tempfile", "traceback", "typer", "typing", "urllib.parse",
    "yaml",
}  # fmt: skip
# Parts of errtriage that a small log has no use for.
IDLE = {
    "bot", "cli.app", "cli.pipe", "flight_recorder", "hyperscan_engine", "inprocess", "knowledge_checks",
    "knowledge_files", "knowledge_translations", "literals", "live", "redact", "regex_tree", "render.html",
    "render.json", "render.markdown", "render.terminal", "source_check.check", "source_check.flow",
    "source_check.project", "sources.json_places", "sources.notebooks", "sources.surroundings",
}  # fmt: skip


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a person who has explained a failed and a healthy log before."""
    made = {**os.environ, "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache")), "LC_ALL": "C.UTF-8"}
    for name in ("ERRTRIAGE_KNOWLEDGE", "ERRTRIAGE_LANG", "ERRTRIAGE_ENGINE", "FORCE_COLOR"):
        made.pop(name, None)
    healthy = tmp_path_factory.mktemp("logs") / "healthy.log"
    healthy.write_text(HEALTHY, encoding="utf-8")
    imported(made, "explain", str(EXAMPLE))
    imported(made, "explain", str(healthy))
    return made


def imported(environment: dict[str, str], *arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", CHILD, *arguments], env=environment, capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def test_a_plain_report_imports_nothing_heavy(environment: dict[str, str]) -> None:
    """A failed run is explained without the heavy modules of others and without the idle ones of ours."""
    names = imported(environment, "explain", str(EXAMPLE), "--format", "plain")
    assert "errtriage.render.plain" in names
    assert names & HEAVY == set()
    assert names & {f"errtriage.{name}" for name in IDLE} == set()


def test_a_healthy_log_does_not_even_ask_for_the_source(environment: dict[str, str], tmp_path: Path) -> None:
    """A log without a fault is read without what links, ranks and explains, and without the patterns of faults."""
    log = tmp_path / "healthy.log"
    log.write_text(HEALTHY, encoding="utf-8")
    names = imported(environment, "explain", str(log), "--format", "plain")
    assert names & HEAVY == set()
    assert {name for name in names if name.startswith("errtriage.source_check")} == set()
    unused = {
        "diagnosis",
        "link",
        "rank",
        "ranks",
        "readings",
        "report",
        "patterns.python_traceback",
        "patterns.launcher",
    }
    assert names & {f"errtriage.{name}" for name in unused} == set()


def test_json_imports_json_alone(environment: dict[str, str]) -> None:
    """A report for programs costs `json` beside what a plain one costs."""
    names = imported(environment, "explain", str(EXAMPLE), "--format", "json")
    assert names & HEAVY == {"json", "re", "enum"}  # json imports the others itself


def test_a_terminal_report_needs_rich_but_no_typer(environment: dict[str, str]) -> None:
    """On a terminal rich's styles are imported, the smallest part of it, and neither typer nor yaml."""
    names = imported(environment, "explain", str(EXAMPLE), "--format", "terminal")
    assert "rich.style" in names
    assert names & {"typer", "click", "yaml", "pygments", "rich.console", "rich.table", "rich.text"} == set()


def test_the_version_needs_two_modules(environment: dict[str, str]) -> None:
    """`--version` imports the command line and the errors, nothing else."""
    assert imported(environment, "--version") == {"errtriage", "errtriage.cli", "errtriage.errors"}
