"""Text without what differs from run to run: numbers, addresses, ids, temporary names."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from errtriage import TYPE_CHECKING
from errtriage.lazy_regex import lazy

if TYPE_CHECKING:
    import re


def _within(found: re.Match[str]) -> str:
    """Return the folder of temporary files alone; a template that names the group would have `re` imported."""
    return found[1] + "#"


# Each with signs of which the text must hold one: most texts need few of them.
_STEPS: tuple[tuple[tuple[str, ...], re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    ((), lazy(r"\s+"), " "),
    (("-",), lazy(r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b"), "#"),
    (("0x",), lazy(r"\b0x[0-9a-fA-F]+\b"), "#"),
    (("/", "\\"), lazy(r"(?i)(/tmp/|/var/folders/|\\Temp\\|/dev/shm/)[\w.~-]+"), _within),
    ((), lazy(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12,64}\b"), "#"),
    ((), lazy(r"\d+(?:[.,:_]\d+)*(?:[eE][-+]?\d+)?"), "#"),
    (("-#", "+#"), lazy(r"[-+]#"), "#"),
    (("# ", "#,", "#x"), lazy(r"#(?:[ ,x]{1,2}#)+"), "#"),
)
_LONGEST = 600  # characters of a text that count; what is equal so far is the same


@lru_cache(maxsize=4096)
def scrubbed(text: str) -> str:
    """Return the text with each number, address, id and temporary name as `#`, cut at 600 characters."""
    text = text[: 4 * _LONGEST]
    for signs, regex, word in _STEPS:
        if not signs or any([sign in text for sign in signs]):  # noqa: C419 - a list is faster here
            text = regex.sub(word, text)
    return text[:_LONGEST].strip()
