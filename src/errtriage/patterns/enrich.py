"""What a message says beyond its pattern: a CUDA or NCCL status, sizes of memory, a collective, how a process ended."""

from __future__ import annotations

from errtriage.model import Event, Frame

_KINDS = frozenset({"exception", "cuda_error", "cpp_error", "torch_log", "nccl", "collective"})
_TELL_COLLECTIVES = frozenset({"exception", "cpp_error", "torch_log"})
_TOLD_BY_PLACE = frozenset({"KeyboardInterrupt", "EOFError"})  # most often without a word
_OUT_OF_MEMORY = "cudaErrorMemoryAllocation"


def enrich(event: Event) -> Event:
    """Return the event with `code` (canonical name of its status) and the fields of `memory`, where it holds any.

    Exceptions and C++ errors get those of `collective_fields`, exceptions `exitcode` and `signal` (`exit_fields`) too,
    and a KeyboardInterrupt or EOFError `stopped_in`, the file and function of its last frame.

    Fields that the pattern itself has set are kept. The event that it was wrapped into stays as it is.
    """
    return _enriched(event) if event.kind in _KINDS else event


def _enriched(event: Event) -> Event:
    # What reads messages is imported when there is one to read.
    from errtriage.exits import exit_fields
    from errtriage.patterns.base import replace
    from errtriage.patterns.collective_fields import collective_fields
    from errtriage.patterns.cuda_error import cuda_code
    from errtriage.patterns.memory import memory_fields

    message = event.fields.get("message", "")
    found = memory_fields(message)
    code = cuda_code(message) or cuda_code(event.fields.get("hint", ""))
    if code is None and found and _is_device(event, message):
        code = _OUT_OF_MEMORY
    if code is not None:
        found["code"] = code
    if event.kind in _TELL_COLLECTIVES:
        found = {**collective_fields(message), **found}
    if event.kind == "exception":
        found = {**exit_fields(message), **found}
        if event.fields.get("type") in _TOLD_BY_PLACE and event.frames:
            found["stopped_in"] = _place(event.frames[-1])
    if not found:
        return event
    return replace(event, fields={**found, **event.fields})


def _place(frame: Frame) -> str:
    """Return the name of a frame's file, and its function: `file_baton.py wait`."""
    return f"{frame.file.replace(chr(92), '/').rpartition('/')[2]} {frame.function or ''}".strip()


def _is_device(event: Event, message: str) -> bool:
    return message.startswith(
        ("CUDA out of memory", "HIP out of memory", "Allocation on device")
    ) or "AcceleratorError" in event.fields.get("type", "")
