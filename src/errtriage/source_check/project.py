"""The files that a check may read: Python sources below one folder, each parsed once, within bounds."""

from __future__ import annotations

import tokenize
from pathlib import Path

from errtriage.source_check.module import Module
from errtriage.source_check.paths import real_path

LARGEST_FILE = 1 << 20  # bytes; longer sources are generated
_MOST_FILES = 200  # files that are kept parsed at a time


class Project:
    """Reads sources that lie below `root` (links resolved), nothing else."""

    def __init__(self, root: Path) -> None:
        """Take the folder; nothing is read yet."""
        self.root = real_path(root)
        self._modules: dict[Path, Module | None] = {}

    @property
    def is_full(self) -> bool:
        """Whether so many files are kept that the next ones had better be read by a new project."""
        return len(self._modules) >= _MOST_FILES

    def module(self, path: Path) -> Module | None:
        """Return a parsed file; None where it lies outside of the root, is no file, too long or no Python."""
        real = real_path(path)
        if real not in self._modules:
            within = real.is_relative_to(self.root) and len(self._modules) < 2 * _MOST_FILES
            self._modules[real] = _parsed(path, real) if within else None
        return self._modules[real]

    def imported(self, name: str, by: Module) -> Module | None:
        """Return the file of this project that an import of `by` names (`models.net`, `..net`)."""
        level = len(name) - len(name.lstrip("."))
        parts = [part for part in name.split(".") if part]
        if not parts or not all(part.isidentifier() for part in parts):
            return None
        folder = by.path.parent
        folders = [folder.joinpath(*[".."] * (level - 1))] if level else [folder, self.root]
        for base in folders:
            for file in (base.joinpath(*parts).with_suffix(".py"), base.joinpath(*parts, "__init__.py")):
                found = self.module(file) if file.is_file() else None
                if found is not None and found is not by:
                    return found
        return None


def read_source(path: Path) -> str | None:
    """Return the text of a Python file as its own coding line says; None where it can not be read."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST_FILE:
            return None
        with tokenize.open(path) as file:
            return file.read()
    except (OSError, SyntaxError, UnicodeDecodeError, LookupError):
        return None


def _parsed(path: Path, real: Path) -> Module | None:
    text = read_source(real)
    if text is None:
        return None
    try:
        return Module(path, text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
