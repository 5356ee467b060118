"""The peak of memory by size and kind, each log streamed from its generator through a pipe."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import make_logs
from costs import ERRTRIAGE, Bench, Program, Section, in_words, run, table

KINDS = ("plain", "spam", "tqdm", "text", "woven", "longline", "candidates", "warnings", "tracebacks")
HUGE = "plain"  # the kind of which ten times more is read
# A small process between, as the memory of one that starts another counts as that of the other.
_PEAK = """
import os, sys
null = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=null)
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss / (1024 if sys.platform == "linux" else 1024 * 1024))
sys.exit(os.waitstatus_to_exitcode(status))
"""
SLOW = {"candidates": 10, "warnings": 100, "tracebacks": 100}  # kinds of which only such a part is read


def section(bench: Bench) -> Section:
    """Stream logs of growing size, two at a time: only their memory counts here."""
    sizes = [bench.size // 1000, bench.size // 100, bench.size // 10, bench.size, bench.size * 10]
    wanted = [(kind, size) for size in reversed(sizes) for kind in KINDS if size <= _most(kind, bench)]
    with ThreadPoolExecutor(2) as pool:
        peaks = dict(zip(wanted, pool.map(_peak, wanted), strict=True))
    rows = [[kind, *(round(peaks[kind, size]) if (kind, size) in peaks else "" for size in sizes)] for kind in KINDS]
    text = "Peak MiB of `errtriage explain -` behind a pipe."
    return Section([text, *table(["log", *map(in_words, sizes)], rows)], {"peak MiB": max(peaks.values())})


def _most(kind: str, bench: Bench) -> int:
    return bench.size * 10 if kind == HUGE else bench.size // SLOW.get(kind, 1)


def _peak(wanted: tuple[str, int]) -> float:
    kind, size = wanted
    maker = [sys.executable, str(make_logs.__file__), kind, str(size)]
    return float(run(Program([sys.executable, "-S", "-c", _PEAK, *ERRTRIAGE, "-"], source=maker)).output)
