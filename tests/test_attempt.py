"""New attempts in one log: the same program started again, requeues and restarts, and what is none of these."""

import pytest

from errtriage.patterns import attempt, python_traceback
from events_of import events_of

_PATTERNS = (*attempt.PATTERNS, *python_traceback.PATTERNS)


def _attempts(text: str) -> list[tuple[str, int]]:
    return [(one.fields["what"], one.span.first) for one in events_of(_PATTERNS, text) if one.kind == "attempt"]


def test_same_program_again():
    """A prompt that starts the same program again begins an attempt; the first one begins the log."""
    text = "(fmri) $ python run.py --bs 64\nepoch 0\n(fmri) $ sed -i s/a/b/ run.py && python run.py --bs 32\nepoch 0"
    assert _attempts(text) == [("command", 1), ("command", 3)]


def test_program_known_from_its_traceback():
    """Where the log begins without a prompt, the traceback tells which program it is that starts again."""
    text = (
        'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    main()\nValueError: x\n'
        "user@host:~/x$ python train.py --lr 0.1\nepoch 1"
    )
    assert _attempts(text) == [("command", 5)]


@pytest.mark.parametrize(
    "text",
    [
        "$ python train.py\nepoch 1\n$ python eval.py --ckpt best.pt\nloss 0.5\n$ python eval.py --ckpt last.pt",
        "$ python train.py\nepoch 1\n$ nvidia-smi\n$ python -c 'import torch'\n$ pip install x",
        "$ python train.py\nrank 0 starts\nrank 1 starts\npython train.py",
    ],
    ids=["evaluation", "looking around", "two ranks"],
)
def test_no_further_attempt(text):
    """Looking at what a run left behind begins no attempt."""
    assert _attempts(text) == [("command", 1)]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("PS C:\\work> python .\\train.py", "command"),
        ("D:\\cells>python fit_cells.py train s25", "command"),
        ("+ accelerate launch --num_processes 2 /app/launch.py", "command"),
        ("In [3]: %run train.py", "command"),
        ("[default] Worker group FAILED. 2/3 attempts left; will restart worker group", "restart"),
        ("slurmstepd: error: *** JOB 4211 ON cn01 CANCELLED AT 2024-01-31T12:00:00 DUE TO JOB REQUEUE ***", "requeue"),
        ("##[group]Attempt 2 of 3", "retry"),
    ],
)
def test_kind(line, what):
    """Each kind of a new start is recognised."""
    assert _attempts(line) == [(what, 1)]
