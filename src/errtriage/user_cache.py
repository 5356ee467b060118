"""Plain data kept between runs in a folder of the user's own; it is trusted only where nobody else could write it.

Paths are strings here: importing `pathlib` would be felt in the time that a small log takes.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys

from errtriage import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

_MARSHAL = 4  # a version of the format that every Python from 3.4 on reads
_FOREIGN_WRITE = stat.S_IWGRP | stat.S_IWOTH
_KEPT_FOR = 60 * 86_400  # seconds; what was written before is of folders that may be long gone, or is made again


def dump(value: Any) -> bytes:
    """Return plain data as bytes that every supported Python reads."""
    return marshal.dumps(value, _MARSHAL)


def load(blob: bytes) -> Any:
    """Return the plain data of bytes that `dump` made. Only for bytes that no other user could have written."""
    return marshal.loads(blob)


def read(name: str, key: Any) -> Any:
    """Return what was stored in a file under a key; None where that is not so, or where another user could write it."""
    try:
        folder = _cache_folder()
        if not _is_ours(os.lstat(folder)):
            return None
        handle = os.open(f"{folder}/{name}", os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
        with open(handle, "rb") as stream:  # noqa: PTH123 - the handle was opened without following links
            found = load(stream.read()) if _is_ours(os.fstat(handle)) else {}
    except (OSError, EOFError, ValueError, TypeError, RuntimeError, MemoryError):  # a damaged length can ask for all
        return None
    return found["value"] if isinstance(found, dict) and found.get("key") == key else None


def write(name: str, key: Any, value: Any) -> None:
    """Store a value in a file under a key, at once or not at all; a folder that can not be written is no error.

    Files that were written long ago are removed.
    """
    from contextlib import suppress
    from pathlib import Path

    temporary = None
    try:
        folder = Path(_cache_folder())
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_ours(os.lstat(folder)):
            return
        temporary = folder / f"{name}.{os.getpid()}"
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with open(handle, "wb") as stream:  # noqa: PTH123
            stream.write(dump({"key": key, "value": value}))
        temporary.replace(folder / name)
        _remove_old(folder)
    except (OSError, ValueError, RuntimeError):
        if temporary is not None:
            with suppress(OSError):  # a file system for reading alone says so even of a file that is not there
                temporary.unlink()


def _remove_old(folder: Path) -> None:
    import time

    for file in folder.iterdir():
        if file.lstat().st_mtime < time.time() - _KEPT_FOR:
            file.unlink(missing_ok=True)


def listing(folder: Any, endings: tuple[str, ...]) -> list[list[Any]]:
    """Return what tells a change of the files of a folder: name, size and time of each; nothing where it is none."""
    try:
        with os.scandir(folder) as found:
            files = [(item.name, item.stat()) for item in found if item.name.endswith(endings)]
    except OSError:
        return []
    return sorted([name, status.st_size, status.st_mtime_ns] for name, status in files)


def _cache_folder() -> str:
    """Return the folder for caches of this user, as the system's custom has it."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or _at_home("~/AppData/Local")
    elif sys.platform == "darwin":
        base = _at_home("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(base):  # noqa: PTH117 - freedesktop's base directories: a relative path is to be ignored
            base = _at_home("~/.cache")
    return f"{base}/errtriage"


def _at_home(path: str) -> str:
    found = os.path.expanduser(path)  # noqa: PTH111
    if found == path:
        raise RuntimeError("this user has no home")
    return found


def _is_ours(status: os.stat_result) -> bool:
    """Whether nobody but this user can have written it. Windows keeps a user's caches private by its own rights."""
    if not hasattr(os, "geteuid"):
        return True
    plain = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
    return plain and status.st_uid == os.geteuid() and not status.st_mode & _FOREIGN_WRITE
