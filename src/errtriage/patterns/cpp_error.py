"""C++ exceptions that nobody caught: what the runtime prints as it ends the process."""

from __future__ import annotations

import re

from errtriage.model import Event, Line
from errtriage.patterns.base import Fed, LinePattern, compiled, event, replace
from errtriage.values import dataclass, field

_TERMINATE = (
    r"terminate called (?:after throwing an instance of '(?P<type>[^'\n]{1,300})'|(?P<how>without|recursively))"
)
_WHAT = r"\s*what\(\): {0,2}(?P<message>.*)"
# What follows the text of a c10 error: where it was raised and by which frames, in all forms since 1.0.
_STACK = (
    r"\s*(?:Exception raised from |frame #\d|#\d{1,3} \S|C\+\+ CapturedTraceback:|<omitting python frames>|"
    r"\(no backtrace available\)|\*\*\* Aborted at|\*\*\* SIGABRT|@ {1,20}0x)"
)
# Advice that CUDA errors carry: the same for all of them.
_HINT = (
    r"\s*(?:(?:CUDA|HIP) kernel errors might|For debugging consider|Compile with `?TORCH_USE|"
    r"Search for [`'](?:cuda|hip)|GPU device may be out of range|Device-side assertion tracking)"
)
_GOES_ON = (
    r"\s*(?:nccl[A-Z]\w{2,30}: |Last error:|Traceback of TorchScript|The following operation failed|  File |    )"
)
_RANK = r"\bRank (\d{1,6})\]"
_PATIENCE = 6  # woven lines of other threads between `terminate called` and `what():`


@dataclass(slots=True)
class _Uncaught:
    """`terminate called …`, its `what():` and the frames behind it."""

    first: Line
    type: str | None
    last: Line
    text: str = ""
    lines: list[str] = field(default_factory=list)
    passed: int = 0
    blank: bool = False
    settled: bool = False  # the parser waits less for what may still follow

    def feed(self, line: Line) -> Fed:
        if not self.lines:
            return self._await(line)
        text = line.text
        if compiled(_STACK).match(text) or compiled(_HINT).match(text):
            self.settled, self.last, self.blank = True, line, False
            return Fed.TAKEN
        if not text.strip():
            if self.blank:
                return Fed.ENDED
            self.blank = self.settled = True
            return Fed.TAKEN
        if self.blank or not (
            compiled(_GOES_ON).match(text) or self.lines[-1].rstrip().endswith(("Last error:", ":\\"))
        ):
            return Fed.ENDED
        self.lines.append(text.strip())
        self.last = line
        return Fed.TAKEN

    def _await(self, line: Line) -> Fed:
        found = compiled(_WHAT).match(line.text)
        if found is not None:
            self.lines.append(found["message"].strip())
            self.text, self.last = line.text.strip(), line
            return Fed.TAKEN
        self.passed += 1
        if self.passed > _PATIENCE or "terminate called" in line.text:
            return Fed.ENDED
        return Fed.PASSED

    def close(self) -> tuple[Event, ...]:
        message = "\n".join(line for line in self.lines if line)
        fields = {"type": self.type, "message": message or None}
        made = event("cpp_error", self.first, fields, text=self.text or self.first.text.strip(), last=self.last)
        return (_ranked(made),)


def _ranked(made: Event) -> Event:
    """Return the event with the rank that its message names, where no prefix told it."""
    found = compiled(_RANK).search(made.fields.get("message", "")[:300])
    return made if found is None or made.rank is not None else replace(made, rank=int(found[1]))


class Uncaught:
    """An exception that reached `std::terminate` (`BlockPattern`; libstdc++'s verbose handler)."""

    kind = "cpp_error"
    literals: tuple[str, ...] = ("terminate called after throwing",)
    bound = 300
    examples: tuple[str, ...] = (
        "terminate called after throwing an instance of 'c10::Error'\n  what():  CUDA error: unknown error\n"
        "CUDA kernel errors might be asynchronously reported at some other API call\n\n"
        "Exception raised from f at ../c10/cuda/CUDAException.cpp:44 (most recent call first):\n"
        "frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x57 (0x7f in libc10.so)",
        "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc",
        "terminate called after throwing an instance of 'int'",
    )
    ignore: tuple[str, ...] = ("Watchdog terminated: called after timeout",)

    def open(self, line: Line) -> _Uncaught | None:
        """Open at the line that names the type."""
        found = compiled(_TERMINATE).search(line.text)
        if found is None or found["type"] is None:
            return None
        block = _Uncaught(line, found["type"], line)
        rest = compiled(_WHAT).match(line.text, found.end())  # both on one line, as some collectors print them
        if rest is not None:
            block.lines.append(rest["message"].strip())
        return block


def _make_terminate(line: Line, found: re.Match[str]) -> Event:
    return event("cpp_error", line, {"message": line.text[found.start() :].strip()})


def _make_message(line: Line, found: re.Match[str]) -> Event:
    groups = {name: value.strip() or None for name, value in found.groupdict().items() if value is not None}
    return _ranked(event("cpp_error", line, groups))


UNCAUGHT = Uncaught()

TERMINATE = LinePattern(
    kind="cpp_error",
    literals=("terminate called without", "terminate called recursively"),
    regex=_TERMINATE,
    make=_make_terminate,
    examples=("terminate called without an active exception", "terminate called recursively"),
    ignore=("terminate called by user",),
)

LIBCXX = LinePattern(
    kind="cpp_error",
    literals=("libc++abi",),
    regex=(
        r"libc\+\+abi(?:\.dylib)?: terminat\w{2,3} (?:due to|with) (?:uncaught|unexpected) exception"
        r"(?: of type (?P<type>(?:\w|::)[\w:<>, *&()]{0,300}?))?(?:: (?P<message>.{0,4000}))?$"
    ),
    make=_make_message,
    examples=(
        "libc++abi: terminating due to uncaught exception of type c10::Error: MPS backend out of memory",
        "libc++abi.dylib: terminating with uncaught exception of type std::runtime_error: bad",
        "libc++abi: terminating due to uncaught exception of type NSException",
    ),
    ignore=("linking libc++abi.dylib",),
)

LONE_WHAT = LinePattern(
    kind="cpp_error",
    literals=("what():",),
    regex=rf"^{_WHAT}",
    make=_make_message,
    examples=("  what():  [Rank 1] NCCL watchdog thread terminated with exception: CUDA error: unknown error",),
    ignore=("print(e.what());", "e.what(): shown"),
)

PATTERNS = (UNCAUGHT, TERMINATE, LIBCXX, LONE_WHAT)
