"""Errors of compilers, linkers, build and package tools, in the middle of long logs."""

from __future__ import annotations

import pytest

from errtriage.patterns import build_output, package_output
from events_of import events_of

PATTERNS = (*build_output.PATTERNS, *package_output.PATTERNS)


@pytest.mark.parametrize(
    ("text", "tool", "file", "line", "message"),
    [
        ("a/op.cpp:12:5: error: 'x' was not declared", "c++", "a/op.cpp", "12", "'x' was not declared"),
        ("      a/op.cu:3:10: fatal error: cuda.h: No such file", "c++", "a/op.cu", "3", "cuda.h: No such file"),
        ("/usr/include/c++/11/cmath:45:10: error: bad", "c++", "/usr/include/c++/11/cmath", "45", "bad"),
        ('op.cu(17): error: identifier "x" is undefined', "nvcc", "op.cu", "17", 'identifier "x" is undefined'),
        ("nvcc fatal   : Unsupported gpu", "nvcc", None, None, "nvcc fatal   : Unsupported gpu"),
        ("op.cpp(12): error C2065: 'x': undeclared", "msvc", "op.cpp", "12", "C2065: 'x': undeclared"),
        ("g++: fatal error: Killed signal terminated program", "c++", None, None, "Killed signal terminated program"),
        ("/usr/bin/ld: cannot find -lcudart", "ld", None, None, "cannot find -lcudart"),
        ("op.cpp:(.text+0x1): undefined reference to `f'", "ld", None, None, "undefined reference to `f'"),
        ("  │ error: subprocess-exited-with-error", "pip", None, None, "error: subprocess-exited-with-error"),
        ("error: command 'gcc' failed: x", "setuptools", None, None, "error: command 'gcc' failed: x"),
    ],
)  # fmt: skip
def test_errors(text: str, tool: str, file: str | None, line: str | None, message: str) -> None:
    """Each error tells its tool, its text and, where it has one, its place."""
    (event,) = events_of(PATTERNS, text)
    assert event.kind == "build_error"
    assert [event.fields.get(name) for name in ("tool", "file", "line", "message")] == [tool, file, line, message]


def test_place_of_an_error() -> None:
    """An error in a source file has its place as a frame; one in a header of others has none."""
    (own,) = events_of(PATTERNS, "csrc/nms.c:4:5: error: expected ';' before 'return'")
    (other,) = events_of(PATTERNS, "/usr/include/c++/11/cmath:45:10: error: bad")
    assert [(frame.file, frame.line, frame.user) for frame in own.frames] == [("csrc/nms.c", 4, True)]
    assert other.frames == ()


def test_cmake() -> None:
    """The text of a CMake error stands on the indented lines behind its head, also inside pip's own indentation."""
    text = (
        "      CMake Error at cmake/x.cmake:98 (message):\n        Could not find CUDA\n\n        Set CUDA_HOME.\n"
        "      Call Stack (most recent call first):"
    )
    (event,) = events_of(PATTERNS, text)
    assert event.fields == {
        "tool": "cmake",
        "file": "cmake/x.cmake",
        "line": "98",
        "message": "Could not find CUDA Set CUDA_HOME.",
    }


def test_first_error_of_a_pip_log() -> None:
    """In a pip log the compiler's error is told apart from the reports of the tools that called it."""
    text = """\
  Building wheel for x (setup.py) ... error
  error: subprocess-exited-with-error

  × python setup.py bdist_wheel did not run successfully.
  │ exit code: 1
  ╰─> [236 lines of output]
      /tmp/x/debug.hpp(61): warning #128-D: loop is not reachable
      csrc/x.cpp:3:10: fatal error: Python.h: No such file or directory
      ninja: build stopped: subcommand failed.
      [end of output]
  ERROR: Failed building wheel for x
"""
    tools = [event.fields["tool"] for event in events_of(PATTERNS, text)]
    assert tools == ["pip", "pip", "c++", "ninja", "pip"]


@pytest.mark.parametrize(
    "text",
    [
        "csrc/op.cpp:12:5: warning: unused variable 'error'",
        "train.py:12:5: error: Name 'x' is not defined  [name-defined]",
        "ptxas info    : 0 bytes gmem",
        "-- Looking for error.h - found",
        "ERROR: pip's dependency resolver does not currently take into account all the packages",
        "WARNING: error: none",
        "mean error: 0.3",
    ],
)
def test_near_misses(text: str) -> None:
    """Warnings, checks and other tools' words are no build errors."""
    assert events_of(PATTERNS, text) == []


def test_hostile_lines() -> None:
    """Long lines of nearly matching text end soon and raise nothing."""
    for unit in ("a.cpp:1:1: error: ", "include/a", "CMake Error at ", "│ ", "error: command '", "x (1): error C"):
        assert isinstance(events_of(PATTERNS, unit * (16_384 // len(unit))), list)
