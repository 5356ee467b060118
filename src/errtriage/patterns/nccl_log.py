"""NCCL's own lines: every WARN, and those few INFO texts that tell which network it uses or that it gave up."""

from __future__ import annotations

import re

from errtriage.model import Event, Line
from errtriage.patterns.base import LinePattern, event, replace
from errtriage.patterns.collective_fields import collective_fields

KIND = "nccl"


def _make(line: Line, found: re.Match[str]) -> Event:
    fields = {k: v.strip() if v else None for k, v in found.groupdict().items()}
    place = (fields.pop("place") or "").rpartition(":")
    fields.update(file=place[0] or place[2] or None, line=place[2] if place[0] else None)
    told = collective_fields(fields["message"] or "")
    made = event(KIND, line, {**fields, "peer": told.get("peer")}, text=found[0].strip())
    return replace(made, host=made.host or fields["host"])


# NCCL 2.4 to 2.30 (src/debug.cc): host:pid:thread [device] file:line NCCL LEVEL text; RCCL prints the same.
PATTERNS: tuple[LinePattern, ...] = (
    LinePattern(
        kind=KIND,
        literals=(
            "NCCL WARN", "NCCL INFO Bootstrap : Using", "NCCL INFO NET/Socket : Using", "NCCL INFO NET/IB : No device",
            "NCCL INFO NET/IB : Using", "Abort COMPLETE", "Connection closed by localRank", "NCCL INFO Using network",
            ", retrying", "NCCL INFO bootstrap.cc:",
        ),
        regex=r"(?:(?<![\w.-])(?P<host>[\w.-]{1,200}):(?P<pid>\d{1,10}):\d{1,10} \[(?P<device>-?\d{1,4})\] )?"
        r"(?:(?<![\w./+-])(?P<place>[\w./+-]{1,120}(?::\d{1,6})?) )?NCCL (?P<level>WARN|INFO) (?P<message>\S.{0,1000})",
        make=_make,
        examples=(
            "box-mpi1:9105:9415 [3] include/shm.h:28 NCCL WARN Call to posix_fallocate failed : No space left on "
            "device",
            "srv-b:1310:1310 [0] NCCL INFO NET/Socket : Using [0]docker0:172.17.0.1<0> [1]enp5s0:192.168.50.22<0>",
            "[2025-01-31 12:00:00] n1:77:78 [0] ncclCommInitRankFunc:1 NCCL WARN Duplicate GPU detected : rank 1 "
            "and rank 0",
        ),
        ignore=("NCCL WARNINGS are off", "NCCL version 2.14.3+cuda11.7"),
    ),
)  # fmt: skip
