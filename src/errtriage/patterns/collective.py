"""Lines of torch.distributed about its collectives: watchdog, heartbeat, desync reports, barriers and aborted work.

`phase` is timeout, status (what a rank enqueued and completed), heartbeat, desync, abort, dump or teardown here;
store and connect in `store`.
"""

from __future__ import annotations

import re

from errtriage.model import Event, Line
from errtriage.patterns.base import Block, BlockPattern, Fed, LinePattern, Make, compiled, event, replace
from errtriage.patterns.collective_fields import collective_fields
from errtriage.patterns.cuda_error import cuda_code
from errtriage.values import dataclass, field

KIND = "collective"

_ERROR = r"(?:terminated with exception|async exception|exception): (?P<error>(?:NCCL|CUDA|HIP|XPU) [Ee]rror.*)"
_DETAIL = r"^\s*(?:nccl[A-Z]\w{3,30}: |Last error:)"
_STACK = r"^\s*(?:Exception raised from |frame #\d|#\d{1,3} \S|C\+\+ CapturedTraceback:|<omitting python frames>)"
_HINT = r"^\s*(?:(?:CUDA|HIP) kernel errors might|For debugging consider|Compile with `TORCH_USE|Search for [`'])"


def speaking(phase: str) -> Make:
    """Return a maker of collective events: the fields of the whole line, and its rank for the event."""

    def make(line: Line, found: re.Match[str]) -> Event:
        groups = {k: v.strip() for k, v in found.groupdict().items() if v is not None}
        fields = {"phase": phase, "message": line.text[found.start() :].strip()[:2000], **collective_fields(line.text)}
        return ranked(event(KIND, line, {**fields, **groups}))

    return make


def ranked(made: Event) -> Event:
    """Return the event with the rank that its own text names."""
    rank = made.fields.get("rank", "")
    return replace(made, rank=int(rank)) if rank.isdigit() else made


@dataclass
class _Error:
    """A watchdog's line with an error of NCCL or CUDA, and the lines of that error."""

    line: Line
    error: str
    details: list[str] = field(default_factory=list)
    last: Line | None = None
    named: bool = False  # the line after `Last error:` is NCCL's own

    def feed(self, line: Line) -> Fed:
        text = line.text
        wanted = self.named and text.strip() and not compiled(_STACK).match(text)
        self.named = False
        if wanted or compiled(_DETAIL).match(text):
            self.details.append(text.strip())
            self.named = text.strip() == "Last error:"
        elif text.strip() and not compiled(_STACK).match(text) and not compiled(_HINT).match(text):
            return Fed.ENDED
        self.last = line if text.strip() else self.last
        return Fed.TAKEN

    def close(self) -> tuple[Event, ...]:
        message = "\n".join([self.error, *self.details])
        fields = {**collective_fields(f"{self.line.text}\n{message}"), "message": message}
        if self.error.startswith("NCCL"):
            made = event(KIND, self.line, {"phase": "abort", **fields}, last=self.last)
        else:
            rank = compiled(r"Rank (\d{1,7})\]").search(self.line.text)
            told = {"message": self.error, "code": cuda_code(self.error), "watchdog": "yes"}
            made = event("cuda_error", self.line, {**told, "rank": rank[1] if rank else None}, last=self.last)
        return (ranked(made),)


@dataclass(slots=True)
class WatchdogError:
    """Opened by a watchdog's line that reports an error other than a timeout."""

    kind: str = KIND
    literals: tuple[str, ...] = ("terminated with exception: ", "async exception: ")
    bound: int = 120
    examples: tuple[str, ...] = (
        "[rank1]:[E415 21:17:08.812 ProcessGroupNCCL.cpp:552] [Rank 1] Collective WorkNCCL(SeqNum=512, "
        "OpType=ALLREDUCE, "
        "NumelIn=1, NumelOut=1, Timeout(ms)=600000) raised the following async exception: NCCL error: remote process "
        "exited or there was a network error, NCCL version 2.21.5\nncclRemoteError: A call failed possibly due to a "
        "network error or a remote process exiting prematurely.\nLast error:\nsocketProgress: Connection closed by "
        "remote peer node-a<41822>",
    )
    ignore: tuple[str, ...] = ("the thread terminated with exception: none",)

    def open(self, line: Line) -> Block | None:
        """Open where the line itself begins the error; a timeout is a line of its own."""
        found = compiled(_ERROR).search(line.text)
        if found is None or "what():" in line.text[: found.start()]:
            return None
        return _Error(line=line, error=found["error"].strip())


# Texts of torch/csrc/distributed/c10d (ProcessGroupNCCL.cpp, ProcessGroupGloo.cpp, TraceUtils.h), torch 1.9 to 2.13.
_LINES: tuple[LinePattern, ...] = (
    LinePattern(
        kind=KIND,
        literals=("terminated with exception: [",),
        regex=r"watchdog thread terminated with exception: \[",
        make=speaking("abort"),
        examples=(
            "[E ProcessGroupNCCL.cpp:916] [Rank 3] NCCL watchdog thread terminated with exception: [Rank 3] "
            "Watchdog caught "
            "collective operation timeout: WorkNCCL(SeqNum=166, OpType=ALLREDUCE, NumelIn=5, NumelOut=5, "
            "Timeout(ms)=1800000) ran for 1800117 milliseconds before timing out.",
        ),
        ignore=("the thread terminated with exception: [Errno 2]",),
    ),
    LinePattern(
        kind=KIND,
        literals=("collective operation timeout: ", "timed out in blocking wait"),
        regex=r"(?<!exception: )(?:(?:Watchdog c|C)aught collective operation timeout: |Work\w{2,8}\(.{0,300}? "
        r"timed out in "
        r"blocking wait)",
        make=speaking("timeout"),
        examples=(
            "[E ProcessGroupNCCL.cpp:828] [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=6113, "
            "OpType=ALLREDUCE, Timeout(ms)=1800000) ran for 1800730 milliseconds before timing out.",
            "Watchdog caught collective operation timeout: WorkNCCL(OpType=BROADCAST, TensorShape=[2, 3], "
            "Timeout(ms)=5)",
        ),
        ignore=("set the collective operation timeout: 30",),
    ),
    LinePattern(
        kind=KIND,
        literals=("Timeout at NCCL work: ", "detected by watchdog at work", "last enqueued NCCL work"),
        regex=r"Timeout at NCCL work: |(?:Exception \(either an error or timeout\)|failure) detected by watchdog at "
        r"work|"
        r"(?<!\. )[Ll]ast enqueued NCCL work: \d",
        make=speaking("status"),
        examples=(
            "[PG 0 Rank 3] Timeout at NCCL work: 3749, last enqueued NCCL work: 3751, last completed NCCL work: 3748.",
            "[PG ID 0 PG GUID 0(default_pg) Rank 1]  failure detected by watchdog at work sequence id: 512 PG "
            "status: last "
            "enqueued work: 512, last completed work: 511",
        ),
        ignore=("Timeout at NCCL worker",),
    ),
    LinePattern(
        kind=KIND,
        literals=("dump signal due to", "flight recorder dump signal", "Flight Recorder debug info to"),
        regex=r"Received a (?:global )?dump signal due to (?P<reason>a collective timeout|[\w ]{1,60}?)(?: from|,|"
        r"\.)|Observed "
        r"flight recorder dump signal from another rank|Finished writing Flight Recorder debug info to "
        r"(?P<file>\S{1,400})",
        make=speaking("dump"),
        examples=(
            "Received a dump signal due to a collective timeout from rank 5 and we will try our best to dump the "
            "debug info. "
            "Last enqueued NCCL work: 12, last completed NCCL work: 11.",
        ),
        ignore=("no dump signal due today",),
    ),
    LinePattern(
        kind=KIND,
        literals=("watchdog got stuck for", "detects no heartbeat", "Heartbeat monitor timed out", "GIL induced hang"),
        regex=r"watchdog got stuck for (?P<seconds>\d{1,9}) seconds|detects no heartbeat|Heartbeat monitor timed out|"
        r"possible GIL induced hang",
        make=speaking("heartbeat"),
        examples=(
            "[PG ID 0 PG GUID 0(default_pg) Rank 2] ProcessGroupNCCL's watchdog got stuck for 480 seconds without "
            "making "
            "progress in monitoring enqueued collectives.",
        ),
        ignore=("the watchdog got stuck",),
    ),
    LinePattern(
        kind=KIND,
        literals=(
            "didn't join collective #",
            "didn't finish collective #",
            "never joined any collectives",
            "are the lagging ranks",
            "finished ranks:",
        ),
        regex=r"\[(?P<ranks>\d[\d, .]{0,400})\] (?:(?:joined but didn't finish|finished) collective #(?P<seq>\d{1,12})"
        r"(?:, but didn't join collective #(?P<missed>\d{1,12}))?|are the lagging ranks.{0,80})|"
        r"#(?P<at>\d{1,12}) (?:started|finished) ranks:",
        make=speaking("desync"),
        examples=(
            "\t   - [1] finished collective #11, but didn't join collective #12 (count from 1)",
            "\t - To our best knowledge, ranks [0, 1] are the lagging ranks that caused this timeout. They never "
            "joined any "
            "collectives",
        ),
        ignore=("he never joined any collectives",),
    ),
    LinePattern(
        kind=KIND,
        literals=("failed to pass monitoredBarrier", "reached monitoredBarrier, but", "processed in monitoredBarrier"),
        regex=r"Ranks? \d[\d, ]{0,400} failed to pass monitoredBarrier|reached monitoredBarrier, but received errors|"
        r"No ranks successfully processed in monitoredBarrier",
        make=speaking("timeout"),
        examples=("[E ProcessGroupGloo.cpp:2853] [Rank 0]: Ranks 1, 3 failed to pass monitoredBarrier in 10000 ms",),
        ignore=("Rank 1 passed monitoredBarrier",),
    ),
    LinePattern(
        kind=KIND,
        literals=("NCCL operations have failed or timed out", "we are taking the entire process down"),
        regex=r"Some NCCL operations have failed or timed out|we are taking the entire process down",
        make=speaking("abort"),
        examples=(
            "[E ProcessGroupNCCL.cpp:583] [Rank 3] To avoid data inconsistency, we are taking the entire process down.",
        ),
        ignore=("NCCL operations have finished",),
    ),
    LinePattern(
        kind=KIND,
        literals=("process group has NOT been destroyed", "destroy_process_group() was not called"),
        regex=r"process group has NOT been destroyed|destroy_process_group\(\) was not called",
        make=speaking("teardown"),
        examples=(
            "Warning: WARNING: destroy_process_group() was not called before program exit, which can leak resources.",
        ),
        ignore=("destroy_process_group() was called",),
    ),
)

PATTERNS: tuple[LinePattern | BlockPattern, ...] = (WatchdogError(), *_LINES)
