"""Which rank and node a log belongs to, as far as its file name says."""

from __future__ import annotations

from errtriage.regex_store import compiled

# `rank` is plain; other words name a rank only where nothing but the kind of file follows their number.
_ENDING = r"(?=(?:[_.\-](?:std)?(?:out|err|log|txt|stdout|stderr))*(?:\.\w{1,6}){0,3}$)"
_STREAM = r"(?:std(?:out|err)|log|out|err)"
# One of the words must stand in the path (in small letters) before the regex is searched in it.
_RANKS = (
    (("attempt_",), r"attempt_\d+/(\d{1,4})/(?:std(?:out|err)\.log|error\.json)$"),
    (("rank",), r"(?:^|[^a-z])(?:(?:global|local|node)[_-]?)?rank[_\-.=]?(\d{1,6})(?!\d)[^/]*$"),
    (
        ("worker", "proc", "task", "gpu", "trainer"),
        r"(?:^|[^a-z])(?:worker|proc(?:ess)?|task|gpu|trainer)[_\-.=]?(\d{1,5})" + _ENDING,
    ),
    (("slurm", "job", ".out", ".err"), r"(?:^|[_\-/])(?:slurm|job|log)?-?\d{3,}[_.\-](\d{1,4})\.(?:out|err|log|txt)\b"),
    (("out", "err", "log"), rf"(?:^|/){_STREAM}[_.\-](\d{{1,4}})(?:\.\w+)?$"),
)
_HOST_WORDS = ("node", "host", "compute", "cn", "nid", "ip", "dgx")
_HOST = (
    r"(?i)(?:^|[_.\-])((?:node|host|gpu-node|gpunode|compute|cn|nid|ip|dgx|worker-node)"
    r"(?:-[a-z\d]{1,12}|\d{1,6})(?:-\d+){0,4})(?=[_.]|-(?:rank|worker|gpu)|$)"
)
_SYSTEM = ("dmesg", "kern", "syslog", "journal", "messages")


def identity_of_source(name: str) -> tuple[int | None, str | None]:
    """Return the rank and the host that the path of a log names (`node-b_rank_5.txt`), None where it names none."""
    path = name.replace("\\", "/")
    small = path.lower()
    folder, _, base = path.rpartition("/")
    rank = None
    if not any(word in small.rpartition("/")[2] for word in _SYSTEM):
        rank = next(filter(None, (_number(regex, small) for words, regex in _RANKS if _has(small, words))), None)
    host = next(filter(None, (_host(part) for part in (base, folder.rpartition("/")[2]))), None)
    return (None if rank is None else int(rank)), host


def _has(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words) and any(map(str.isdigit, text))


def _number(regex: str, path: str) -> str | None:
    found = compiled(regex).search(path)
    return found[1] if found else None


def _host(part: str) -> str | None:
    found = compiled(_HOST).search(part) if any(word in part.lower() for word in _HOST_WORDS) else None
    return found[1] if found else None
