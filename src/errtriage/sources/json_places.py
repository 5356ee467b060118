"""JSON in which every string knows the line of the file it stands on."""

from __future__ import annotations

import json
import json.decoder
import json.scanner
import re
from bisect import bisect_right
from typing import Any


class Placed(str):
    """A string with the number of the line that it begins on."""

    line: int
    __slots__ = ("line",)


class _Decoder(json.JSONDecoder):
    """The standard library's decoder in Python, with strings (in C) that are placed."""

    def __init__(self, text: str) -> None:
        super().__init__(strict=False)
        self._newlines = [found.start() for found in re.finditer("\n", text)]
        self.parse_string = self._placed
        self.scan_once = json.scanner.py_make_scanner(self)  # type: ignore[attr-defined]

    def _placed(self, text: str, end: int, strict: bool = False) -> tuple[str, int]:
        value, stop = json.decoder.scanstring(text, end, strict)  # type: ignore[attr-defined]
        placed = Placed(value)
        placed.line = bisect_right(self._newlines, end) + 1
        return placed, stop


def parse(data: bytes) -> Any:
    """Return the value of a JSON text, strings as `Placed`; None where it is no JSON."""
    text = data.decode("utf-8", "replace").lstrip("\ufeff")
    try:
        return _Decoder(text).decode(text)
    except (ValueError, RecursionError, MemoryError):
        return None


def line_of(value: Any) -> int:
    """Return the line of a placed string, 1 for anything else."""
    return value.line if isinstance(value, Placed) else 1
