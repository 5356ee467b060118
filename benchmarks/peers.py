"""Other programs that read logs, for scale: lnav, drain3, GNU grep. They are slow, so the logs are small."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

from costs import ERRTRIAGE, Bench, Program, Section, in_turn, in_words, median, ratio, table, warm

KINDS = {"plain": 500, "spam": 500, "tqdm": 2000}  # each with what the size is divided by
_DRAIN = """
import sys
from drain3 import TemplateMiner
from drain3.template_miner_config import TemplateMinerConfig
miner = TemplateMiner(config=TemplateMinerConfig())
for line in open(sys.argv[1], errors="replace"):
    miner.add_log_message(line.rstrip())
"""


def section(bench: Bench) -> Section:
    """Compare what is installed."""
    rows: list[list[object]] = []
    for kind, part in KINDS.items():
        log = bench.log(kind, bench.size // part)
        warm(log)
        costs = in_turn(_programs(bench, log), 1)
        for name, those in costs.items():
            speed, times = log.stat().st_size / median(those) / 1e6, ratio(those, costs["errtriage"])
            rows.append([f"{kind} {in_words(log.stat().st_size)}", name, median(those), speed, times])
    text = "lnav loads and filters; drain3 finds templates; none of them says what went wrong."
    head = ("log", "program", "processor s", "MB/s", "× errtriage's time")
    return Section([text, *table(head, rows)])


def _programs(bench: Bench, log: Path) -> dict[str, Program]:
    made = {"errtriage": Program([*ERRTRIAGE, str(log)])}
    if bench.rg:
        made["rg -F"] = Program(bench.searching(log))
    if shutil.which("grep"):
        made["grep -F"] = Program(["grep", "-a", "-c", "-F", "-f", str(bench.literals()), str(log)])
    if shutil.which("lnav"):
        home = {"HOME": str(bench.folder), "XDG_CONFIG_HOME": str(bench.folder / "lnav"), "TERM": "dumb"}
        made["lnav, filtered"] = Program(["lnav", "-n", "-c", ":filter-in rror", str(log)], home)
    if importlib.util.find_spec("drain3"):
        made["drain3"] = Program([sys.executable, "-c", _DRAIN, str(log)])
    return made
