"""What happened around the faults of an attempt: which were survived, who failed first, and how the log ends."""

from __future__ import annotations

from collections.abc import Sequence

from errtriage.model import Event, Group
from errtriage.progress import Progress
from errtriage.reading import Attempt

# Kinds that say that a process ended badly, whatever stands in them.
_DEATHS = frozenset({"cpp_error", "native_crash", "process_exit", "scheduler"})
# After these the CUDA context is gone: what stands later in the log was written before, or by another process.
_FINAL_CODES = ("device-side assert", "illegal memory access", "misaligned address", "launch failure")


def recovered_groups(attempt: Attempt) -> frozenset[int]:
    """Return the ids of the groups after which the run went on, so that they can not have ended it."""
    over = {id(group) for group in attempt.groups if _is_recovered(group, attempt.progress)}
    return frozenset(over | {id(group) for group in _passed_over(attempt.groups)})


def _passed_over(groups: Sequence[Group]) -> list[Group]:
    """Return the commands that a shell did not find, and after which its script ran the program all the same.

    An import that fails then may well be for want of the command that activates an environment.
    """
    ran = [
        group.event.span.first
        for group in groups
        if group.event.kind == "exception"
        and any(frame.user for frame in group.event.frames)
        and group.event.fields.get("type") not in ("ImportError", "ModuleNotFoundError")
    ]
    missed = [one for one in groups if one.event.kind == "text" and ": command not found" in one.event.text]
    return [one for one in missed if any(line > one.span.last for line in ran)]


def _is_recovered(group: Group, progress: Progress) -> bool:
    event = group.event
    if event.kind == "process_exit":  # of a process that the run could do without
        return _finished_after(group, progress)
    if event.kind not in ("exception", "cuda_error", "torch_log", "nccl", "build_error"):
        return False
    if any(code in event.fields.get("message", "") for code in _FINAL_CODES):
        return False
    if _finished_after(group, progress):
        return True
    if _is_logged(event) and progress.seen_after(event.source, group.span.first):
        return True
    return progress.went_on_after(event.source, event.channel, group.span.last)


def _finished_after(group: Group, progress: Progress) -> bool:
    """Return whether the source says, after a group, that the run is done."""
    finished = progress.finished
    return finished is not None and finished[0] == group.event.source and finished[1] > group.span.last


def _is_logged(event: Event) -> bool:
    """Return whether a program caught the fault and told of it; PyTorch itself raises its lack of memory."""
    return event.fields.get("origin") == "logged" or (event.kind == "cuda_error" and "oom" in event.fields)


def is_fault(group: Group) -> bool:
    """Return whether a group says by itself that something failed."""
    event = group.event
    if event.kind == "exception":
        return event.fields.get("ignored") != "yes" and event.fields.get("origin") != "logged"
    if event.kind == "launcher":
        return event.fields.get("what") in ("child_failed", "exit", "worker_lost")
    if event.kind == "collective":
        return event.fields.get("phase") in ("timeout", "heartbeat", "desync", "abort")
    if event.kind == "scheduler":
        return event.fields.get("reason") != "requeued"
    return event.kind in _DEATHS or event.kind in ("device_assert", "cuda_error", "build_error")


def ending(attempt: Attempt, recovered: frozenset[int]) -> str:
    """Return how the attempt ended: died, completed, stopped (short of its last step) or unknown."""
    deaths = [group for group in attempt.groups if is_fault(group) and id(group) not in recovered]
    finished = attempt.progress.finished
    if deaths and not (finished and _all_before(deaths, finished)):
        return "died"
    if finished:
        return "completed"
    last, total = attempt.progress.last_step, attempt.progress.total_steps
    if last is not None and total is not None:
        return "completed" if last >= total - 1 else "stopped"
    return "unknown"


def _all_before(groups: Sequence[Group], mark: tuple[str, int]) -> bool:
    source, line = mark
    return all(group.event.source == source and group.span.last < line for group in groups)


def explained_attempt(attempts: Sequence[Attempt]) -> int:
    """Return the index of the attempt to explain: the last one that shows a fault or any progress."""
    for index in range(len(attempts) - 1, 0, -1):
        attempt = attempts[index]
        faults = [group.event.kind for group in attempt.groups if is_fault(group)]
        if attempt.progress.seen or attempt.series or (faults and not _only_requeued(attempt, faults)):
            return index
    return 0


def _only_requeued(attempt: Attempt, faults: Sequence[str]) -> bool:
    """Return whether a job was put back into the queue, and only the shutdown of its old processes follows."""
    requeued = any(
        group.event.kind == "attempt" and group.event.fields.get("what") == "requeue" for group in attempt.groups
    )
    return requeued and set(faults) <= {"launcher", "process_exit", "scheduler"}
