"""How a process ended, in the words of shells, make, IDEs, containers, CI and notebooks."""

from __future__ import annotations

import pytest

from errtriage.patterns import native_crash, process_exit
from events_of import events_of

PATTERNS = (*native_crash.PATTERNS, *process_exit.PATTERNS)


@pytest.mark.parametrize(
    ("text", "signal", "code", "pid"),
    [
        ("Killed", "SIGKILL", None, None),
        ("Killed: 9", "SIGKILL", None, None),
        ("Aborted (core dumped)", "SIGABRT", None, None),
        ("Abort trap: 6", "SIGABRT", None, None),
        ("Terminated", "SIGTERM", None, None),
        ("Hangup", "SIGHUP", None, None),
        ("Epoch 1:  10%|#    | 3/30 [00:05<00:45]Killed", "SIGKILL", None, None),
        ("run.sh: line 12:  1234 Killed                  python train.py", "SIGKILL", None, "1234"),
        ("/job1/slurm_script: line 9: 77 Segmentation fault      (core dumped) python a.py", "SIGSEGV", None, "77"),
        ("[1]    4321 killed     python train.py", "SIGKILL", None, None),
        ("[1]+  Aborted                 (core dumped) python train.py", "SIGABRT", None, None),
        ("zsh: illegal hardware instruction  python a.py", "SIGILL", None, None),
        ("zsh: abort (core dumped)  python a.py", "SIGABRT", None, None),
        ("fish: Job 1, 'python a.py' terminated by signal SIGKILL (Forced quit)", "SIGKILL", None, None),
        ("Command terminated by signal 9", "SIGKILL", None, None),
        ("Process finished with exit code 139 (interrupted by signal 11:SIGSEGV)", "SIGSEGV", "139", None),
        ("Process finished with exit code -1073740791 (0xC0000409)", None, "-1073740791", None),
        ("Process finished with exit code 1", None, "1", None),
        ("worker_1  exited with code 137", "SIGKILL", "137", None),
        ("Child process 812 terminated with signal 9", "SIGKILL", None, "812"),
        ("make: *** [train] Error 137", "SIGKILL", "137", None),
        ("make[1]: *** [Makefile:3: all] Killed", "SIGKILL", None, None),
        ("##[error]Process completed with exit code 1.", None, "1", None),
        ("ERROR: Job failed: command terminated with exit code 137", "SIGKILL", "137", None),
        ("##[error]Bash exited with code '143'.", "SIGTERM", "143", None),
        ("The runner has received a shutdown signal. This can happen when it is stopped.", None, None, None),
        ("Kernel Restarting: The kernel for a.ipynb appears to have died. It will restart.", None, None, None),
        ("Your session crashed after using all available RAM.", None, None, None),
    ],
)  # fmt: skip
def test_endings(text: str, signal: str | None, code: str | None, pid: str | None) -> None:
    """Each way to tell of a dead process names signal, exit code and process where it holds them."""
    (event,) = events_of(PATTERNS, text)
    assert event.kind == "process_exit"
    assert [event.fields.get(name) for name in ("signal", "code", "pid")] == [signal, code, pid]


@pytest.mark.parametrize(
    "text",
    [
        "Process finished with exit code 0",
        "trainer-1 exited with code 0",
        "Job failed: exit code unknown",
        "Killed 3 workers",
        "training was Terminated",
        "[1]+  Done                    python train.py",
        "make: *** No rule to make target 'x'.  Stop.",
        "Quit",
        "Interrupt",
    ],
)
def test_near_misses(text: str) -> None:
    """A good end and sentences with such words are no endings of a process."""
    assert events_of(PATTERNS, text) == []
