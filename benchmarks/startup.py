"""How long errtriage takes to start, beside a Python that does nothing."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from costs import Bench, Cost, Program, Section, in_turn, in_words, median, ratio, run, table
from make_entries import make_entries

SMALL = 150_000  # bytes of the small log, which holds metrics line after line
FAILED = Path(__file__).parents[1] / "examples" / "overflow-then-assert.log"
ENTRIES = 300  # of the user's own knowledge
ROUNDS = 4  # times the rounds of other sections: these runs are short
NOTHING, FORMATS = "python -c pass", ("plain", "json", "terminal")


def section(bench: Bench) -> Section:
    """Compare the version, a small log in three formats, and the same with 300 entries of the user's own."""
    log = bench.log("plain", SMALL)
    cached = {"XDG_CACHE_HOME": str(_primed(bench, log, "cache-of-startup"))}
    script = Path(sys.executable).with_name("errtriage")
    programs = {
        NOTHING: Program([sys.executable, "-c", "pass"]),
        "errtriage --version": Program([str(script) if script.exists() else "errtriage", "--version"]),
    }
    for name in FORMATS:
        programs[_explain(name)] = Program([*_command(log), "--format", name], cached)
    programs["errtriage explain, a failed run of 148 lines"] = Program(_command(FAILED), cached)
    own = [*_command(log), "--knowledge", str(make_entries(ENTRIES, bench.folder / f"entries-{ENTRIES}"))]
    programs[f"with {ENTRIES} entries of one's own, cached"] = Program(own, cached)
    in_turn(programs, 1)  # fills the cache
    costs = in_turn(programs, ROUNDS * bench.rounds)
    cold = [_cold(own, bench, log) for _ in range(min(bench.rounds, 3))]
    rows = [[name, median(those) * 1000, ratio(those, costs[NOTHING])] for name, those in costs.items()]
    rows.append([f"with {ENTRIES} entries of one's own, read the first time", median(cold) * 1000])
    rows[-1].append(median(cold) / median(costs[NOTHING]))
    measured = {name: ratio(costs[_explain(name)], costs[NOTHING]) for name in FORMATS}
    measured["--version"] = ratio(costs["errtriage --version"], costs[NOTHING])
    text = (
        f"A log of {in_words(SMALL)}; processor time, the knowledge that comes with errtriage compiled as in a wheel."
    )
    return Section([text, *table(("command", "ms", f"× `{NOTHING}`"), rows)], measured)


def _explain(name: str) -> str:
    return f"errtriage explain small.log --format {name}"


def _command(log: Path) -> list[str]:
    return [sys.executable, "-m", "errtriage", "explain", str(log)]


def _primed(bench: Bench, log: Path, name: str) -> Path:
    """Return a cache that holds errtriage's own knowledge compiled, which a wheel brings and a checkout does not."""
    cache = bench.folder / name
    shutil.rmtree(cache, ignore_errors=True)
    run(Program(_command(log), {"XDG_CACHE_HOME": str(cache)}))
    return cache


def _cold(command: list[str], bench: Bench, log: Path) -> Cost:
    """Return the cost of a run that has not seen the user's entries before."""
    return run(Program(command, {"XDG_CACHE_HOME": str(_primed(bench, log, "cache-of-cold-start"))}))
