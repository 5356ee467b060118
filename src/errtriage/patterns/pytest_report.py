"""Failures and warnings as pytest reports them: long, short and line tracebacks, and the summary of warnings."""

from __future__ import annotations

import re

from errtriage.lazy_regex import lazy
from errtriage.model import Event, Frame, Line
from errtriage.patterns.base import Block, BlockOpener, Fed, LinePattern, Pattern, event, frame
from errtriage.patterns.python_frames import HEAD, ExceptionLine, read_exception, read_link
from errtriage.patterns.python_message import Message
from errtriage.patterns.python_warning import read_warning
from errtriage.values import replace

_TITLE = lazy(r"_{3,200} (?P<test>\S.{0,300}?) _{3,200}$")
_SECTION = lazy(r"={3,200} .{1,300} ={3,200}$")
_CAPTURED = lazy(r"-{3,200} (?:Captured|live) .{1,80} -{3,200}$")
_SAID = lazy(r"E(?:   (?P<text>.*)|\s*)$")
_POINT = lazy(r"(?P<file>[^\s:][^:]{0,600}|[A-Za-z]:[\\/][^:]{1,600}):(?P<line>\d{1,9}): ?(?P<rest>.{0,300})$")
_IN = lazy(r"in (?P<function>[\w.<>]{1,200})$")
_SOURCE = lazy(r">\s{1,80}(?P<code>\S.*)$")
_PASSES_TITLE = lazy(r"={3,200} (?:PASSES|XPASSES|XFAILURES) ={3,200}$")
_WARNINGS_TITLE = lazy(r"={3,200} warnings summary(?: \(final\))? ={3,200}$")


class _Failure:
    """The report of one test."""

    settled = True

    def __init__(self, line: Line) -> None:
        self.first = self.last = self.at = line
        self.frames: list[Frame] = []
        self.code: str | None = None
        self.said: ExceptionLine | None = None
        self.message: Message | None = None
        self.short = False
        self.captured = False
        self.done: list[tuple[Event, str]] = []

    def feed(self, line: Line) -> Fed:
        """Take the next line."""
        text = line.text.rstrip()
        if _TITLE.match(text) or _SECTION.match(text):
            return Fed.ENDED
        if HEAD in text:
            return Fed.PASSED  # --tb=native
        if self.captured or _CAPTURED.match(text):
            self.captured = True  # what the test printed is read as any other log
            return Fed.PASSED
        relation = read_link(text)
        if relation and self.said is not None:
            self._keep(relation)
        else:
            self._read(line, text)
        return Fed.TAKEN

    def _read(self, line: Line, text: str) -> None:
        said = _SAID.match(text)
        if said is not None:
            self._take_said(line, (said["text"] or "").rstrip())
            return
        source = _SOURCE.match(text)
        if source:
            self.code = source["code"]
            return
        point = _POINT.match(text)
        if point:
            self._take_point(line, point)
        elif self.short and self.frames and text.startswith("    ") and self.frames[-1].code is None:
            self.frames[-1] = replace(self.frames[-1], code=text.strip())

    def _take_point(self, line: Line, point: re.Match[str]) -> None:
        inside = _IN.match(point["rest"])
        if point["rest"] not in ("", "Failed") and not inside and read_exception(point["rest"], sure=True) is None:
            return
        self.short = inside is not None
        function = inside["function"] if inside else None
        self.frames.append(frame(point["file"], int(point["line"]), function, self.code))
        self.code = None
        self.last = line

    def _take_said(self, line: Line, text: str) -> None:
        indent = len(text) - len(text.lstrip())
        if self.message is None:
            said = read_exception(text.strip(), sure=True)
            if said is None:  # an assert: `E       assert 1 == 2`, or `E   AssertionError` cut off
                plain = text.strip()
                kind, _, rest = plain.partition(": ")
                if plain.startswith("assert"):
                    said = ExceptionLine(indent=indent, module=None, type="AssertionError", message=plain)
                elif kind == "Failed":  # pytest.fail and its plugins
                    said = ExceptionLine(indent=indent, module=None, type=kind, message=rest)
                else:
                    return
            self.said, self.at = said, line
            self.message = Message(said.message, fenced=True)
        else:
            self.message.offer(text[4:] if text.startswith("    ") else text)
        self.last = line

    def _keep(self, relation: str | None) -> None:
        if self.said is not None and self.message is not None:
            fields = {
                "type": self.said.type,
                "module": self.said.module,
                "message": self.message.text,
                "hint": self.message.hint,
                "origin": "pytest",
            }
            text = self.at.text.strip().removeprefix("E").strip()
            made = event("exception", self.first, fields, text=text, last=self.last, frames=tuple(self.frames))
            self.done.append((made, relation or "cause"))
        self.frames, self.said, self.message, self.code = [], None, None, None

    def close(self) -> tuple[Event, ...]:
        """Return the exceptions of the test, the last one first."""
        self._keep(None)
        made: list[Event] = []
        for one, relation in reversed(self.done):
            made.append(replace(one, parent=made[-1], relation=relation) if made else one)
        return tuple(made)


class _Warnings:
    """The summary of the warnings of all tests: none of them is a fault of this run."""

    settled = True

    def __init__(self) -> None:
        self.made: list[Event] = []

    def feed(self, line: Line) -> Fed:
        """Take the next line."""
        text = line.text.rstrip()
        if text.startswith("-- Docs:"):
            return Fed.LAST
        if _SECTION.match(text):
            return Fed.ENDED
        fields = read_warning(text.strip())
        if fields is not None:
            self.made.append(event("warning", line, {**fields, "ignored": "yes"}, text=text.strip()))
        return Fed.TAKEN

    def close(self) -> tuple[Event, ...]:
        """Return the warnings."""
        return tuple(self.made)


class _Passes:
    """What tests printed that did as they should (`-rA`, `-rP`, `-rx`): nothing in it is a fault of this run."""

    settled = True

    def __init__(self, line: Line) -> None:
        self.first = self.last = line

    def feed(self, line: Line) -> Fed:
        """Take the next line, up to the next section."""
        if _SECTION.match(line.text.rstrip()):
            return Fed.ENDED
        self.last = line
        return Fed.TAKEN

    def close(self) -> tuple[Event, ...]:
        """Return one event for all of it."""
        return (event("progress", self.first, {"what": "passed"}, last=self.last),)


def _open_failure(line: Line) -> Block | None:
    text = line.text.rstrip()
    if _TITLE.match(text):
        return _Failure(line)
    said = _SAID.match(text)
    if said is None or not said["text"] or read_exception(said["text"].strip(), sure=True) is None:
        return None
    block = _Failure(line)
    block.feed(line)
    return block


def _open_passes(line: Line) -> Block | None:
    return _Passes(line) if _PASSES_TITLE.match(line.text.rstrip()) else None


def _open_warnings(line: Line) -> Block | None:
    return _Warnings() if _WARNINGS_TITLE.match(line.text.rstrip()) else None


FAILURE = BlockOpener(
    kind="exception",
    literals=("___ ", "E   "),
    bound=3000,
    opener=_open_failure,
    examples=(
        "____________________________ test_loss ____________________________\n\n    def test_loss():\n"
        ">       loss(x, y)\n\ntests/test_loss.py:12: \n_ _ _ _ _ _ _ _\n\nx = 1\n\n    def loss(x, y):\n"
        ">       raise ValueError('no')\nE       ValueError: no\n\nsrc/loss.py:3: ValueError",
        "____________________________ test_loss ____________________________\ntests/test_loss.py:12: in test_loss\n"
        "    loss(x, y)\nE   ValueError: no",
        "E       RuntimeError: CUDA error: device-side assert triggered",
    ),
    ignore=("E   no exception", "___ x", "the value E   ValueError of"),
)
WARNINGS = BlockOpener(
    kind="warning",
    literals=(" warnings summary",),
    bound=5000,
    opener=_open_warnings,
    examples=(
        "=========== warnings summary ===========\ntests/test_a.py::test_b\n"
        "  /app/a.py:3: RuntimeWarning: overflow encountered in exp\n    np.exp(x)\n\n"
        "-- Docs: https://docs.pytest.org/en/stable/how-to/capture-warnings.html",
    ),
    ignore=("the warnings summary stands below",),
)
PASSES = BlockOpener(
    kind="progress",
    literals=("= PASSES =", "= XPASSES =", "= XFAILURES ="),
    bound=5000,
    opener=_open_passes,
    examples=(
        "==================================== PASSES ====================================\n"
        "__________________________________ test_logs ___________________________________\n"
        "ERROR    root:test_a.py:16 RuntimeError: this is what the test wants to see logged\n"
        "=========================== short test summary info ============================",
    ),
    ignore=("PASSES", "== 3 passed =="),
)
SUMMARY = LinePattern(
    kind="exception",
    literals=("FAILED ", "ERROR "),
    regex=r"^(?:FAILED|ERROR) (?P<test>\S{1,400}::\S{1,200}(?: \[.{1,80}\])?) - "
    r"(?:(?P<module>[\w.]{1,200})\.)?(?P<type>\w{1,120}(?:Error|Exception|Exit|Interrupt))"
    r"(?:: (?P<message>.{0,2000}))?$",
    make=lambda line, found: event("exception", line, {"message": "", **found.groupdict(), "origin": "pytest"}),
    examples=(
        "FAILED tests/test_a.py::test_b - RuntimeError: boom",
        "ERROR tests/test_a.py::test_b - ModuleNotFoundError: No module named 'x'",
    ),
    ignore=("FAILED to start", "ERROR - RuntimeError: x", "FAILED tests/test_a.py::test_b - assert 1 == 2"),
)

PATTERNS: tuple[Pattern, ...] = (WARNINGS, PASSES, FAILURE, SUMMARY)
