"""A bare `Type: message` line without a traceback before it, as people paste it or programs log it, and its message."""

from __future__ import annotations

import re

from errtriage.lazy_regex import lazy
from errtriage.model import Event, Line
from errtriage.patterns.base import Block, BlockOpener, Fed, LinePattern, Pattern, event
from errtriage.patterns.foreign_lines import is_later_record
from errtriage.patterns.python_frames import ExceptionLine, read_exception
from errtriage.patterns.python_message import Message

# What loggers and tools write before an exception: a level or a word for failure, up to a colon, bar or bracket.
_REPORTED = lazy(
    r".{0,200}?\b(?:ERROR|CRITICAL|FATAL|[Ee]rror|[Ff]ailed|[Ff]ailure|[Ee]xception|E)\b.{0,160}?[:|\]>-]?\s{1,12}"
    r"(?=(?:[A-Za-z_][\w.]{0,160})?(?:Error|Exception|Interrupt|Exit)\b:?)"
)
# What a web page makes bold, italic or code of one line; a prompt, pip's arrow or a form's `<put logs here>` before it.
_EMPHASIS = lazy(r"^\s{0,8}(?:_?[*`]{1,4}|_{2}|>>> ?|╰─> |<[\w ]{1,40}>)(?=[A-Za-z])|[*_`]{1,4}\s{0,8}$")
# A class by its full name, where its module is one of exceptions: no other line begins so.
_QUALIFIED = lazy(
    r"\s{0,8}(?:(?:[a-z_]\w{0,60}\.){1,8}?(?:exc|exceptions|errors)\._?[A-Z]\w{1,80}|zipfile\.BadZip[Ff]ile|"
    r"BadZip[Ff]ile): \S"
)
_BARE = frozenset({"KeyboardInterrupt", "AssertionError", "MemoryError", "RecursionError", "NotImplementedError"})


class _Said:
    """An exception line and the lines of its message."""

    settled = True

    def __init__(self, line: Line, said: ExceptionLine) -> None:
        self.first = self.last = line
        self.said = said
        self.message = Message(said.message, bare=said.bare)

    def feed(self, line: Line) -> Fed:
        """Take the next line where the message goes on."""
        if is_later_record(self.first, line) or not self.message.offer(line.text):
            return Fed.ENDED
        if line.text.strip():
            self.last = line
        return Fed.TAKEN

    def close(self) -> tuple[Event, ...]:
        """Return the exception."""
        fields = {
            "type": self.said.type,
            "module": self.said.module,
            "message": self.message.text,
            "hint": self.message.hint,
            "origin": "line",
        }
        text = self.first.text.strip()
        return (event("exception", self.first, fields, text=text, last=self.last, frames=tuple(self.message.frames)),)


def _says_something(said: ExceptionLine) -> bool:
    named = bool(said.message.strip()) or said.type in _BARE or said.module is not None
    if said.type.endswith("RemoteTraceback"):
        return False  # the quotation of a traceback, not an exception
    if said.type == "CondaError" and "conda init" in said.message:
        return False  # the shell goes on after it
    is_class = said.module is not None or not said.type[0].islower()
    return named and is_class and not said.type.endswith("Warning")


def _open(line: Line) -> Block | None:
    said = read_exception(_EMPHASIS.sub("", line.text), sure=False)
    return _Said(line, said) if said is not None and _says_something(said) else None


def _open_reported(line: Line) -> Block | None:
    found = _REPORTED.match(line.text)
    said = read_exception(line.text[found.end() :], sure=False) if found else None
    return _Said(line, said) if said is not None and _says_something(said) else None


def _open_qualified(line: Line) -> Block | None:
    text = _EMPHASIS.sub("", line.text)
    said = read_exception(text, sure=True) if _QUALIFIED.match(text) else None
    return _Said(line, said) if said is not None and not said.type.endswith("Warning") else None


EXCEPTION = BlockOpener(
    kind="exception",
    literals=("Error", "Exception", "KeyboardInterrupt", "SystemExit", "StopIteration", "cv2.error: "),
    bound=80,
    opener=_open,
    examples=(
        "IndexError: Target 3 is out of bounds.",
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.",
        "KeyboardInterrupt",
        "Exception: Current loss scale already at minimum - cannot decrease scale anymore. Exiting run.",
        "SystemExit: 2",
        "StopIteration: end",
        "cv2.error: OpenCV(4.7.0) /io/opencv/color.cpp:182: error: (-215:Assertion failed) !_src.empty() in 'f'",
        "**ValueError: no such split**",
        "<put logs here>ModuleNotFoundError: No module named 'apex'",
        "  ╰─> ModuleNotFoundError: No module named 'torch'",
    ),
    ignore=(
        "    except ValueError:",
        "Error",
        "ValueError:",
        "Loss Error: 0.5312",
        "raise RuntimeError",
        "KeyboardInterrupt received, saving",
        "ncclRemoteError: A call failed",
        "CondaError: Run 'conda init' before 'conda deactivate'",
    ),
)

QUALIFIED = BlockOpener(
    kind="exception",
    literals=(".exc.", ".exceptions.", ".errors.", "BadZipFile: ", "BadZipfile: "),
    bound=80,
    opener=_open_qualified,
    examples=(
        "torch._dynamo.exc.Unsupported: call to a function that is marked as skipped",
        "zipfile.BadZipFile: File is not a zip file",
        "requests.exceptions.ChunkedEncoding: connection broken",
        "triton.runtime.errors.OutOfResources: out of resource: shared memory",
    ),
    ignore=(
        "from torch._dynamo.exc import Unsupported",
        "requests.exceptions.RequestsWarning: old version",
        "see torch._dynamo.exc.Unsupported: it is raised by fullgraph",
        "except zipfile.BadZipFile:",
    ),
)

REPORTED = BlockOpener(
    kind="exception",
    literals=("Error", "Exception", "KeyboardInterrupt", "SystemExit"),
    bound=80,
    opener=_open_reported,
    examples=(
        "[ERROR] training failed: RuntimeError: CUDA error: device-side assert triggered",
        "ERROR - run 3 failed with Exception: no data",
        "CRITICAL: stopped by KeyboardInterrupt",
        "worker failed: SystemExit: 2",
    ),
    ignore=("INFO: no RuntimeError: all good", "[ERROR] training failed: no reason known", "error rate: Error 0.1"),
)


def _make_recorded(line: Line, found: re.Match[str]) -> Event | None:
    said = read_exception(found["said"].replace('\\"', '"').replace("\\n", "\n").split("\n")[0], sure=False)
    if said is None or not _says_something(said):
        return None
    fields = {"type": said.type, "module": said.module, "message": said.message, "origin": "line"}
    return event("exception", line, fields, text=found["said"][:1000])


# torchelastic's record of an error, printed as JSON (`error_handler.py`).
RECORDED = LinePattern(
    kind="exception",
    literals=('"message": "',),
    regex=r'^\s{0,20}"message": "(?P<said>[A-Z]\w{1,80}(?:Error|Exception|Exit): (?:[^"\\]|\\.){1,2000})',
    make=_make_recorded,
    examples=('    "message": "RendezvousConnectionError: The connection to the C10d store has failed.",',),
    ignore=('    "message": "all is well",', '"message": "NotThis: a line"'),
)


def _make_one_line(line: Line, found: re.Match[str]) -> Event | None:
    said = read_exception(found["said"].strip(), sure=False)
    if said is None or not _says_something(said):
        return None
    fields = {"type": said.type, "module": said.module, "message": said.message, "origin": "line"}
    return event("exception", line, fields, text=found["said"][:1000])


# A whole traceback that a cloud put on one line, as the reason why a job failed, or a form that takes line breaks away.
ONE_LINE = LinePattern(
    kind="exception",
    literals=(
        "Traceback (most recent call last): File ",
        "Traceback (most recent call last):  File ",
        "Traceback (most recent call last) Cell In",
        "Traceback (most recent call last) <ipython-input-",
    ),
    regex=r'Traceback \(most recent call last\)(?:: {1,4}File "| Cell In ?\[| <ipython-input-).{1,6000} '
    r"(?P<said>(?:[A-Za-z_][\w.]{0,120})?(?:Error|Exception|Interrupt|Exit): .{1,2000})",
    make=_make_one_line,
    examples=(
        'Reason: Traceback (most recent call last): File "fit.py", line 3, in <module> main() File "fit.py", line 2, '
        "in main raise ValueError ValueError: no data",
        "------- TypeError Traceback (most recent call last) Cell In[4], line 1 ----> 1 f(x) TypeError: f() got no x",
    ),
    ignore=('Traceback (most recent call last): File "fit.py" is long',),
)

# Three places of the table: before tracebacks, among what is specific, and after what names its own errors.
ONE_LINE_PATTERNS: tuple[Pattern, ...] = (ONE_LINE,)
PATTERNS: tuple[Pattern, ...] = (EXCEPTION, QUALIFIED, RECORDED)
REPORTED_PATTERNS: tuple[Pattern, ...] = (REPORTED,)
