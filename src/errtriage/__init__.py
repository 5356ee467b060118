"""errtriage reads the log of a training run and says what went wrong first, why, where and how to fix it."""

from __future__ import annotations

__version__ = "0.1.0"
