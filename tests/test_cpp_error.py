"""What the C++ runtime prints for an exception that nobody caught."""

from __future__ import annotations

import pytest

from errtriage.patterns import cpp_error, cuda_error
from events_of import events_of

FRAMES = """Exception raised from checkTimeout at ../torch/csrc/ProcessGroupNCCL.cpp:565 (most recent call first):
frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x96 (0x7f646c1f9446 in /site/torch/lib/libc10.so)
frame #1: <unknown function> + 0x94ac3 (0x7f64 in /lib/x86_64-linux-gnu/libc.so.6)
"""
HINTS = """CUDA kernel errors might be asynchronously reported at some other API call
For debugging consider passing CUDA_LAUNCH_BLOCKING=1
Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.
"""


def only(text: str) -> dict[str, str]:
    (event,) = events_of(cpp_error.PATTERNS, text)
    assert event.kind == "cpp_error"
    return dict(event.fields)


def test_what() -> None:
    """The type and the text of `what()` are told; hints and frames are not part of the text."""
    text = (
        "terminate called after throwing an instance of 'c10::Error'\n"
        f"  what():  CUDA error: device-side assert triggered\n{HINTS}\n{FRAMES}\nAborted (core dumped)"
    )
    events = events_of(cpp_error.PATTERNS, text)
    assert [dict(event.fields) for event in events] == [
        {"type": "c10::Error", "message": "CUDA error: device-side assert triggered", "code": "cudaErrorAssert"}
    ]
    assert events[0].text == "what():  CUDA error: device-side assert triggered"
    assert events[0].span.first == 1
    assert events[0].span.last >= 9


def test_frames_after_a_second_exception() -> None:
    """A c10d error prints its frames twice, and both belong to it."""
    text = (
        "terminate called after throwing an instance of 'c10::DistBackendError'\n"
        f"  what():  [PG 0 Rank 3] Process group watchdog thread ended: timeout\n{FRAMES}\n"
        "Exception raised from ncclCommWatchdog at x.cpp:1 (most recent call first):\nframe #0: f() + 0x1 (0x7f in a)"
    )
    (event,) = events_of(cpp_error.PATTERNS, text)
    assert event.rank == 3
    assert event.span.last == text.count("\n") + 1


def test_nccl_detail() -> None:
    """NCCL's detail and its last error are part of the message."""
    message = only(
        "terminate called after throwing an instance of 'c10::DistBackendError'\n"
        "  what():  NCCL error: unhandled system error, NCCL version 2.21.5\n"
        "ncclSystemError: System call failed.\nLast error:\nsocketStartConnect: Connect to 10.0.0.1<4> failed\n"
        + FRAMES
    )["message"]
    assert message.endswith("Last error:\nsocketStartConnect: Connect to 10.0.0.1<4> failed")


@pytest.mark.parametrize("after", ["Traceback (most recent call last):", "[E x.cpp:1] next", "step 12 loss 0.3"])
def test_ends_before_others(after: str) -> None:
    """What is printed behind the text is not swallowed."""
    text = f"terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n{after}"
    (event,) = events_of(cpp_error.PATTERNS, text)
    assert (event.fields["type"], event.fields["message"]) == ("std::bad_alloc", "std::bad_alloc")
    assert event.span.last == 2


def test_woven() -> None:
    """A line of another thread may stand between the type and its text, and keeps its own event."""
    text = (
        "terminate called after throwing an instance of 'std::runtime_error'\n"
        "CUDA error: device-side assert triggered\n"
        "  what():  boom"
    )
    events = events_of((*cpp_error.PATTERNS, *cuda_error.PATTERNS), text)
    assert {event.kind: event.fields["message"] for event in events} == {
        "cpp_error": "boom",
        "cuda_error": "CUDA error: device-side assert triggered",
    }


def test_no_what() -> None:
    """Without a text the type alone is told, and without a type the sentence."""
    assert only("terminate called after throwing an instance of 'int'\nAborted") == {"type": "int"}
    without = "terminate called without an active exception"
    assert only(without)["message"] == without
    assert only("terminate called recursively")["message"] == "terminate called recursively"


def test_two_processes() -> None:
    """Two processes that end one after the other are two events."""
    one = "terminate called after throwing an instance of 'std::runtime_error'\n  what():  [Rank {}] x\n"
    assert [event.rank for event in events_of(cpp_error.PATTERNS, one.format(3) + one.format(0))] == [3, 0]


def test_macos() -> None:
    """libc++ prints type and text on one line."""
    fields = only("libc++abi: terminating due to uncaught exception of type c10::Error: MPS backend out of memory")
    assert (fields["type"], fields["message"]) == ("c10::Error", "MPS backend out of memory")
