"""What an editor's debugger shows of an exception: `Exception has occurred: Type`, a message, frames newest first."""

from __future__ import annotations

from errtriage.lazy_regex import lazy
from errtriage.model import Event, Frame, Line
from errtriage.patterns.base import Block, BlockOpener, Fed, Pattern, event
from errtriage.patterns.foreign_lines import is_foreign
from errtriage.patterns.python_frames import HEAD, read_frame
from errtriage.values import replace

_HEAD = lazy(r"\s{0,8}Exception has occurred: (?P<name>[A-Za-z_][\w.]{0,200})(?:\s+\(note: .{0,200})?\s*$")
_LONGEST = 40  # lines of a message


class _Report:
    """The message up to the first frame, then frames with their code."""

    settled = True

    def __init__(self, line: Line, name: str) -> None:
        self.first = self.last = line
        self.name = name
        self.message: list[str] = []
        self.frames: list[Frame] = []

    def feed(self, line: Line) -> Fed:
        """Take the next line."""
        found = read_frame(line.text)
        if found is not None:
            self.frames.append(found.frame)
        elif not line.text.strip() or HEAD in line.text or is_foreign(line.text):
            return Fed.ENDED
        elif self.frames:
            if line.text[:1] not in " \t":
                return Fed.ENDED
            if self.frames[-1].code is None:
                self.frames[-1] = replace(self.frames[-1], code=line.text.strip())
        elif len(self.message) < _LONGEST:
            self.message.append(line.text.strip())
        else:
            return Fed.ENDED
        self.last = line
        return Fed.TAKEN

    def close(self) -> tuple[Event, ...]:
        """Return the exception, its frames outermost first as everywhere else."""
        module, _, name = self.name.rpartition(".")
        message = "\n".join(self.message)
        fields = {"type": name, "module": module or None, "message": message, "origin": "debugger"}
        text = f"{self.name}: {self.message[0] if self.message else ''}".rstrip(": ")
        frames = tuple(reversed(self.frames))
        return (event("exception", self.first, fields, text=text, last=self.last, frames=frames),)


def _open(line: Line) -> Block | None:
    found = _HEAD.match(line.text)
    return _Report(line, found["name"]) if found else None


REPORT = BlockOpener(
    kind="exception",
    literals=("Exception has occurred: ",),
    bound=400,
    opener=_open,
    examples=(
        "Exception has occurred: RuntimeError\nshape '[4, 3]' is invalid for input of size 9\n"
        '  File "/home/u/net.py", line 31, in forward\n    return x.view(4, 3)\n'
        '  File "/home/u/run.py", line 8, in <module>\n    net(x)',
    ),
    ignore=("An Exception has occurred: see the log", "Exception has occurred: the run stops"),
)

PATTERNS: tuple[Pattern, ...] = (REPORT,)
