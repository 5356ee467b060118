"""What a log tells of its run beside faults: versions, sizes, the command; from banners, paths and events."""

from __future__ import annotations

from errtriage.lazy_regex import lazy
from errtriage.model import Event, Facts
from errtriage.progress import Progress

_NUMBERS = ("world_size", "classes", "batch_size")
_PYTHON_PATH = lazy(r"[\\/]python(\d\.\d+)[\\/]|[\\/]Python(\d)(\d+)[\\/]")
_DIST_INFO = lazy(r"[\\/](torch|numpy|transformers)-(\d+\.\d+[\w.]*)(?:\.dist-info|\.egg)")


class FactBook:
    """Collects facts; of two versions of one thing the first printed counts."""

    def __init__(self) -> None:
        """Start empty."""
        self._versions: dict[str, str] = {}
        self._numbers: dict[str, int] = {}
        self._command: str | None = None
        self._paths_read = 0

    def add(self, event: Event) -> None:
        """Take an `environment` event."""
        name, version = event.fields.get("name", ""), event.fields.get("version", "")
        if name in _NUMBERS and version.isdigit():
            self._numbers.setdefault(name, int(version))
        elif name and version and name not in _NUMBERS:
            self._versions.setdefault(name, version)

    def learn(self, event: Event) -> None:
        """Take what any event tells by the way: its command, the Python version of its paths."""
        if event.kind == "attempt" and event.fields.get("command"):
            self._command = event.fields["command"]
        if event.frames and self._paths_read < 16:
            self._paths_read += 1
            for frame in event.frames:
                self._learn_path(frame.file)

    def _learn_path(self, path: str) -> None:
        found = _PYTHON_PATH.search(path)
        if found:
            self._versions.setdefault("python", found[1] or f"{found[2]}.{found[3]}")
        for name, version in _DIST_INFO.findall(path):
            self._versions.setdefault(name, version)

    def facts(self, progress: Progress, attempts: int) -> Facts:
        """Return what was learnt."""
        return Facts(
            versions=dict(self._versions),
            world_size=self._numbers.get("world_size"),
            classes=self._numbers.get("classes"),
            batch_size=self._numbers.get("batch_size"),
            last_step=progress.last_step,
            total_steps=progress.total_steps,
            last_checkpoint=progress.last_checkpoint,
            attempts=attempts,
            command=self._command,
        )
