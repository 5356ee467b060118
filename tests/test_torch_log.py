"""Lines of the loggers of c10, glog, TensorFlow and torch itself."""

from __future__ import annotations

import pytest

from errtriage.patterns import torch_log
from events_of import events_of


@pytest.mark.parametrize(
    ("text", "level", "file", "line", "message"),
    [
        ("[W TensorNumpy.cpp:84] Warning: Bad. (function from_numpy)", "W", "TensorNumpy.cpp", "84", "Bad."),
        ("[W1130 18:23:15.234758601 Module.cpp:206] text", "W", "Module.cpp", "206", "text"),
        ("[rank3]:[E719 08:23:15.2 a/b.cu:2] text (function operator())", "E", "a/b.cu", "2", "text"),
        ("F0131 12:00:00.123456 12345 net.cpp:12] Check failed: a == b", "F", "net.cpp", "12", "Check failed: a == b"),
        ("W0131 12:00:00.123000 14 torch/x.py:906] [0/0] hit limit", "W", "torch/x.py", "906", "hit limit"),
        ("W0131 12:00:00.123000 14 s/torch/x.py:906] [!0/1_2] [__recompiles] x", "W", "s/torch/x.py", "906", "x"),
        ("2024-01-31 12:00:00.1: E tensorflow/a.cc:1] failed", "E", "tensorflow/a.cc", "1", "failed"),
    ],
)  # fmt: skip
def test_forms(text: str, level: str, file: str, line: str, message: str) -> None:
    """Level, place and message are told; the function, the compile id and the word Warning are not of the message."""
    (event,) = events_of(torch_log.PATTERNS, text)
    assert event.kind == "torch_log"
    assert event.fields == {"level": level, "file": file, "line": line, "message": message}


@pytest.mark.parametrize(
    "text",
    [
        "I0131 12:00:00.123456 12345 solver.cpp:12] Iteration 100, loss = 0.3",
        "E1130 18:23:05.416000 24601 torch/_subclasses/fake_tensor.py:3090] [0/0] Traceback (most recent call last):",
        'E1130 18:23:05.416000 24601 torch/_subclasses/fake_tensor.py:3090] [0/0]   File "x.py", line 3, in f',
        "[W] model.cpp: loaded",
        "[WARNING] train.py:12] x",
        "frame #1: f() at ../c10/x.cpp:12",
    ],
)
def test_near_misses(text: str) -> None:
    """Information, tracebacks that are printed through the logger and other texts are no events of it."""
    assert events_of(torch_log.PATTERNS, text) == []
