"""The compiled knowledge: shipped in the wheel, or kept per user for a checkout and for added folders.

Paths are strings here: importing `pathlib` would be felt in the time that a small log takes.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
import zlib
from collections.abc import Sequence

from errtriage import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any


_MAKERS = ("data.py", "files.py", "checks.py", "match_checks.py", "translations.py", "literals.py")
FORMAT = 5  # raise when the plain form changes its shape
SHIPPED = "compiled.marshal"  # beside the entries, in the wheel
SHIPPED_TEXTS = "compiled.{lang}.marshal"  # their translations, likewise
_MARSHAL = 4  # a version of the format that every Python from 3.4 on reads
_FOREIGN_WRITE = stat.S_IWGRP | stat.S_IWOTH


def dump(value: Any) -> bytes:
    """Return plain data as bytes that every supported Python reads."""
    return marshal.dumps(value, _MARSHAL)


def load(blob: bytes) -> Any:
    """Return the plain data of bytes that `dump` made. Only for bytes that no other user could have written."""
    return marshal.loads(blob)


def key_of(folders: Sequence[str | Path], version: str) -> list[Any]:
    """Return what the cached form depends on: version, the modules that make it, and every file of the folders."""
    here = os.path.dirname(__file__)  # noqa: PTH120
    makers = [os.stat(os.path.join(here, name)).st_mtime_ns for name in _MAKERS]  # noqa: PTH116, PTH118
    return [FORMAT, version, [[str(folder), _listing(folder)] for folder in folders], makers]


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
    """Return what was stored under a key; None where there is nothing, or where another user could have written it."""
    try:
        folder = _cache_folder()
        if not _is_ours(os.lstat(folder)):
            return None
        handle = os.open(
            f"{folder}/{_name(key)}", os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        )
        with open(handle, "rb") as stream:  # noqa: PTH123 - the handle was opened without following links
            found = load(stream.read()) if _is_ours(os.fstat(handle)) else {}
    except (OSError, EOFError, ValueError, TypeError, RuntimeError):
        return None
    return found["value"] if isinstance(found, dict) and found.get("key") == key else None


def write_cached(key: list[Any], value: Any) -> None:
    """Store a value under a key, at once or not at all; a folder that can not be written is no error."""
    from pathlib import Path

    temporary = None
    try:
        folder = Path(_cache_folder())
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_ours(os.lstat(folder)):
            return
        temporary = folder / f"{_name(key)}.{os.getpid()}"
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with open(handle, "wb") as stream:  # noqa: PTH123
            stream.write(dump({"key": key, "value": value}))
        temporary.replace(folder / _name(key))
    except (OSError, ValueError, RuntimeError):
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _cache_folder() -> str:
    """Return the folder for caches of this user, as the system's custom has it."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or _at_home("~/AppData/Local")
    elif sys.platform == "darwin":
        base = _at_home("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or _at_home("~/.cache")
    return f"{base}/errtriage"


def _at_home(path: str) -> str:
    found = os.path.expanduser(path)  # noqa: PTH111
    if found == path:
        raise RuntimeError("this user has no home")
    return found


def _name(key: list[Any]) -> str:
    """Return a file name for the folders of a key: a change of their files takes the place of the old form."""
    folders = "\0".join(str(folder) for folder, _ in key[2])
    return f"knowledge-{zlib.crc32(folders.encode(errors='surrogateescape')):08x}.marshal"


def _is_ours(status: os.stat_result) -> bool:
    """Whether nobody but this user can have written it. Windows keeps a user's caches private by its own rights."""
    if not hasattr(os, "geteuid"):
        return True
    plain = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
    return plain and status.st_uid == os.geteuid() and not status.st_mode & _FOREIGN_WRITE


def _listing(folder: str | Path) -> list[list[Any]]:
    try:
        with os.scandir(folder) as found:
            files = [(item.name, item.stat()) for item in found if item.name.endswith((".yaml", ".yml"))]
    except OSError:
        return []
    return sorted([name, status.st_size, status.st_mtime_ns] for name, status in files)
