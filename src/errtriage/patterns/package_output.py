"""Errors of pip, uv and setuptools: what could not be resolved, built or installed."""

from __future__ import annotations

import re

from errtriage.model import Event, Line
from errtriage.patterns.base import LinePattern, Make, event

_START = r"^[\s│├×╰─▶>]{0,40}"


def _tool(name: str) -> Make:
    """Return a maker of errors that this tool reports."""

    def make(line: Line, found: re.Match[str]) -> Event:
        message = found[0].strip(" \t│├×╰─▶>")[:1000]
        return event("build_error", line, {"tool": name, "message": message}, text=message)

    return make


PIP = LinePattern(
    kind="build_error",
    literals=(
        "ERROR: ", "subprocess-exited-with-error", "legacy-install-failure", "metadata-generation-failed",
        "externally-managed-environment", "did not run successfully", "ResolutionImpossible", "No solution found when",
        "Failed to build `", "Getting requirements to build wheel", "failed with error code ",
        "backend-unavailable", "The build backend returned an error", "failed (exit ",
    ),
    regex=(
        rf"{_START}(?:ERROR: (?:Failed (?:building wheel|to build)|Could not (?:find a version|build wheels|install)|"
        r"No matching distribution|Cannot install|Package '.{1,100}?' requires|ResolutionImpossible|Command errored|"
        r"Invalid requirement|Double requirement|THESE PACKAGES|Cannot uninstall|"
        r"\S{1,300}\.whl is not a supported).{0,900}|"
        r"error: (?:subprocess-exited-with-error|legacy-install-failure|metadata-generation-failed|"
        r"externally-managed-environment|backend-unavailable)|"
        r"(?:python|pip|Getting|Preparing|Building|Installing|Running) .{1,200} did not run successfully\.|"
        r"Command \"?.{1,900}? failed with error code \d.{0,200}|"
        r"(?:error: )?The build backend returned an error|"
        r"(?:cause: )?Call to `[^`]{1,120}` failed \(exit \w{4,6}: \d+\)|"
        r"No solution found when resolving .{1,200}|Failed to build `.{1,300})"
    ),
    make=_tool("pip"),
    examples=(
        "ERROR: Failed building wheel for flash-attn",
        "ERROR: Could not find a version that satisfies the requirement torch==9.9 (from versions: 2.0.0)",
        "ERROR: No matching distribution found for torch==9.9",
        "  error: subprocess-exited-with-error",
        "  × python setup.py bdist_wheel did not run successfully.",
        "ERROR: torch-2.0.0-cp38-cp38-win_amd64.whl is not a supported wheel on this platform.",
        "  × No solution found when resolving dependencies:",
        "  ╰─▶ Call to `setuptools.build_meta.build_wheel` failed (exit status: 1)",
        'Command "python setup.py egg_info" failed with error code 1 in /tmp/pip-req-build-rhdyu80k/',
    ),
    ignore=(
        "ERROR: pip's dependency resolver does not currently take into account all the packages that are installed.",
        "ERROR: loss is nan",
        "ERROR: test_x (tests.TestX)",
        "Command upload failed with error: code",
        "Call to the scheduler failed (exit status: 1)",
    ),
)  # fmt: skip

SETUPTOOLS = LinePattern(
    kind="build_error",
    literals=("error: command ", "setup command: ", "Multiple top-level packages", "error: could not create"),
    regex=(
        rf"{_START}(?:error: command '?.{{1,300}}?'? failed.{{1,200}}|error in .{{1,80}} setup command: .{{1,300}}|"
        r"error: Multiple top-level packages discovered.{0,200}|error: could not create '.{1,300})"
    ),
    make=_tool("setuptools"),
    examples=(
        "error: command 'gcc' failed with exit status 1",
        "      error: command '/usr/local/cuda/bin/nvcc' failed with exit code 255",
        "error: command 'gcc' failed: No such file or directory",
        "error in gym setup command: 'extras_require' must be a dictionary",
    ),
    ignore=("error: command line is empty",),
)

PATTERNS = (PIP, SETUPTOOLS)
