"""Runs that were appended to one file: the last one is explained, and only where several runs can be told apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from errtriage.sources import from_text
from errtriage.triage import triage, triage_sources

DIED = """\
Loaded module: cuda/11.8
Traceback (most recent call last):
  File "train.py", line {line}, in <module>
    main()
  File "/proj/seg/model.py", line 31, in forward
    x = self.head(x)
{error}
"""
SHAPES = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (8x512 and 256x10)"
KEY = "KeyError: 'image_id'"
NAMES = ("ash", "bay", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "rowan", "yew")
STEPS = "".join(f"step {n} of {NAMES[n % 12]} loss: {1 / (n + 1):.4f} lr: 0.001 time: 0.31\n" for n in range(900))


def answer(folder: Path, text: str) -> tuple[list[str], int]:
    """Return the ids of the explanations of a log, and how many runs came before the explained one."""
    path = folder / "nohup.out"
    path.write_text(text, encoding="utf-8")
    report = triage(path)
    return [one.id for one in report.explanations], len(report.earlier_attempts)


def test_the_last_death_of_a_program_is_explained(tmp_path: Path) -> None:
    """Where the same program died twice with other lines between, the second death is what the log is about."""
    text = DIED.format(line=80, error=SHAPES) + DIED.format(line=83, error=KEY)
    assert answer(tmp_path, text) == (["key-missing"], 1)


def test_a_run_that_goes_on_after_a_death_is_another_one(tmp_path: Path) -> None:
    """More steps after an uncaught exception than a dying process can still write are those of a new run."""
    text = (
        DIED.format(line=80, error=SHAPES)
        + STEPS
        + "slurmstepd: error: *** JOB 77 ON n1 CANCELLED AT 2026-01-06T04:52:18 ***\n"
    )
    assert answer(tmp_path, text) == (["job-cancelled"], 1)


def test_a_dead_run_before_a_healthy_one_is_only_mentioned(tmp_path: Path) -> None:
    """A run that trains on and shows no fault is not called failed for the run before it."""
    assert answer(tmp_path, DIED.format(line=80, error=SHAPES) + STEPS) == ([], 1)


def test_the_same_death_in_several_files_is_one_run() -> None:
    """The steps of another file are no run after the death that this one tells, and its own death is not lost."""
    death = DIED.format(line=80, error=SHAPES)
    report = triage_sources([from_text("rank0.log", death), from_text("rank1.log", STEPS + death)])
    assert report.verdict == "failed"
    assert [one.id for one in report.explanations] == ["matmul-shape-mismatch"]
    assert report.earlier_attempts == ()


@pytest.mark.parametrize(
    "text",
    [
        DIED.format(line=80, error=SHAPES) + "".join(STEPS.splitlines(keepends=True)[:60]),
        DIED.format(line=80, error=SHAPES) + DIED.format(line=83, error=KEY).replace('"train.py"', '"evaluate.py"'),
        DIED.format(line=80, error=SHAPES)
        + "[2024-02-11 10:00:00,123] torch.distributed.elastic.multiprocessing.api: [ERROR] failed (exitcode: 1) "
        "local_rank: 0 (pid: 812) of binary: /usr/bin/python\n" + DIED.format(line=83, error=KEY),
        DIED.format(line=80, error=SHAPES).replace("Loaded module: cuda/11.8\n", "")
        + DIED.format(line=83, error=KEY).replace("Loaded module: cuda/11.8\n", ""),
    ],
    ids=["flushed", "another-program", "several-ranks", "at-once"],
)
def test_one_run_stays_one(text: str, tmp_path: Path) -> None:
    """What a dying process still flushes, another program, and other ranks of a job do not make a second run."""
    ids, earlier = answer(tmp_path, text)
    assert (ids[0], earlier) == ("matmul-shape-mismatch", 0)
