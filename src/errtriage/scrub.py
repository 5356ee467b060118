"""Text without what differs from run to run: numbers, addresses, ids, temporary names."""

from __future__ import annotations

import re
from functools import lru_cache

_STEPS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\s+"), " "),
    (re.compile(r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b"), "#"),
    (re.compile(r"\b0x[0-9a-fA-F]+\b"), "#"),
    (re.compile(r"(/tmp/|/var/folders/|\\Temp\\|/dev/shm/)[\w.~-]+", re.IGNORECASE), r"\1#"),
    (re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12,64}\b"), "#"),
    (re.compile(r"\d+(?:[.,:_]\d+)*(?:[eE][-+]?\d+)?"), "#"),
    (re.compile(r"[-+]#"), "#"),
    (re.compile(r"#(?:[ ,x]{1,2}#)+"), "#"),
)
_LONGEST = 600  # characters of a text that count; what is equal so far is the same


@lru_cache(maxsize=4096)
def scrubbed(text: str) -> str:
    """Return the text with each number, address, id and temporary name as `#`, cut at 600 characters."""
    text = text[: 4 * _LONGEST]
    for regex, word in _STEPS:
        text = regex.sub(word, text)
    return text[:_LONGEST].strip()
