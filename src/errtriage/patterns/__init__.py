"""All patterns, in the order in which a line is offered to them: blocks before lines, specific before general."""

from __future__ import annotations

from errtriage.patterns import (
    cluster,
    collective,
    cpp_error,
    cuda_error,
    device_assert,
    kernel_hardware,
    kernel_log,
    launcher,
    launcher_lines,
    launcher_others,
    nccl_log,
    notebook_traceback,
    pytest_report,
    python_exception,
    python_traceback,
    python_warning,
    rich_traceback,
    scheduler,
    store,
    torch_log,
)
from errtriage.patterns.base import Pattern

PATTERNS: tuple[Pattern, ...] = (
    *collective.PATTERNS,
    *store.PATTERNS,
    *nccl_log.PATTERNS,
    *notebook_traceback.PATTERNS,
    *rich_traceback.PATTERNS,
    *pytest_report.PATTERNS,
    *python_traceback.PATTERNS,
    *python_warning.PATTERNS,
    *python_exception.PATTERNS,
    *launcher.PATTERNS,
    *launcher_lines.PATTERNS,
    *launcher_others.PATTERNS,
    *scheduler.PATTERNS,
    *cluster.PATTERNS,
    *kernel_log.PATTERNS,
    *kernel_hardware.PATTERNS,
    *device_assert.PATTERNS,
    *cpp_error.PATTERNS,
    *cuda_error.PATTERNS,
    *torch_log.PATTERNS,
)
