"""What the failing program's own source shows near a fault: the rules that files below one folder break."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from errtriage import TYPE_CHECKING
from errtriage.lazy_regex import lazy
from errtriage.model import Frame
from errtriage.values import dataclass

if TYPE_CHECKING:
    from pathlib import Path

_FRAMES_LOOKED_AT = 64
_FILES_CHECKED = 8
_SCRIPT = lazy(r"(?:^|[\s'\"=])(?P<path>[^\s'\"=;|&]{1,300}\.py)\b|(?<=\s)-m (?P<module>[\w.]{1,120})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """What was seen: by rule a place in words (`model.py:31 ends in Softmax`), and what to fetch."""

    broken: Mapping[str, str]
    changed: tuple[str, ...] = ()


NOTHING = Near(broken={})


def rules_near(frames: Sequence[Frame], command: str | None, root: str | Path) -> Near:
    """Look at the files of the frames, and at the script of a command, and at what they import.

    A file counts only where each line that the log quotes of it is still the line of the file; where one is not, it has
    changed since the run, and nothing is taken from it. Links are resolved first: nothing outside of `root` is read.
    """
    base = os.path.realpath(root)
    quoted: dict[str, list[Frame]] = {}
    for frame in [one for one in frames if one.user][:_FRAMES_LOOKED_AT]:
        file = _below(frame.file, base)
        if file is not None and frame.line and frame.code:
            quoted.setdefault(file, []).append(frame)
    script = _script(command, base)
    names = dict.fromkeys([*quoted, *([script] if script is not None else [])])
    if not names:
        return NOTHING
    from pathlib import Path

    files, root = [Path(name) for name in names], Path(root)
    changed = {Path(name): said for name, ours in quoted.items() if (said := _change(Path(name), ours))}
    checked = [file for file in files if file not in changed][:_FILES_CHECKED]
    return Near(broken=_broken(checked, set(changed), root), changed=tuple(changed.values()))


def _below(name: str, base: str) -> str | None:
    """Return the file below the root that a path of the log means: itself, or the longest end of it that is there."""
    parts = [part for part in name.replace("\\", "/").split("/") if part and part != "."]
    if ".." in parts or not parts or not parts[-1].endswith(".py"):
        return None
    for start in range(max(0, len(parts) - 12), len(parts)):
        found = _file(base, "/".join(parts[start:]))
        if found is not None:
            return found
    return None


def _file(base: str, name: str) -> str | None:
    # Not by pathlib, whose import would be felt in the time that a small log takes.
    try:
        path = os.path.join(base, name.lstrip("/"))  # noqa: PTH118
        inside = os.path.realpath(path).startswith(os.path.join(base, ""))  # noqa: PTH118
        return path if inside and os.path.isfile(path) else None  # noqa: PTH113
    except (OSError, ValueError):  # a name that no file can have
        return None


def _script(command: str | None, base: str) -> str | None:
    found = _SCRIPT.search(command[:2000]) if command else None
    if found is None:
        return None
    return _below(found["path"] or found["module"].replace(".", "/") + ".py", base)


def _change(file: Path, frames: Sequence[Frame]) -> str:
    """Return what to fetch where a quoted line is not that of the file; "" where all are."""
    from errtriage.source_check.project import read_source

    text = read_source(file)
    lines = text.splitlines() if text is not None else []
    for frame in frames:
        number = frame.line or 0
        now = lines[number - 1].strip() if 0 < number <= len(lines) else ""
        then = (frame.code or "").strip().splitlines()[0].strip()
        if now != then:
            unlike = f"line {number} of the one here is not what the log quotes, so it was not read"
            return f"The {file.name} of the run: {unlike}."
    return ""


def _broken(files: Sequence[Path], changed: set[Path], root: Path) -> dict[str, str]:
    from errtriage.source_check.check import SYNTAX_ERROR, UNREADABLE, check_file
    from errtriage.source_check.flow import Flow
    from errtriage.source_check.paths import real_path
    from errtriage.source_check.project import Project

    flow = Flow(Project(root))
    left_out = {real_path(file) for file in changed}
    found: dict[str, str] = {}
    for file in files:
        for finding in check_file(file, flow):
            if finding.rule not in (SYNTAX_ERROR, UNREADABLE) and real_path(finding.path) not in left_out:
                found.setdefault(finding.rule, f"{_told(finding.path, root)}:{finding.line} {finding.seen}")
    return found


def _told(path: Path, root: Path) -> str:
    from errtriage.source_check.paths import real_path

    try:
        return real_path(path).relative_to(real_path(root)).as_posix()
    except ValueError:
        return path.name
