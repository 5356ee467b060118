"""Tracebacks in boxes, as rich (typer, torchtune, Lightning) prints them: frames, code, and the line below the box."""

from __future__ import annotations

from errtriage.lazy_regex import lazy
from errtriage.model import Event, Frame, Line
from errtriage.patterns.base import Block, BlockOpener, Fed, Pattern, event, frame
from errtriage.patterns.python_frames import ExceptionLine, read_exception, read_link
from errtriage.patterns.python_message import Message
from errtriage.values import replace

_HEAD = lazy(r"[╭+][─-]{2,400} Traceback \(most recent call last\) [─-]{2,400}[╮+]")
_SIDES = lazy(r"^\s{0,40}[│|] ?(.*?)\s*[│|]?\s*$")
_BOTTOM = lazy(r"\s{0,40}[╰+][─-]{2,}[╯+]")
_FRAME = lazy(r"(?P<file>[^\s:].{0,600}?):(?P<line>\d{1,9}) in (?P<function>\S.{0,200})$")
_SPLIT_FRAME = lazy(r"(?P<line>\d{1,9}) in (?P<function>\S.{0,200})$")
_ARROW = lazy(r"(?:[❱>]|\\u2771) (?P<line>\d{1,9}) (?:[│|]\s{1,4}){0,20}(?P<code>.*)$")
_LOCALS = lazy(r"[╭+][─-]{2,200} locals [─-]{2,200}[╮+]")


class _Boxed:
    """Boxes, oldest first, each with the exception line below it."""

    settled = False

    def __init__(self, line: Line) -> None:
        self.done: list[tuple[Event, str | None]] = []
        self._start(line)

    def _start(self, line: Line) -> None:
        self.first = self.last = self.at = line
        self.frames: list[Frame] = []
        self.inside = True
        self.locals = False
        self.cut_path = ""
        self.said: ExceptionLine | None = None
        self.message: Message | None = None
        self.link: str | None = None

    def feed(self, line: Line) -> Fed:
        """Take the next line."""
        text = line.text.rstrip()
        if self.inside:
            return self._feed_box(line, text)
        if _HEAD.search(text) and self.link:
            self._keep()
            self._start(line)
            return Fed.TAKEN
        relation = read_link(text)
        if relation and self.message is not None:
            self.link = relation
            return Fed.TAKEN
        if self.message is None:
            return self._feed_exception(line, text)
        self.settled = True
        if not text.strip() and self.link:
            return Fed.TAKEN
        if self.link or not self.message.offer(text):
            return Fed.ENDED
        if text.strip():
            self.last = line
        return Fed.TAKEN

    def _feed_exception(self, line: Line, text: str) -> Fed:
        if not text.strip():
            return Fed.TAKEN
        said = read_exception(text, sure=True)
        if said is None:
            return Fed.ENDED
        self.said, self.at, self.last = said, line, line
        self.message = Message(said.message)
        return Fed.TAKEN

    def _feed_box(self, line: Line, text: str) -> Fed:
        if _BOTTOM.match(text):
            self.inside = False
            return self._take(line)
        sides = _SIDES.match(text)
        if sides is None:
            return Fed.PASSED
        inner = sides[1]
        if _LOCALS.search(inner):
            self.locals = True
        elif self.locals:
            self.locals = not _BOTTOM.match(inner)
        else:
            self._read_inner(inner)
        return self._take(line)

    def _read_inner(self, inner: str) -> None:
        stripped = inner.strip()
        arrow = _ARROW.match(stripped)
        if arrow and self.frames:
            self.frames[-1] = replace(self.frames[-1], code=arrow["code"].strip() or None)
            return
        joined = self.cut_path + stripped
        found = _FRAME.match(stripped) or (_FRAME.match(joined) if self.cut_path else None)
        if found:
            self.frames.append(frame(found["file"], int(found["line"]), found["function"].strip()))
            self.cut_path = ""
        elif inner[:1] not in ("", " "):  # a path that did not fit into the box
            self.cut_path = joined
        else:
            self.cut_path = ""

    def _take(self, line: Line) -> Fed:
        self.last = line
        return Fed.TAKEN

    def _keep(self) -> None:
        said = self.said
        fields = {
            "type": said.type if said else "",
            "module": said.module if said else None,
            "message": self.message.text if self.message else "",
            "hint": self.message.hint if self.message else None,
            "origin": "rich",
            "cut": None if said else "yes",
        }
        made = event(
            "exception", self.first, fields, text=self.at.text.strip(), last=self.last, frames=tuple(self.frames)
        )
        self.done.append((made, self.link))

    def close(self) -> tuple[Event, ...]:
        """Return the exceptions, the last one first."""
        if self.said is not None or self.frames:
            self._keep()
        made: list[Event] = []
        for one, relation in reversed(self.done):
            made.append(replace(one, parent=made[-1], relation=relation) if made and relation else one)
        return tuple(made)


def _open(line: Line) -> Block | None:
    return _Boxed(line) if _HEAD.search(line.text) else None


RICH = BlockOpener(
    kind="exception",
    literals=("Traceback (most recent call last) ─", "Traceback (most recent call last) -"),
    bound=4000,
    opener=_open,
    examples=(
        "╭───────────── Traceback (most recent call last) ─────────────╮\n"
        "│ /app/x.py:12 in f                                            │\n"
        "│                                                              │\n"
        "│ ❱ 12 │   return g(x)                                         │\n"
        "╰──────────────────────────────────────────────────────────────╯\n"
        "ValueError: no",
        "+------------- Traceback (most recent call last) -------------+\n"
        "| /app/x.py:12 in f                                            |\n"
        "| > 12 |   return g(x)                                         |\n"
        "+--------------------------------------------------------------+\n"
        "ValueError: no",
    ),
    ignore=("Traceback (most recent call last):", "╭──── locals ────╮"),
)

PATTERNS: tuple[Pattern, ...] = (RICH,)
