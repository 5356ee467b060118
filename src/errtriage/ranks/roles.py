"""What part a group plays in a job of several processes: a fault that began there, or the mark of another one's."""

from __future__ import annotations

from errtriage.lazy_regex import lazy
from errtriage.model import Group

# What a process says when another one is gone or late: never where a fault began.
_VICTIM_TEXT = lazy(
    r"Connection (?:was )?(?:closed|reset|aborted)|closed by (?:remote )?peer|Broken pipe|remote process exited|"
    r"ncclRemoteError|communicator was aborted|Watchdog caught|watchdog thread terminated|monitoredBarrier|"
    r"Timed out waiting \d+ms for (?:recv|send)|Socket Timeout|wait timeout after|failed on SocketImpl|got 0 bytes|"
    r"timed out in blocking wait|likely closed|failed to connect to any network|keep-alive heartbeat|"
    r"Gloo connectFullMesh failed|without an active exception|The actor is dead because|worker process has died"
)
_VICTIM_TYPES = frozenset(
    {
        "ChildFailedError", "CalledProcessError", "BrokenPipeError", "ConnectionResetError", "ConnectionAbortedError",
        "SIGTERMException", "RendezvousConnectionError", "RendezvousClosedError", "RayActorError", "ActorDiedError",
    }
)  # fmt: skip
HARD_SIGNALS = frozenset({"SIGKILL", "SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGHUP"})
_KERNEL_FAULTS = frozenset({"xid", "off_bus", "oom_kill", "segfault", "ecc", "nvlink", "pcie"})
_ENDED_BY_SCHEDULER = frozenset({"oom", "time_limit", "preempted", "node_fail", "evicted"})


def is_victim(group: Group) -> bool:
    """Return whether a group shows a process that suffered from another one: waiting, told to stop, or cut off."""
    event = group.event
    fields = event.fields
    message = fields.get("message", "")
    if event.kind == "collective":
        return fields.get("phase") != "connect" or "errno: 98" not in message
    if event.kind == "launcher":
        signal = fields.get("signal")
        return fields.get("what") in ("closing_signal", "rendezvous_lost") or signal in ("SIGTERM", "SIGABRT")
    if event.kind == "exception":
        return fields.get("type") in _VICTIM_TYPES or _VICTIM_TEXT.search(message) is not None
    if event.kind in ("cpp_error", "torch_log", "nccl"):
        return _VICTIM_TEXT.search(message) is not None
    if event.kind == "scheduler":  # srun cancels a step of its own accord once a task has failed
        return fields.get("reason") == "exit" or (fields.get("reason") == "cancelled" and fields.get("unit") == "step")
    if event.kind in ("process_exit", "native_crash"):
        return fields.get("signal") in ("SIGTERM", "SIGABRT") and "heap" not in message
    return False


def is_beginning(group: Group) -> bool:
    """Return whether a fault can have begun here."""
    event = group.event
    fields = event.fields
    if is_victim(group):
        return False
    if event.kind == "exception":
        return fields.get("ignored") != "yes"
    if event.kind == "launcher":
        return fields.get("what") == "worker_lost" or fields.get("signal") in HARD_SIGNALS
    if event.kind == "kernel_log":
        return fields.get("what") in _KERNEL_FAULTS
    if event.kind == "scheduler":
        return fields.get("reason") in _ENDED_BY_SCHEDULER
    return event.kind in ("cuda_error", "device_assert", "cpp_error", "native_crash", "process_exit")


def fault_of_rank(group: Group) -> bool:
    """Return whether a group shows a process failing by itself rather than waiting for, or being told by, others."""
    fields = group.event.fields
    if group.event.kind == "launcher":
        return fields.get("what") in ("child_failed", "exit") and fields.get("signal") not in ("SIGTERM", "SIGABRT")
    if group.event.kind == "exception":
        return fields.get("ignored") != "yes" and fields.get("type") not in ("ChildFailedError", "CalledProcessError")
    return group.event.kind in ("cuda_error", "device_assert", "native_crash")
