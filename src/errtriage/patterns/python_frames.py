"""The single lines that Python tracebacks are made of: heads, frames, exception lines and the sentences between."""

from __future__ import annotations

from errtriage.lazy_regex import lazy
from errtriage.model import Frame
from errtriage.patterns.base import frame
from errtriage.values import dataclass

HEAD = "Traceback (most recent call last)"

# `xxx` in place of a line number is what people write who blank out their paths.
_FRAME = lazy(
    r'(?P<indent>[ \t]*|> )File "(?P<file>[^"]{1,1000})", line (?P<line>\d{1,9}|[xX]{1,6})'
    r"(?:, in (?P<function>.{1,400}))?$"
)
_EXCEPTION = lazy(
    r"(?P<indent>[ \t]*)(?P<name>[A-Za-z_]\w{0,200}(?:\.(?:[A-Za-z_]\w{0,200}|<locals>)){0,20})"
    r"(?P<inner>\([\w.]{1,200}\))?(?P<colon>: ?)?(?(colon)(?P<message>.*))$"
)
_NAMED_AS_ERROR = lazy(
    r"(?:Error|Exception|Exit|Interrupt|Iteration|error|ExceptionGroup|NotFound|Timeout|Failure|Fault|"
    r"RemoteTraceback|Warning)\d?$"
)
_CLASS_NAME = lazy(r"_?[A-Z][a-z0-9]{1,80}[A-Z][A-Za-z0-9]{0,80}$|Unsupported$|Empty$|Full$")
# Words that open lines of a log and end like an exception.
_SUFFIXES = frozenset({"py", "pyx", "ipynb", "cc", "cpp", "cu", "cuh", "h", "hpp"})
_LOG_WORDS = frozenset({"Warning", "Error", "Iteration", "Exit", "Timeout", "Failure", "Fault", "error"})

CAUSE = "The above exception was the direct cause of the following exception"
HANDLING = "During handling of the above exception, another exception occurred"


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameLine:
    """A `File "…", line N, in f` line; `quoted` tells whether Python prints a source line under it."""

    indent: int
    frame: Frame
    quoted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionLine:
    """A `module.Type: message` line."""

    indent: int
    module: str | None
    type: str
    message: str
    bare: bool = False  # no colon, so that no message can follow


def indent_of(text: str) -> int:
    """Return how many blanks a line begins with."""
    return len(text) - len(text.lstrip())


def read_frame(text: str) -> FrameLine | None:
    """Read a frame line of the interpreter's own tracebacks, of any version; None where it is none."""
    found = _FRAME.match(text.rstrip())
    if found is None:
        return None
    number = found["line"]
    made = frame(found["file"], int(number) if number.isdigit() else None, found["function"])
    quoted = not found["file"].startswith("<") or found["file"].startswith("<ipython")
    return FrameLine(indent=len(found["indent"]), frame=made, quoted=quoted)


def read_exception(text: str, *, sure: bool) -> ExceptionLine | None:
    """Read an exception line; `sure` where a traceback's frames stand before it, so that any class name will do."""
    found = _EXCEPTION.match(text.rstrip())
    if found is None:
        return None
    module, _, last = found["name"].rpartition(".")
    message = found["message"] or ""
    if found["inner"]:  # RayTaskError(ValueError): the class in brackets is the one that was raised
        if last != "RayTaskError":
            return None
    elif not _NAMED_AS_ERROR.search(last):
        dotted = bool(module) and " " not in found["name"]
        if not sure or not (dotted or _CLASS_NAME.match(last)):
            return None
    elif last in _LOG_WORDS and not module:
        return None
    if last in _SUFFIXES:
        return None  # `train.py:12: UserWarning: …` names a file
    return ExceptionLine(
        indent=len(found["indent"]), module=module or None, type=last, message=message, bare=found["message"] is None
    )


def read_link(text: str) -> str | None:
    """Return the relation that a sentence between two chained tracebacks states."""
    if CAUSE in text:
        return "cause"
    if HANDLING in text:
        return "handling"
    return None
