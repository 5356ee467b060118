"""The compiled knowledge: shipped in the wheel, or kept per user for a checkout and for added folders.

Paths are strings here: importing `pathlib` would be felt in the time that a small log takes.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from errtriage import TYPE_CHECKING, user_cache
from errtriage.user_cache import dump, load

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

__all__ = ["dump", "key_of", "load", "read_cached", "read_shipped", "write_cached", "write_shipped"]

_MAKERS = ("data.py", "files.py", "checks.py", "match_checks.py", "translations.py", "literals.py")
_ENDINGS = (".yaml", ".yml")
FORMAT = 5  # raise when the plain form changes its shape
SHIPPED = "compiled.marshal"  # beside the entries, in the wheel
SHIPPED_TEXTS = "compiled.{lang}.marshal"  # their translations, likewise


def key_of(folders: Sequence[str | Path], version: str) -> list[Any]:
    """Return what the cached form depends on: version, the modules that make it, and every file of the folders."""
    here = os.path.dirname(__file__)  # noqa: PTH120
    makers = [os.stat(os.path.join(here, name)).st_mtime_ns for name in _MAKERS]  # noqa: PTH116, PTH118
    return [FORMAT, version, [[str(folder), user_cache.listing(folder, _ENDINGS)] for folder in folders], makers]


def read_shipped(folder: str | Path, version: str, name: str = SHIPPED) -> Any:
    """Return the compiled form that a wheel holds beside its entries; None where there is none of this version."""
    try:
        with open(os.path.join(folder, name), "rb") as stream:  # noqa: PTH118, PTH123
            compiled = load(stream.read())
    except (OSError, EOFError, ValueError, TypeError):
        return None
    return compiled["value"] if compiled["key"] == [FORMAT, version] else None


def write_shipped(target: Path, value: Any, version: str) -> None:
    """Write the compiled form for a wheel."""
    target.write_bytes(dump({"key": [FORMAT, version], "value": value}))


def read_cached(key: list[Any]) -> Any:
    """Return what was stored under a key; None where there is nothing to be trusted."""
    return user_cache.read(_name(key), key)


def write_cached(key: list[Any], value: Any) -> None:
    """Store a value under a key, at once or not at all; a folder that can not be written is no error."""
    user_cache.write(_name(key), key, value)


def _name(key: list[Any]) -> str:
    """Return a file name for the folders of a key: a change of their files takes the place of the old form."""
    import zlib

    folders = "\0".join(str(folder) for folder, _ in key[2])
    return f"knowledge-{zlib.crc32(folders.encode(errors='surrogateescape')):08x}.marshal"
