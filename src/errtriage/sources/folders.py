"""Which files of a folder are logs: by name, and by a look at the first bytes."""

from __future__ import annotations

import os
import re
from pathlib import Path

from errtriage.lazy_regex import lazy
from errtriage.regex_store import compiled

MOST_FILES = 10_000

_LOG_NAMES = lazy(
    r"\.(?:log|out|err|txt|stdout|stderr|output|dmesg|jsonl)(?:[.-][\d-]+)?(?:\.(?:gz|bz2|xz|zst))?$|"
    r"^(?:slurm|dmesg|syslog|journal|stdout|stderr|console|nohup|log)\b|\.[oe]\d+(?:[.-]\d+)?$|^error\.json$",
    re.IGNORECASE,
)
_NEVER = lazy(
    r"\.(?:pyc?|pyi|ipynb|sh|bash|c|cc|cpp|cuh?|h|hpp|js|ts|html?|css|md|rst|ya?ml|toml|cfg|ini|json|xml|csv|tsv|"
    r"pth?|ckpt|safetensors|bin|onnx|gguf|h5|hdf5|npy|npz|pkl|pickle|parquet|arrow|db|sqlite3?|wandb|lock|patch|diff|"
    r"png|jpe?g|gif|bmp|webp|tiff?|svg|pdf|mp[34]|wav|avi|mov|flac|zip|tar|tgz|7z|rar|whl|egg|so|o|a|dll|exe|class|jar|"
    r"tar\.\w+)$|tfevents|requirements.*\.txt$|(?:^|[._-])vocab.*\.txt$|^merges\.txt$",
    re.IGNORECASE,
)
_SKIPPED_FOLDERS = {"__pycache__", "node_modules", "site-packages", "checkpoints", "venv"}


def logs_of(folder: str) -> list[str]:
    """Return the log-like files under a folder, sorted by path; hidden files and links to folders are left out.

    Raises OSError where the folder may not be listed.
    """
    next(Path(folder).iterdir(), None)  # os.walk would hide that the folder may not be read
    found: list[Path] = []
    for base, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED_FOLDERS and not name.startswith("."))
        found += [path for name in files if _is_log(path := Path(base, name))]
        if len(found) > MOST_FILES:
            break
    return [str(path) for path in sorted(found)[:MOST_FILES]]


def _is_log(path: Path) -> bool:
    name = path.name
    if name.startswith("."):
        return False
    if _LOG_NAMES.search(name) and not compiled(r"requirements|vocab|merges", re.IGNORECASE).search(name):
        return path.is_file()
    return not _NEVER.search(name) and path.is_file() and _is_text(path)


def _is_text(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(1024)
    except OSError:
        return False
    marked = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    return bool(head) and (marked or (b"\0" not in head and sum(byte < 9 for byte in head) == 0))
