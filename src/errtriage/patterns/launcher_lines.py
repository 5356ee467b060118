"""Lines of torchrun's agent, torch.distributed.launch, DeepSpeed and Lightning about their processes."""

from __future__ import annotations

import re

from errtriage.exits import signal_name, signal_of
from errtriage.model import Event, Line
from errtriage.patterns.base import LinePattern, Make, event, replace

KIND = "launcher"
_SIGNAL = r"(?:Signals\.)?(?P<signal>SIG[A-Z0-9]{2,8}|\d{1,2})"


def saying(launcher: str, what: str) -> Make:
    """Return a maker of launcher events: `signal` becomes a name, the printed rank also the event's."""

    def make(line: Line, found: re.Match[str]) -> Event:
        groups = {k: v.strip() for k, v in found.groupdict().items() if v is not None}
        signal = signal_name(groups.get("signal")) or signal_of(groups.get("exitcode"))
        fields = {"what": what, "launcher": launcher or None, "message": found[0].strip(), **groups, "signal": signal}
        made = event(KIND, line, fields)
        rank = groups.get("rank", "")
        return replace(made, rank=int(rank) if rank.isdigit() else made.rank, host=groups.get("host", made.host))

    return make


def _killing(line: Line, found: re.Match[str]) -> Event | None:
    launcher = "deepspeed" if "sigkill_handler" in (line.raw or line.text) else "torch.distributed.launch"
    return saying(launcher, "closing_signal")(line, found)


# Texts of torch/distributed/elastic (1.9 to 2.13), torch/distributed/launch.py, deepspeed/launcher, lightning/fabric.
PATTERNS: tuple[LinePattern, ...] = (
    LinePattern(
        kind=KIND,
        literals=("failed (exitcode: ",),
        regex=r"failed \(exitcode: (?P<exitcode>-?\d{1,11})\) local_rank: (?P<local_rank>\d{1,7}) "
        r"\(pid: (?P<pid>\d{1,10})\)(?: of fn: (?P<name>\S{1,200})| of binary: (?P<binary>\S{1,400}))?",
        make=saying("torchrun", "exit"),
        examples=("failed (exitcode: -9) local_rank: 1 (pid: 24351) of binary: /usr/bin/python3",),
        ignore=("the build failed (exit 1)",),
    ),
    LinePattern(
        kind=KIND,
        literals=("closing signal ", "forcefully exiting via", "workers still alive after"),
        regex=rf"Sending process (?P<pid>\d{{1,10}}) closing signal {_SIGNAL}|"
        r"(?P<left>\d{1,7}) workers still alive after \d{1,7} seconds|"
        r"Unable to shutdown process (?P<stuck>\d{1,10}) via \S{1,20}, forcefully exiting via \S{1,20}",
        make=saying("torchrun", "closing_signal"),
        examples=(
            "Sending process 123 closing signal SIGTERM",
            "Unable to shutdown process 123 via Signals.SIGTERM, forcefully exiting via Signals.SIGKILL",
        ),
        ignore=("closing signal handler",),
    ),
    LinePattern(
        kind=KIND,
        literals=("death signal, shutting down",),
        regex=rf"Received {_SIGNAL} death signal, shutting down workers",
        make=saying("torchrun", "agent_signal"),
        examples=(
            "Received Signals.SIGHUP death signal, shutting down workers",
            "Received 15 death signal, shutting down workers",
        ),
        ignore=("Received no death signal",),
    ),
    LinePattern(
        kind=KIND,
        literals=(") received by PID ", "Process failed with exitcode ", "PROCESS FAILED WITH NO ERROR_FILE"),
        regex=r"Signal \d{1,3} \((?P<signal>SIG\w{2,8})\) received by PID (?P<pid>\d{1,10})|"
        r"Process failed with exitcode (?P<exitcode>-?\d{1,11})|CHILD PROCESS FAILED WITH NO ERROR_FILE",
        make=saying("torchrun", "exit"),
        examples=("Signal 9 (SIGKILL) received by PID 4242", "Process failed with exitcode 1"),
        ignore=("a signal (9) received by PIDs",),
    ),
    LinePattern(
        kind=KIND,
        literals=("Child process ", ") FAILED (exitcode"),
        regex=r"Child process (?P<pid>\d{1,10}) \(local_rank (?P<local_rank>\d{1,7})\) FAILED "
        r"\(exitcode (?P<exitcode>-?\d{1,11})\)",
        make=saying("torchrun", "exit"),
        examples=("Child process 24537 (local_rank 1) FAILED (exitcode 1)",),
        ignore=("Child process started",),
    ),
    LinePattern(
        kind=KIND,
        literals=("will restart worker group", "Membership change detected"),
        regex=r"(?:\[(?P<name>[\w-]{1,60})\] )?(?:Worker group (?P<state>[A-Z]{3,12})\. "
        r"(?P<left>\d{1,6})/(?P<total>\d{1,6}) "
        r"attempts left; will restart worker group|Detected (?P<nodes>\d{1,6}) new nodes from .{0,80}?will restart "
        r"worker "
        r"group|Membership change detected.{0,80})",
        make=saying("torchrun", "restart"),
        examples=("[default] Worker group FAILED. 2/3 attempts left; will restart worker group",),
        ignore=("we will restart the worker group tomorrow",),
    ),
    LinePattern(
        kind=KIND,
        literals=("failed to send a keep-alive heartbeat", "failed to shutdown the rendezvous", "of type Rendezvous"),
        regex=r"The node '(?P<name>[^']{1,200})' has failed to (?:send a keep-alive heartbeat to|shutdown) the "
        r"rendezvous "
        r"'(?P<rendezvous>[^']{0,200})' due to an error of type (?P<error>\w{1,60})",
        make=saying("torchrun", "rendezvous_lost"),
        examples=(
            "The node 'node-b_4410_0' has failed to send a keep-alive heartbeat to the rendezvous '456' due to an "
            "error "
            "of type RendezvousConnectionError.",
        ),
        ignore=("the node has failed",),
    ),
    LinePattern(
        kind=KIND,
        literals=("Killing subprocess ",),
        regex=r"Killing subprocess (?P<pid>\d{1,10})",
        make=_killing,
        examples=(
            "[2023-08-24 16:21:58,402] [INFO] [launch.py:315:sigkill_handler] Killing subprocess 8123",
            "Killing subprocess 4711",
        ),
        ignore=("Killing subprocesses that idle",),
    ),
    LinePattern(
        kind=KIND,
        literals=("exits with return code = ",),
        regex=r"(?:--local_rank=(?P<local_rank>\d{1,7})'.{0,3000}?)?"
        r"(?P<message>exits with return code = (?P<exitcode>-?\d{1,11}))",
        make=saying("deepspeed", "exit"),
        examples=(
            "[2023-08-24 16:21:58,961] [ERROR] [launch.py:321:sigkill_handler] ['/bin/python', '-u', 'train.py', "
            "'--local_rank=1', '--deepspeed'] exits with return code = -9",
        ),
        ignore=("exits with return code",),
    ),
    LinePattern(
        kind=KIND,
        literals=("Forcefully terminating all other processes",),
        regex=r"(?:\[rank: (?P<rank>\d{1,7})\] )?Child process with PID (?P<pid>\d{1,10}) terminated with code "
        r"(?P<exitcode>-?\d{1,11})",
        make=saying("lightning", "exit"),
        examples=(
            "[rank: 1] Child process with PID 22087 terminated with code 1. Forcefully terminating all other processes "
            "to avoid zombies",
        ),
        ignore=("Forcefully terminating all other processes",),
    ),
    LinePattern(
        kind=KIND,
        literals=("eceived SIG", "Bypassing SIG", "Bypassing signal SIG"),
        regex=r"(?:\[rank: (?P<rank>\d{1,7})\] )?(?:Received (?P<signal>SIG(?:TERM|INT|HUP|USR1|USR2)): \d{1,2}|"
        r"Bypassing (?:signal )?SIG\w{3,5})",
        make=saying("lightning", "closing_signal"),
        examples=("[rank: 0] Received SIGTERM: 15", "Bypassing SIGTERM: 15"),
        ignore=("received SIGNAL strength 4",),
    ),
    LinePattern(
        kind=KIND,
        literals=("SIGTERM received at time", "eceived signal "),
        regex=r"\*\*\* (?P<signal>SIGTERM) received at time=\d{1,12}|[Rr]eceived signal (?P<other>SIGTERM|15)\b",
        make=saying("", "closing_signal"),
        examples=("*** SIGTERM received at time=1741412023 on cpu 41 ***",),
        ignore=("*** SIGSEGV received at time=1741412023 on cpu 41 ***",),
    ),
)
