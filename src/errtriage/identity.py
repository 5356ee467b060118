"""Which rank and node a log belongs to, as far as its file name says."""

from __future__ import annotations

import re

# `rank` is plain; other words name a rank only where nothing but the kind of file follows their number.
_ENDING = r"(?=(?:[_.\-](?:std)?(?:out|err|log|txt|stdout|stderr))*(?:\.\w{1,6}){0,3}$)"
_RANK = re.compile(r"(?:^|[^a-z])(?:(?:global|local|node)[_-]?)?rank[_\-.=]?(\d{1,6})(?!\d)", re.IGNORECASE)
_WORKER = re.compile(r"(?:^|[^a-z])(?:worker|proc(?:ess)?|task|gpu|trainer)[_\-.=]?(\d{1,5})" + _ENDING, re.IGNORECASE)
_SLURM = re.compile(r"(?:^|[_\-])(?:slurm|job|log)?-?\d{3,}[_.\-](\d{1,4})\.(?:out|err|log|txt)\b", re.IGNORECASE)
_ATTEMPT = re.compile(r"attempt_\d+/(\d{1,4})/(?:std(?:out|err)\.log|error\.json)$")
_NUMBERED = re.compile(r"^(?:std(?:out|err)|log|out|err)[_.\-](\d{1,4})(?:\.\w+)?$", re.IGNORECASE)
_HOST = re.compile(
    r"(?:^|[_.\-])((?:node|host|gpu-node|gpunode|compute|cn|nid|ip|dgx|worker-node)"
    r"(?:-[a-z\d]{1,12}|\d{1,6})(?:-\d+){0,4})(?=[_.]|-(?:rank|worker|gpu)|$)",
    re.IGNORECASE,
)
_SYSTEM = re.compile(r"dmesg|kern|syslog|journal|messages", re.IGNORECASE)


def identity_of_source(name: str) -> tuple[int | None, str | None]:
    """Return the rank and the host that the path of a log names (`node-b_rank_5.txt`), None where it names none."""
    path = name.replace("\\", "/")
    parts = path.split("/")
    base = parts[-1]
    host = _HOST.search(base) or (_HOST.search(parts[-2]) if len(parts) > 1 else None)
    if _SYSTEM.search(base):
        return None, (host[1] if host else None)
    patterns = (_RANK, _WORKER, _SLURM, _NUMBERED)
    found = _ATTEMPT.search(path) or next((match for regex in patterns if (match := regex.search(base))), None)
    return (int(found[1]) if found else None), (host[1] if host else None)
