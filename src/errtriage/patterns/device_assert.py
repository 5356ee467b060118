"""Device-side assertions as the CUDA, HIP and SYCL runtimes print them, one for each failing thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import pairwise

from errtriage import TYPE_CHECKING
from errtriage.model import Event, Line, Span
from errtriage.patterns.base import Fed, LinePattern, compiled, event
from errtriage.patterns.device_ops import device_op
from errtriage.patterns.tracked_assert import TRACKED_ASSERT
from errtriage.values import dataclass, field, replace

if TYPE_CHECKING:
    import re

# CUDA: `{file}:{line}: {function}: block: [x,y,z], thread: [x,y,z] Assertion `{expression}` failed.`
# SYCL: the same with `global id: [x,y,z], local id: [x,y,z]`. The function is missing on Windows.
_PLACE = r"(?:block|global id): ?\[(?P<block>[\w ,-]{1,60})\], ?(?:thread|local id): ?\[(?P<thread>[\w ,-]{1,60})\]"
_HEAD = r"\.(?:cuh?|hip|hpp|h|cpp|cc|inl|py):(?P<line>\d+|[xXnN#?]+): ?"
_QUOTES = "`'\"‘’“”´"
# Quoted, unquoted (backquotes eaten by Markdown), and 2.12's printf form, whose reason stands behind the expression.
_QUOTED = rf" ?Assertion [{_QUOTES}](?P<condition>.{{1,900}}?)[{_QUOTES}] ?failed\b"
_BARE = r" ?Assertion (?P<condition>.{1,900}?) failed(?:\.|$)"
_PRINTF = r": Assertion failed: `(?P<condition>.{1,500}?)`: (?P<message>.{1,500}?)(?=$|\[CUDA_KERNEL_ASSERT\])"
_TEXT = r" (?P<condition>Invalid input! .{1,500}?)(?=$|[^ ]{1,300}:\d+: \w+: block: )"
_CUT = rf" ?Assertion [{_QUOTES}]?(?P<condition>[^{_QUOTES}\s].{{0,900}}?)(?:[{_QUOTES}] ?f?a?i?l?e?d?)?\s*$"
_ESCAPED = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))  # by a web page that the log was copied from
_NOT_IN_PATH = frozenset(" \t:\"'<>|[](){}`,;=")
_LOOK_BACK = 1500  # characters: a C++ signature with all its template arguments is shorter


def _path_start(text: str, end: int) -> int:
    """Return where the path starts that ends at `end`; a path with a drive letter may hold blanks."""
    for mark in (":\\", ":/"):
        drive = text.rfind(mark, max(0, end - 300), end)
        if drive > 0 and text[drive - 1].isalpha() and not set(text[drive + 2 : end]) & set(':*?"<>|'):
            return drive - 1
    start = end
    while start and text[start - 1] not in _NOT_IN_PATH:
        start -= 1
    relative = text.find("../", start + 1, end)  # glued behind a number: `loss=0.41../aten`
    if relative > 0 and text[relative - 1].isalnum():
        return relative
    if start > 1 and text[start - 1] == ":" and text[start - 2].isalpha() and not text[max(0, start - 3)].isalnum():
        return start - 2
    return 0 if start == 2 and text[1] == ":" and text[0].isalpha() else start


def _last(found: Iterator[re.Match[str]]) -> re.Match[str] | None:
    return next(iter(deque(found, maxlen=1)), None)


def _head(text: str, low: int, high: int) -> tuple[int, dict[str, str | None]]:
    """Read file, line and function out of `text[low:high]`; return where the path starts, too."""
    last = _last(compiled(_HEAD).finditer(text, max(low, high - _LOOK_BACK), high))
    if last is None:
        return high, {}
    start = max(low, _path_start(text, last.start()))
    number = last["line"]
    return start, {
        "file": text[start : last.start("line") - 1],
        "line": number if number.isdecimal() else None,
        "function": text[last.end() : high].strip().removesuffix(":").strip() or None,
    }


def _tail(text: str, start: int) -> re.Match[str] | None:
    """Match what follows the place; None where it is cut before the expression."""
    for form in (_QUOTED, _PRINTF, _BARE, _TEXT, _CUT):
        found = compiled(form).match(text, start)
        if found is not None:
            return found
    return None


def _previous_end(text: str, start: int) -> int:
    """Return where the assertion before this one on the same line ends, 0 where there is none."""
    failed = text.rfind("failed", 0, start)
    return failed + len("failed") + (text[failed + 6 : failed + 7] == ".") if failed >= 0 else 0


def _make(line: Line, found: re.Match[str]) -> Event | None:
    text = line.text
    start, head = _head(text, _previous_end(text, found.start()), found.start())
    tail = _tail(text, found.end())
    if tail is None and not head:
        return None
    condition = tail["condition"].strip() if tail else ""
    for escaped, sign in _ESCAPED:
        condition = condition.replace(escaped, sign)
    fields = {
        **head,
        "condition": condition,
        "op": device_op(head.get("file") or "", condition),
        "block": found["block"].replace(" ", ""),
        "thread": found["thread"].replace(" ", ""),
        "message": tail.groupdict().get("message") if tail else None,
    }
    return event("device_assert", line, fields, text=text[start : tail.end() if tail else None].strip())


def _make_other(line: Line, found: re.Match[str]) -> Event | None:
    """Make an event of a form without block and thread: HIP, the C runtime of Windows, symmetric memory."""
    groups = found.groupdict()
    start, head = found.start(), {"file": groups.get("file"), "line": groups.get("line")}
    if head["file"] is None and line.text[: found.start()].rstrip():
        start, head = _head(line.text, 0, found.start())
    condition = groups["condition"].strip()
    op = device_op(head.get("file") or "", condition)
    fields = {**head, "function": head.get("function") or groups.get("function"), "condition": condition, "op": op}
    return event("device_assert", line, fields, text=line.text[start : found.end()].strip())


@dataclass(slots=True)
class _Wrapped:
    """An assertion that a terminal or a mailer broke into several lines."""

    lines: list[Line] = field(default_factory=list)

    def feed(self, line: Line) -> Fed:
        text = line.text
        if len(self.lines) >= WrappedAssert.bound or "Traceback (" in text or compiled(_HEAD).search(text[:_LOOK_BACK]):
            return Fed.ENDED
        joined = _joined([*self.lines, line])
        if _complete(joined):
            self.lines.append(line)
            return Fed.LAST
        if "failed" in text or (len(self.lines) > 1 and not compiled(_PLACE).search(joined)):
            return Fed.ENDED
        if not compiled(r"(?:block|thread|local id): ?\[|Assertion|&&|[<>=]=?|\]: ").search(text):
            return Fed.ENDED
        self.lines.append(line)
        return Fed.TAKEN

    def close(self) -> tuple[Event, ...]:
        first = self.lines[0]
        span = Span(first=first.span.first, last=self.lines[-1].span.last)
        return tuple(DEVICE_ASSERT.parse(replace(first, text=_joined(self.lines), span=span)))


def _joined(lines: list[Line]) -> str:
    """Join the pieces of a broken line: a break inside of a word, or at a console's width, took no blank away."""
    text = lines[0].text
    for before, line in pairwise(lines):
        width = len(before.text)
        hard = width in (79, 80, 100, 120, 132) or text.endswith(" ") or line.text.startswith(" ")
        text += line.text if hard else " " + line.text
    return text


def _complete(text: str) -> bool:
    """Return whether the last assertion of the text is there to its end."""
    last = _last(compiled(_PLACE).finditer(text))
    if last is None:
        return False
    return any(compiled(form).match(text, last.end()) for form in (_QUOTED, _PRINTF, _BARE, _TEXT))


class WrappedAssert:
    """A device-side assertion over several lines (`BlockPattern`)."""

    kind = "device_assert"
    literals: tuple[str, ...] = ("block: [", "local id: [", ".cu:", ".cuh:")
    bound = 6
    examples: tuple[str, ...] = (
        "torch-xpu-ops/src/ATen/native/xpu/sycl/Indexing.h:622: operator(): global id: [185,0,0], local id: [185,0,0]\n"
        'Assertion `index >= -sizes_[i] && index < sizes_[i] && "index out of bounds"` failed.',
        "/pytorch/aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward_reduce_cuda_kernel_2d: block:\n"
        "[0,0,0], thread: [5,0,0] Assertion `t >= 0 && t < n_classes` failed.",
    )
    ignore: tuple[str, ...] = (
        "/app/csrc/ops.cu:41: warning: variable was declared but never referenced",
        "block: [conv, norm, relu], repeat 4",
    )

    def open(self, line: Line) -> _Wrapped | None:
        """Open where an assertion starts on this line and does not end on it."""
        found = compiled(r"\.(?:cuh?|h|cpp|py):\d+: (?!error|warning|note|fatal|\d)").search(line.text[:_LOOK_BACK])
        if found is None or line.repeat is not None or _complete(line.text):
            return None
        if "block: [" not in line.text and "local id: [" not in line.text and len(line.text) < 60:
            return None
        return _Wrapped([line])


WRAPPED_ASSERT = WrappedAssert()

DEVICE_ASSERT = LinePattern(
    kind="device_assert",
    literals=("block: [", "local id: [", "block:[", "local id:["),
    regex=_PLACE,
    make=_make,
    ranged=("block", "thread"),
    several=True,
    examples=(
        "../aten/src/ATen/native/cuda/Loss.cu:94: operator(): block: [0,0,0], thread: [5,0,0] "
        "Assertion `input_val >= zero && input_val <= one` failed.",
        "C:\\cb\\pytorch_1000000000000\\work\\aten\\src\\THCUNN\\BCECriterion.cu:57: block: [0,0,0], thread: [3,0,0] "
        "Assertion `*input >= 0. && *input <= 1.` failed.",
        "In [7]: C:wbwindowspytorchatensrcATennativecudaLoss.cu:115: block: [0,0,0], thread: [3,0,0] "
        "Assertion `input_val >= zero && input_val <= one` failed.",
        "xxx.cu:xxx: block: [xxx,0,0], thread: [xxx,0,0] Assertion 'input_val >= zero && input_val <= one' failed.",
        "main.cpp:15: operator()() const: global id: [0,0,0], local id: [0,0,0] Assertion `false` failed.",
    ),
    ignore=(
        "transformer block: [attention, mlp], thread: 8",
        "AssertionError: block: expected 3 got 4",
    ),
)

HIP_ASSERT = LinePattern(
    kind="device_assert",
    literals=("Device-side assertion",),
    regex=rf"Device-side assertion [{_QUOTES}](?P<condition>.{{1,900}}?)[{_QUOTES}] failed",
    make=_make_other,
    examples=("/pytorch/aten/src/ATen/native/hip/Loss.hip:94: operator(): Device-side assertion `t >= 0' failed.",),
    ignore=("Compile with `TORCH_USE_HIP_DSA` to enable device-side assertions.",),
)

MSVC_DEVICE_ASSERT = LinePattern(
    kind="device_assert",
    literals=("Assertion failed: ",),
    regex=r"Assertion failed: (?P<condition>.{1,900}?), file (?P<file>.{1,300}?\.cuh?), line (?P<line>\d+)",
    make=_make_other,
    examples=("Assertion failed: t >= 0 && t < n_classes, file C:\\w\\aten\\cuda\\Loss.cu, line 115",),
    ignore=("Assertion failed: x > 0, file main.cpp, line 12",),
)

SYMMETRIC_MEMORY = LinePattern(
    kind="device_assert",
    literals=("[FATAL] SymmetricMemory::",),
    regex=r"\[FATAL\] (?P<function>SymmetricMemory::\w+): (?P<condition>rank \d+ failed to .{1,200})",
    make=_make_other,
    examples=(
        "[FATAL] SymmetricMemory::barrier: rank 0 failed to send signal to rank 1 on channel 0 after 3 milliseconds",
    ),
    ignore=("SymmetricMemory::barrier: rank 0 ready",),
)

PATTERNS = (TRACKED_ASSERT, WRAPPED_ASSERT, DEVICE_ASSERT, HIP_ASSERT, MSVC_DEVICE_ASSERT, SYMMETRIC_MEMORY)
