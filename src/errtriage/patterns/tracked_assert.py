"""Device-side assertions as builds with TORCH_USE_CUDA_DSA report them: one block of named fields for each."""

from __future__ import annotations

from errtriage.model import Event, Line
from errtriage.patterns.base import Fed, compiled, event
from errtriage.patterns.device_ops import device_op
from errtriage.values import dataclass

_DSA_FIELD = (
    r"\s*(?P<key>GPU assertion failure message|File containing assertion|Device function containing assertion|"
    r"Thread ID that failed assertion|Block ID that failed assertion|File containing kernel launch|"
    r"Function containing kernel launch|Name of kernel launched that led to failure|Device that launched kernel|"
    r"Stream kernel was launched in|Backtrace of kernel launch site) ?[=:] ?(?P<value>.{0,2000})"
)


@dataclass(slots=True)
class _Tracked:
    """The fields of one failure that a TORCH_USE_CUDA_DSA build reports, each on a line of its own."""

    first: Line
    last: Line
    values: dict[str, str]

    def feed(self, line: Line) -> Fed:
        found = compiled(_DSA_FIELD).match(line.text)
        if found is None or found["key"] in self.values:
            return Fed.ENDED
        self.values[found["key"]] = found["value"].strip()
        self.last = line
        return Fed.TAKEN

    def close(self) -> tuple[Event, ...]:
        file, _, number = self.values.get("File containing assertion", "").rpartition(":")
        condition = self.values["GPU assertion failure message"]
        fields = {
            "condition": condition,
            "file": file or None,
            "line": number if number.isdecimal() else None,
            "function": self.values.get("Device function containing assertion"),
            "op": device_op(file, condition),
            "block": self.values.get("Block ID that failed assertion", "").strip("[] ") or None,
            "thread": self.values.get("Thread ID that failed assertion", "").strip("[] ") or None,
        }
        return (event("device_assert", self.first, fields, last=self.last),)


class TrackedAssert:
    """A failure as builds with TORCH_USE_CUDA_DSA report it (`BlockPattern`; c10/cuda/CUDADeviceAssertionHost.cpp)."""

    kind = "device_assert"
    literals: tuple[str, ...] = ("GPU assertion failure message",)
    bound = 12
    examples: tuple[str, ...] = (
        "  GPU assertion failure message = t >= 0 && t < n_classes\n"
        "  File containing assertion = /pytorch/aten/src/ATen/native/cuda/Loss.cu:250\n"
        "  Device function containing assertion = nll_loss_forward_reduce_cuda_kernel_2d\n"
        "  Thread ID that failed assertion = [5,0,0]\n"
        "  Block ID that failed assertion = [0,0,0]",
    )
    ignore: tuple[str, ...] = ("Looking for device-side assertion failure information...",)

    def open(self, line: Line) -> _Tracked | None:
        """Open at the line that holds the expression."""
        found = compiled(_DSA_FIELD).match(line.text)
        if found is None or found["key"] != "GPU assertion failure message":
            return None
        return _Tracked(line, line, {found["key"]: found["value"].strip()})


TRACKED_ASSERT = TrackedAssert()
