"""The fingerprint of a report: equal for the same fault in another run, different for different faults."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from case_files import LOGS
from errtriage.triage import triage

REPORTED = sorted((LOGS / "reported").glob("*.log"))
DISTRIBUTED = sorted((LOGS / "distributed").glob("*.log"))
TWINS = 20
CLOCK = re.compile(r"\b([01]\d|2[0-3]):([0-5]\d):([0-5]\d)\b")
HOST = re.compile(r"\b(gpu-node-|node-?|nid|gpu)(\d{1,5})\b(?!:|\]|\))")
RANK = re.compile(r"(\[rank|\[Rank |\brank |\bRank )(\d+)")
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,16}\b")
PID = re.compile(r"(\bpid:? ?|\(pid )(\d{3,8})")
FRAME = re.compile(r'(File "[^"\n]+", line )(\d+)')
PLACE = re.compile(r"([\w/]+\.py:)(\d+)")
FOLDER = re.compile(
    r"(?<![\w.])/(?:home|workspace|data|scratch|mnt|work|users)/(?!.*site-packages)[\w./-]*/(?=[\w-]+\.py)"
)


def twin(text: str, seed: int) -> str:
    """Return a log of the same fault in another run: other times, hosts, ranks, folders, addresses, lines of code."""
    random_ = random.Random(seed)
    hours, ranks, pids, lines = (random_.randrange(1, top) for top in (12, 64, 4000, 300))
    folder = f"/mnt/run{random_.randrange(10**6)}/u{seed}/"

    def plus(amount: int) -> Callable[[re.Match[str]], str]:
        return lambda found: f"{found[1]}{int(found[2]) + amount}"

    text = CLOCK.sub(lambda found: f"{(int(found[1]) + hours) % 24:02}:{found[2]}:{found[3]}", text)
    text = ADDRESS.sub(lambda found: f"0x{random_.getrandbits(44):0{len(found[0]) - 2}x}"[: len(found[0])], text)
    for pattern, amount in ((HOST, seed), (RANK, ranks), (PID, pids), (FRAME, lines), (PLACE, lines)):
        text = pattern.sub(plus(amount), text)
    return FOLDER.sub(folder, text)


def fault_of(text: str) -> tuple[str, str]:
    told = triage(text)
    return told.fingerprint, told.explanations[0].id if told.explanations else told.verdict


@pytest.mark.parametrize("path", [*REPORTED[::6], *DISTRIBUTED[::4]], ids=lambda path: path.stem)
def test_twins_have_one_fingerprint(path: Path) -> None:
    """Twenty perturbed twins of a log have its fingerprint."""
    text = path.read_text(encoding="utf-8")
    twins = [twin(text, seed) for seed in range(1, TWINS + 1)]
    assert len(set(twins)) > 1 or not CLOCK.search(text)
    assert {fault_of(one) for one in twins} == {fault_of(text)}


def test_different_faults_have_different_fingerprints() -> None:
    """No two of the reported runs share a fingerprint."""
    known: dict[str, str] = {}
    for path in REPORTED:
        told = triage(path)
        if told.explanations:
            assert told.fingerprint not in known, (path.stem, known[told.fingerprint])
            known[told.fingerprint] = path.stem
    assert len(known) > 90


def test_a_log_without_a_fault_has_none() -> None:
    """There is no fingerprint where there is nothing to explain."""
    assert triage("epoch 1 loss 0.5\nepoch 2 loss 0.4\n").fingerprint == ""
