"""Crashes in native code: what faulthandler, the C library, MPI, glog and torch's workers print of them."""

from __future__ import annotations

import re

from errtriage.exits import signal_name
from errtriage.model import Event, Frame, Line
from errtriage.patterns.base import Fed, LinePattern, compiled, event, frame
from errtriage.values import dataclass, field

# faulthandler (Python 3.3 to 3.14): frames without a comma before `in`, innermost first, threads one after another.
_FATAL = (
    r"(?:^|(?<=[\s\]|]))(?:Fatal Python error: (?P<fatal>.{1,400})|Windows fatal exception: (?P<windows>.{1,200}))$"
)
_THREAD = r"(?P<current>Current t|T)hread 0x[0-9a-fA-F]{1,20}(?: \[.{1,80}\])? ?\(most recent call first\):"
_FRAME = r'\s{0,8}File "(?P<file>[^"]{1,1000})", line (?P<line>\d{1,9}|\?{3}) in (?P<function>.{1,400})$'
_AROUND = (
    r"\s*(?:$|\.\.\.$|Python runtime state: |<no Python frame>|<cannot get C stack|<truncated|Binary file \"|"
    r"Current thread's C stack trace|\w{1,80}(?:Error|Exception): )"
)
_END = r"\s*Extension modules: "


@dataclass(slots=True)
class _Dump:
    """A `Fatal Python error` and the tracebacks of all threads behind it."""

    first: Line
    last: Line
    message: str
    threads: list[tuple[bool, list[Frame]]] = field(default_factory=list)
    settled: bool = True

    def feed(self, line: Line) -> Fed:
        text = line.text
        thread = compiled(_THREAD).search(text)
        found = compiled(_FRAME).match(text.rstrip())
        if thread is not None:
            self.threads.append((thread["current"] == "Current t", []))
        elif found is not None and self.threads:
            number = int(found["line"]) if found["line"].isdecimal() else None
            self.threads[-1][1].append(frame(found["file"], number, found["function"]))
        elif compiled(_END).match(text):
            self.last = line
            return Fed.LAST
        elif compiled(_AROUND).match(text):
            return Fed.TAKEN
        else:
            return Fed.ENDED
        self.last = line
        return Fed.TAKEN

    def close(self) -> tuple[Event, ...]:
        current = next((frames for is_current, frames in self.threads if is_current), None)
        frames = current if current is not None else next((frames for _, frames in self.threads), [])
        windows = self.first.text.lstrip().startswith("Windows")
        signal = signal_name(self.message.replace("-", " ")) or (None if windows else "SIGABRT")
        fields = {"signal": signal, "message": self.message}
        return (event("native_crash", self.first, fields, last=self.last, frames=tuple(reversed(frames))),)


class FaultHandler:
    """The interpreter's own last words (`BlockPattern`; Python's faulthandler and pylifecycle)."""

    kind = "native_crash"
    literals: tuple[str, ...] = ("Fatal Python error: ", "Windows fatal exception: ")
    bound = 2000
    examples: tuple[str, ...] = (
        "Fatal Python error: Segmentation fault\n\nCurrent thread 0x00007fb5bda21b80 (most recent call first):\n"
        '  File "/app/model.py", line 7 in forward\n  File "/app/train.py", line 41 in <module>',
        'Windows fatal exception: access violation\n\nThread 0x2f58 (most recent call first):\n  File "a", line 3 in g',
    )
    ignore: tuple[str, ...] = ("Timeout (0:00:10)!", "a Fatal Python error was fixed")

    def open(self, line: Line) -> _Dump | None:
        """Open at the line that names the fault."""
        found = compiled(_FATAL).search(line.text.rstrip())
        return _Dump(line, line, (found["fatal"] or found["windows"]).strip()) if found is not None else None


def _crash(line: Line, found: re.Match[str]) -> Event:
    groups = found.groupdict()
    told = groups.get("word") or groups.get("number") or groups.get("gdb") or ""
    signal = signal_name(told.replace("-", " ")) or groups.get("name") or "SIGABRT"
    message = line.text[found.start() :].strip()[:1000]
    return event("native_crash", line, {"signal": signal, "message": message}, text=message)


FAULT_HANDLER = FaultHandler()

# The shells' words for signals of native faults, alone on a line or glued behind a progress bar. macOS adds the number.
FAULT_WORD = LinePattern(
    kind="native_crash",
    literals=("Segmentation fault", "Bus error", "Illegal instruction", "Floating point exception"),
    regex=(
        r"(?:^\s{0,40}|(?<=[\]|])\s{0,10})"
        r"(?P<word>Segmentation fault|Bus error|Illegal instruction|Floating point exception)"
        r"(?:: \d{1,2})?(?: \(core dumped\))?\s*$"
    ),
    make=_crash,
    examples=(
        "Segmentation fault (core dumped)",
        "Bus error",
        "Segmentation fault: 11",
        "30%|##  | 3/10]Illegal instruction",
    ),
    ignore=("fixed: Segmentation fault", "Bus error handling enabled"),
)

# glibc's checks of the heap and the stack, and macOS's malloc: each ends in abort().
HEAP = LinePattern(
    kind="native_crash",
    literals=(
        "double free", "(): invalid ", "corrupted ", "smashing detected", "malloc(): ", "overflow detected",
        "was not allocated", "(): corrupted", "malloc_consolidate(): ",
    ),
    regex=(
        r"(?:double free or corruption|corrupted size vs\. prev_size|corrupted double-linked list|"
        r"(?:free|malloc|realloc|munmap_chunk|malloc_consolidate|sysmalloc)\(\): (?:invalid|corrupted|double free|"
        r"memory|unaligned|mismatching|largebin|unsorted|smallbin|too many)[\w -]{0,80}|"
        r"\*\*\* (?:stack smashing|buffer overflow) detected \*\*\*|"
        r"malloc: \*\*\* error for object 0x[0-9a-f]{1,16}: )"
    ),
    make=_crash,
    examples=(
        "double free or corruption (out)",
        "free(): invalid pointer",
        "*** stack smashing detected ***: terminated",
        "*** Error in `python': munmap_chunk(): invalid pointer: 0x00007f8e ***",
        "corrupted size vs. prev_size",
        "python(812,0x1f) malloc: *** error for object 0x7f8: pointer being freed was not allocated",
    ),
    ignore=("malloc(): the docs", "corrupted image skipped: a.png"),
)  # fmt: skip

# Assertions of host code: glibc, macOS, Windows. Those of kernels stand in device_assert.
HOST_ASSERT = LinePattern(
    kind="native_crash",
    literals=("Assertion `", "Assertion failed: "),
    regex=(
        r"^\s{0,40}[\w.+-]{1,80}: (?P<file>[^\s:]{1,300}):\d{1,6}: .{1,500}?: Assertion `.{1,500}?' failed|"
        r"^\s{0,40}Assertion failed: .{1,500}?, (?:function .{1,200}?, )?file .{1,300}?, line \d"
    ),
    make=_crash,
    examples=(
        "python: ../src/op.cpp:12: void f(int): Assertion `x > 0' failed.",
        "Assertion failed: (x > 0), function f, file op.cpp, line 12.",
    ),
    ignore=("AssertionError: Assertion `x' failed",),
)

WORKER = LinePattern(
    kind="native_crash",
    literals=("encountered in worker",),
    regex=r"Unexpected (?P<word>segmentation fault|bus error|floating-point exception) encountered in worker",
    make=_crash,
    examples=(
        "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).",
        "ERROR: Unexpected segmentation fault encountered in worker.",
    ),
    ignore=("no error encountered in worker",),
)

HANDLERS = LinePattern(
    kind="native_crash",
    literals=("] Signal: ", "*** SIG", "LLVM ERROR: ", "fatal error: ", "received signal SIG", "Caught signal "),
    regex=(
        r"\[[\w.-]{1,80}:\d{1,8}\] Signal: (?P<word>[A-Z][a-z ]{2,30}?) \(\d{1,2}\)|"
        r"\*\*\* (?P<name>SIG[A-Z]{3,5}) (?:\(@0x|received (?:at|by))|LLVM ERROR: .{1,400}|"
        r"[Uu]nexpected fatal error: .{1,200}|"
        r"(?:^Program|^Thread \d{1,6} .{0,80}?) received signal (?P<gdb>SIG[A-Z]{3,5})|"
        r"\[[\w.: -]{1,120}\] Caught signal (?P<number>\d{1,2}) \([A-Z][a-z]"
    ),
    make=_crash,
    examples=(
        "[node01:12345] Signal: Segmentation fault (11)",
        "*** SIGSEGV (@0x0) received by PID 123 (TID 0x7f) from PID 0; stack trace: ***",
        "*** SIGABRT received at time=1700000000 on cpu 3 ***",
        'Thread 1 "python" received signal SIGSEGV, Segmentation fault.',
        "[node01:12345:0] Caught signal 11 (Segmentation fault: address not mapped to object at address 0x8)",
        "[node01:5283 :0:5704] Caught signal 7 (Bus error: nonexistent physical address)",
        "LLVM ERROR: Cannot select: intrinsic %llvm.nvvm.shfl.sync.bfly.i32",
    ),
    ignore=("*** SIGNED ***", "[train:12] Signal: ready (ok)"),
)

PATTERNS = (FAULT_HANDLER, FAULT_WORD, HEAP, HOST_ASSERT, WORKER, HANDLERS)
