"""Where a log falls silent behind a line that a working program follows with more at once."""

from __future__ import annotations

import pytest

from errtriage.triage import triage

ROOT = "Using /home/u/.cache/torch_extensions/py310_cu121 as PyTorch extensions root...\n"
DIED = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\nKeyError: 3\n'


def answers(text: str) -> list[str]:
    return [one.id for one in triage("step 1\n" + text).explanations]


@pytest.mark.parametrize("ranks", [1, 8, 300])
def test_silence_behind_the_extensions_root_is_a_lock(ranks: int) -> None:
    """However many ranks wait for the lock, a log that ends there tells of it once."""
    assert answers(ROOT * ranks) == ["extension-build-lock-left"]


@pytest.mark.parametrize(
    "later",
    [
        "No modifications detected for re-loaded extension module cpu_adam, skipping build step...\n",
        "Detected CUDA files, patching ldflags\n",
        "Time to load cpu_adam op: 2.4 seconds\n",
        "epoch 1 loss 0.5\n",
        "another line\n" * 60,
    ],
)
def test_a_program_that_goes_on_holds_no_lock(later: str) -> None:
    """A build that starts, a module that is loaded, or a log that goes on is no hang."""
    assert answers(ROOT + later) == []


def test_a_traceback_behind_it_is_the_fault() -> None:
    """What is raised behind the line is the fault, not a lock."""
    told = answers(
        ROOT + 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\nKeyError: 3\n'
    )
    assert told
    assert "extension-build-lock-left" not in told


def test_jobs_of_different_numbers_are_different_runs() -> None:
    """The end of another job in the same file is not explained by what an earlier job died of."""
    end = "slurmstepd: error: *** JOB {} ON n1 CANCELLED AT 2025-02-03T09:00:18 ***\n"
    assert answers(DIED + end.format(70) + "start\n" + end.format(71))[0] == "job-cancelled"
    assert answers(DIED + end.format(70) + "start\n" + end.format(70))[0] == "key-missing"
