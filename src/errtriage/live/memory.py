"""The memory of a command: the peak of all its processes together, the limit on it, and who was killed for it."""

from __future__ import annotations

import os

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_MOST_PROCESSES = 4096
_NO_LIMIT = 1 << 60  # cgroup v1 writes a number near 2^63 where there is no limit


class Memory:
    """Watches the memory of a process and its descendants (Linux; elsewhere only what `wait4` tells is known)."""

    def __init__(self, pid: int) -> None:
        """Take the root of the processes, and note how many were killed before."""
        self._pid = pid
        self.peak = 0
        self._cgroups = _cgroups()
        self._limit_kills = self._count_limit_kills()
        self._machine_kills = _machine_kills()

    def sample(self) -> None:
        """Look once."""
        self.peak = max(self.peak, tree_memory(self._pid))

    def add_largest(self, size: int) -> None:
        """Take the size in bytes of its largest process, as the system told when it ended."""
        self.peak = max(self.peak, size)

    @property
    def limit(self) -> int | None:
        """The tightest limit of our cgroup and those above it, in bytes."""
        limits = [_number(f"{folder}/{name}") for folder in self._cgroups for name in _LIMITS]
        return min((one for one in limits if one is not None and one < _NO_LIMIT), default=None)

    @property
    def limit_kills(self) -> int:
        """How many processes our cgroup's limit has killed since we started."""
        return max(0, self._count_limit_kills() - self._limit_kills)

    @property
    def machine_kills(self) -> int:
        """How many processes the kernel has killed for memory on this machine since we started."""
        return max(0, _machine_kills() - self._machine_kills)

    def _count_limit_kills(self) -> int:
        # Of each hierarchy the nearest group that counts does, and it counts those below itself.
        for folder in self._cgroups:
            for name in ("memory.events", "memory.oom_control"):
                found = _field(f"{folder}/{name}", "oom_kill")
                if found is not None:
                    return found
        return 0


_LIMITS = ("memory.max", "memory.limit_in_bytes")


def machine_memory() -> int | None:
    """Return the memory of the machine in bytes."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * _PAGE
    except (AttributeError, ValueError, OSError):
        return None


def tree_memory(pid: int) -> int:
    """Return the bytes that a process and its descendants hold: what each has alone, and the largest shared part."""
    alone, shared = 0, 0
    waiting, seen = [pid], 0
    while waiting and seen < _MOST_PROCESSES:
        one = waiting.pop()
        seen += 1
        text = _text(f"/proc/{one}/statm").split()
        if len(text) > 2:
            alone += (int(text[1]) - int(text[2])) * _PAGE
            shared = max(shared, int(text[2]) * _PAGE)
        waiting += _children(one)
    return alone + shared


def _children(pid: int) -> list[int]:
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 (names, many times a minute)
    except OSError:
        return []
    found: list[int] = []
    for thread in threads:  # a process is the child of the thread that started it
        found += map(int, _text(f"/proc/{pid}/task/{thread}/children").split())
    return found


def _cgroups() -> list[str]:
    """Return the folders of our memory cgroup and of those above it, nearest first."""
    folders: list[str] = []
    for line in _text("/proc/self/cgroup").splitlines():
        _, _, rest = line.partition(":")
        kinds, _, path = rest.partition(":")
        if kinds not in ("", "memory") and "memory" not in kinds.split(","):
            continue
        base = "/sys/fs/cgroup/memory" if kinds else "/sys/fs/cgroup"
        parts = [part for part in path.split("/") if part and part != ".."]
        # Inside of a container the path may be the host's: then only the top is there.
        folders += [os.path.join(base, *parts[:depth]) for depth in range(len(parts), -1, -1)]  # noqa: PTH118
    return folders


def _machine_kills() -> int:
    return _field("/proc/vmstat", "oom_kill") or 0


def _field(path: str, name: str) -> int | None:
    for line in _text(path).splitlines():
        words = line.split()
        if len(words) == 2 and words[0] == name and words[1].isdigit():
            return int(words[1])
    return None


def _number(path: str) -> int | None:
    text = _text(path).strip()
    return int(text) if text.isdigit() else None


def _text(path: str) -> str:
    try:
        with open(path, encoding="ascii", errors="replace") as file:  # noqa: PTH123 (read many times a minute)
            return file.read()
    except OSError:
        return ""
