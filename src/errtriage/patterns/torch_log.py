"""Lines of the loggers of C++ libraries and of torch's Python logger in their form: c10, glog, TensorFlow."""

from __future__ import annotations

import re

from errtriage.model import Event, Line
from errtriage.patterns.base import LinePattern, compiled, event

# c10 up to 2.1: `[W file.cpp:84] text`; from 2.2: `[W1130 18:23:15.234758601 file.cpp:206] text` (month without zero).
_C10 = (
    r"\[(?P<level>[WEF])(?:\d{3,4} \d\d:\d\d:\d\d\.\d{1,9})? (?P<file>[\w./+-]{1,200}\.(?:cpp|cc|cu|cuh|h|hpp|mm|py)):"
    r"(?P<line>\d{1,6})\] ?(?P<message>.*)"
)
# glog, and torch's Python logger from 2.3: letter, month and day, time, thread or process id, file.
_GLOG = (
    r"(?<![\w.])(?P<level>[WEF])\d{4} \d\d:\d\d:\d{2,10}(?:\.\d{1,9})? +\d{1,20} (?P<file>[^\s:\]]{1,300}):"
    r"(?P<line>\d{1,6})\] ?(?P<message>.*)"
)
_TENSORFLOW = (
    r": (?P<level>[WEF]) (?P<file>(?:external|tensorflow|xla|stream_executor)[\w./-]{1,300}):(?P<line>\d+)\] ?"
    r"(?P<message>.*)"
)
_COMPILE_ID = r"(?:\[!?\d{1,4}/\d{1,4}(?:_\d{1,4})?\] ?)?(?:\[__\w{1,40}\] ?)?"
# A traceback that the logger printed line by line belongs to the patterns of tracebacks.
_TRACEBACK = r"Traceback \(most recent|  |\s*File \"|\W*$"


def _make(line: Line, found: re.Match[str]) -> Event | None:
    message = compiled(_COMPILE_ID).sub("", found["message"], count=1)
    if compiled(_TRACEBACK).match(message):
        return None
    return event("torch_log", line, {**found.groupdict(), "message": _bare(message)}, text=line.text[found.start() :])


def _bare(message: str) -> str:
    """Return a TORCH_WARN text without the word before it and the C++ function behind it."""
    message = message.removeprefix("Warning: ")
    return compiled(r" \(function [^()]{1,100}(?:\(\))?\)$").sub("", message.strip())


C10_LOG = LinePattern(
    kind="torch_log",
    literals=(".cpp:", ".cc:", ".cu:", ".cuh:", ".h:", ".hpp:", ".mm:", "_utils.py:"),
    regex=_C10,
    make=_make,
    examples=(
        "[W TensorNumpy.cpp:84] Warning: The given NumPy array is not writable (function tensor_from_numpy)",
        "[W1130 18:23:15.234758601 Module.cpp:206] symbolizing C++ stack trace for exception",
        "[rank0]:[W719 18:23:15.234758601 ProcessGroupNCCL.cpp:1538] Warning: WARNING: process group leaks",
        "[E ProcessGroupGloo.cpp:136] Gloo connectFullMesh failed",
    ),
    ignore=(
        "[I socket.cpp:566] [c10d] The server socket has started to listen on [::]:29500.",
        "[W] model.cpp: loaded",
    ),
)

GLOG = LinePattern(
    kind="torch_log",
    literals=("torch/", ".cpp:", ".cc:", ".cu:", ".h:"),
    guard=r"[WEF]\d{4} \d\d:\d\d:",
    regex=_GLOG,
    make=_make,
    examples=(
        "W0131 12:00:00.123000 1401 torch/_dynamo/convert_frame.py:906] [0/0] hit cache_size_limit (8)",
        "E0131 12:00:00.123456 12345 net.cpp:12] Check failed: a == b",
        "E0000 00:00:1733000000.123456   12345 cuda_dnn.cc:8310] Unable to register cuDNN factory",
    ),
    ignore=("I0131 12:00:00.123456 12345 solver.cpp:12] Iteration 100, loss = 0.3",),
)

TENSORFLOW_LOG = LinePattern(
    kind="torch_log",
    literals=(".cc:",),
    regex=_TENSORFLOW,
    make=_make,
    examples=(
        "2024-01-31 12:00:00.123456: W tensorflow/core/common_runtime/bfc_allocator.cc:479] Allocator of memory",
    ),
    ignore=("2024-01-31 12:00:00.123456: I tensorflow/core/platform/cpu_feature_guard.cc:182] This TensorFlow binary",),
)

PATTERNS = (C10_LOG, GLOG, TENSORFLOW_LOG)
