"""All patterns, in the order in which a line is offered to them: blocks before lines, specific before general.

Importing all their modules takes longer than reading a small log. Their rows of the table are kept between runs, and a
module is imported when a line holds a literal of one of its patterns.
"""

from __future__ import annotations

import os
from functools import cache

from errtriage import TYPE_CHECKING, __version__, user_cache
from errtriage.patterns.table import Row, Table, row_of

if TYPE_CHECKING:
    from typing import Any

    from errtriage.patterns.base import Pattern

    PATTERNS: tuple[Pattern, ...]

# Modules, and of some of them the name of the tuple that holds the patterns, where it is not `PATTERNS`.
_ORDER = (
    "run_ending",
    "collective",
    "store",
    "nccl_log",
    "exception_group",
    "notebook_traceback",
    "rich_traceback",
    "pytest_report",
    "debugger_report",
    "hydra_report",
    "python_exception.ONE_LINE_PATTERNS",
    "python_traceback",
    "python_warning",
    "kernel_log",
    "kernel_hardware",
    "python_exception",
    "launcher",
    "launcher_lines",
    "launcher_others",
    "scheduler",
    "cluster",
    "device_assert",
    "cpp_error",
    "cuda_error",
    "python_exception.REPORTED_PATTERNS",
    "metric_table",
    "metric",
    "progress",
    "attempt",
    "build_output",
    "package_output",
    "torch_log",
    "native_crash",
    "process_exit",
    "environment",
    "last_words",
    "logged_message",
)
_FILE = "patterns.marshal"
_FORMAT = 2  # raise when what is stored changes its shape


@cache
def all_patterns() -> Table:
    """Return the table of all patterns."""
    key = [_FORMAT, __version__, user_cache.listing(os.path.dirname(__file__), (".py",))]  # noqa: PTH120
    stored: list[Any] | None = user_cache.read(_FILE, key)
    if stored is None:
        stored = [
            (place, number, [getattr(row_of(pattern), name) for name in Row.__match_args__])
            for place in _ORDER
            for number, pattern in enumerate(_tuple_at(place))
        ]
        user_cache.write(_FILE, key, stored)
    places = [(place, number) for place, number, _ in stored]
    return Table((Row(*row) for _, _, row in stored), lambda row: _tuple_at(places[row][0])[places[row][1]])


def _tuple_at(place: str) -> tuple[Pattern, ...]:
    """Return the patterns of one place of the order."""
    module, _, name = place.partition(".")
    found: tuple[Pattern, ...] = getattr(_imported(f"{__name__}.{module}"), name or "PATTERNS")
    return found


def _imported(name: str) -> Any:
    """Return a module; `importlib` itself would have to be imported first."""
    return __import__(name, fromlist=["PATTERNS"])


def __getattr__(name: str) -> Any:
    """Return `PATTERNS`, the patterns themselves: for who wants them all. Raises AttributeError."""
    if name != "PATTERNS":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return tuple(pattern for place in _ORDER for pattern in _tuple_at(place))
