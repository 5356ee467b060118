"""Crashes in native code, as faulthandler, the C library and torch's workers print them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from errtriage.patterns import native_crash
from events_of import events_of

DUMP = """Fatal Python error: Segmentation fault

Thread 0x00007f3bd2ffd700 (most recent call first):
  File "/home/user/env/lib/python3.9/threading.py", line 316 in wait
  File "/home/user/env/lib/python3.9/threading.py", line 937 in _bootstrap

Current thread 0x00007f3c9c1e9740 (most recent call first):
  File "/home/user/env/lib/python3.9/site-packages/torch/nn/modules/conv.py", line 459 in _conv_forward
  File "/home/user/models/encoder.py", line 44 in forward
  File "/home/user/train.py", line 150 in <module>

Extension modules: numpy.core._multiarray_umath, numpy.random.mtrand (total: 42)"""


def test_faulthandler() -> None:
    """The current thread's frames are kept, outermost first, and the whole dump is one event."""
    (event,) = events_of(native_crash.PATTERNS, DUMP + "\nERROR: next")
    assert event.kind == "native_crash"
    assert event.fields == {"signal": "SIGSEGV", "message": "Segmentation fault"}
    assert [(frame.line, frame.function, frame.user) for frame in event.frames] == [
        (150, "<module>", True),
        (44, "forward", True),
        (459, "_conv_forward", False),
    ]
    assert (event.span.first, event.span.last) == (1, DUMP.count("\n") + 1)


@pytest.mark.parametrize(
    ("head", "signal"),
    [
        ("Fatal Python error: Aborted", "SIGABRT"),
        ("Fatal Python error: Bus error", "SIGBUS"),
        ("Fatal Python error: Floating-point exception", "SIGFPE"),
        ("Fatal Python error: Floating point exception", "SIGFPE"),
        ("Fatal Python error: Illegal instruction", "SIGILL"),
        ("Fatal Python error: init_fs_encoding: failed to get the Python codec of the filesystem encoding", "SIGABRT"),
        ("Windows fatal exception: access violation", None),
    ],
)
def test_fatal_errors(head: str, signal: str | None) -> None:
    """The fault names its signal; other fatal errors of the interpreter end in abort()."""
    thread = "Current thread 0x00 [python] (most recent call first):\n  <no Python frame>"
    text = f"{head}\nPython runtime state: initialized\n\n{thread}"
    (event,) = events_of(native_crash.PATTERNS, text)
    assert event.fields.get("signal") == signal
    assert event.fields["message"] == head.partition(": ")[2]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_real_dump() -> None:
    """What this interpreter prints when it crashes is read."""
    program = "import faulthandler, ctypes\nfaulthandler.enable()\ndef crash():\n    ctypes.string_at(0)\ncrash()\n"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    (event,) = events_of(native_crash.PATTERNS, done.stderr)
    assert event.fields["signal"] == "SIGSEGV"
    assert [frame.function for frame in event.frames[:2]] == ["<module>", "crash"]


@pytest.mark.parametrize(
    ("text", "signal"),
    [
        ("Segmentation fault (core dumped)", "SIGSEGV"),
        ("Bus error: 10", "SIGBUS"),
        ("Floating point exception", "SIGFPE"),
        ("Illegal instruction (core dumped)", "SIGILL"),
        (" 30%|###       | 3/10 [00:01<00:02]Segmentation fault (core dumped)", "SIGSEGV"),
        ("double free or corruption (!prev)", "SIGABRT"),
        ("free(): double free detected in tcache 2", "SIGABRT"),
        ("malloc(): unaligned tcache chunk detected", "SIGABRT"),
        ("*** stack smashing detected ***: <unknown> terminated", "SIGABRT"),
        ("python3: /src/x.cc:12: int f(): Assertion `a == b' failed.", "SIGABRT"),
        ("ERROR: Unexpected bus error encountered in worker. This might be caused by shm.", "SIGBUS"),
        ("ERROR: Unexpected floating-point exception encountered in worker.", "SIGFPE"),
        ("[gpu01:99] Signal: Segmentation fault (11)", "SIGSEGV"),
    ],
)
def test_lines(text: str, signal: str) -> None:
    """Each line of a crash names its signal, perhaps glued behind a progress bar."""
    (event,) = events_of(native_crash.PATTERNS, text)
    assert event.fields["signal"] == signal


@pytest.mark.parametrize(
    "text",
    [
        "loss = segmentation loss at fault",
        "This fixes the Segmentation fault",
        "Timeout (0:00:10)!\nThread 0x00007f (most recent call first):\n  File \"a.py\", line 3 in f",
        "corrupted image skipped",
        "AssertionError: Assertion failed: shape",
    ],
)  # fmt: skip
def test_near_misses(text: str) -> None:
    """Sentences about crashes and dumps that were asked for are no crashes."""
    assert events_of(native_crash.PATTERNS, text) == []
