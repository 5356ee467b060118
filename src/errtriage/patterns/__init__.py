"""All patterns, in the order in which a line is offered to them: blocks before lines, specific before general."""

from __future__ import annotations

from errtriage.patterns import (
    cuda_error,
    device_assert,
)
from errtriage.patterns.base import Pattern

PATTERNS: tuple[Pattern, ...] = (
    *device_assert.PATTERNS,
    *cuda_error.PATTERNS,
)
