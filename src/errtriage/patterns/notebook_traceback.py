"""Tracebacks of IPython 5 to 9, as Jupyter, Colab, nbconvert and the IPython prompt print them."""

from __future__ import annotations

from collections.abc import Iterator

from errtriage.lazy_regex import lazy
from errtriage.model import Event, Frame, Line
from errtriage.patterns.base import Block, BlockOpener, Fed, Pattern, event, frame
from errtriage.patterns.foreign_lines import is_foreign
from errtriage.patterns.python_frames import ExceptionLine, read_exception, read_frame, read_link
from errtriage.patterns.python_message import Message
from errtriage.patterns.python_traceback import TRACEBACK
from errtriage.patterns.traceback_strand import CAUGHT
from errtriage.values import replace

# IPython 5 leaves no space where the console is narrow.
_HEAD = lazy(r"(?P<type>[A-Za-z_]\w{0,120}?)\s{0,80}Traceback \(most recent call last\)\s*$")
_PATIENCE = 50  # lines of others inside a traceback
_CELL = r"(?:Cell In|Input In|In)\s?\[(?P<cell>\d{1,6}|\*)\]"
_FRAMES = (
    # 8.0 and later: `Cell In[1], line 10, in f(x)`, `Input In [1], in <cell line: 10>()`, `File /a/b.py:12, in f(x)`
    lazy(
        r"(?P<file>" + _CELL + r")(?:, line (?P<line>\d{1,9}))?(?:, in (?P<function>.{1,300}))?$",
    ),
    lazy(r"File (?P<file>[^\s,][^,\n]{0,600}?)(?::(?P<line>\d{1,9}))?, in (?P<function>.{1,600})$"),
    lazy(r"File (?P<file>[^\s,][^,\n]{0,600}):(?P<line>\d{1,9})(?P<function>)$"),  # code of a module
    # up to 7, and Colab: `<ipython-input-1-…> in f(x)`, `/a/b.py in f(x)`
    lazy(r"(?P<file><ipython-input-[^>]{1,80}>|[~/.\\A-Za-z][^\s,:]{0,600}?\.\w{1,6}|[A-Za-z]:[\\/][^:,]{1,600}?)"
               r"(?::(?P<line>\d{1,9}))? in (?P<function><[^>]{1,60}>(?:\(\))?|[\w.<>]{1,120}\(.{0,600})$"),
)  # fmt: skip
_ARROW = lazy(r"-{1,12}> ?(?P<line>\d{1,9}) ?(?P<code>.*)$")
_CONTEXT = lazy(r"\s{0,12}\d{1,9}(?: |$)|\s{3,}\(?\.\.\.|\s{1,8}\[\.\.\.|\d{1,4} frames?$|\s*$|\s{4,}\S")
_CELL_LINE = lazy(r"<cell line: (\d+)>")
_SYNTAX = lazy(r"  (?:Cell In|Input In)\s?\[\d{1,6}\], line \d{1,9}$")
_CALL = lazy(r"\(.*$")
_ORIGINAL = lazy(r"Original Traceback \(most recent call last\):$")


class _Notebook:
    """One traceback with those that are chained to it, oldest first."""

    settled = False

    def __init__(self, line: Line, kind: str) -> None:
        self.done: list[tuple[Event, str | None]] = []
        self.passed = 0
        self._start(line, kind)

    def _start(self, line: Line, kind: str) -> None:
        self.first = self.last = line
        self.kind = kind
        self.frames: list[Frame] = []
        self.said: ExceptionLine | None = None
        self.at = line
        self.message: Message | None = None
        self.link: str | None = None
        self.worker: Block | None = None

    def feed(self, line: Line) -> Fed:
        """Take the next line."""
        if self.worker is not None:
            return self._feed_worker(line, self.worker)
        text = line.text
        head = _HEAD.match(text)
        if head and self.link:
            self._keep()
            self._start(line, head["type"])
            return Fed.TAKEN
        if head:
            return Fed.ENDED
        relation = read_link(text)
        if relation and self.message is not None:
            self.link, self.last = relation, line
            return Fed.TAKEN
        fed = self._feed_message(line) if self.message is not None else self._feed_frames(line)
        self.settled = self.message is not None
        return fed

    def _feed_message(self, line: Line) -> Fed:
        if self.link is not None:
            return Fed.TAKEN if not line.text.strip() or line.text.startswith("-----") else Fed.ENDED
        if self.message is not None and _ORIGINAL.match(line.text) and CAUGHT.match(self.message.text):
            self.worker = TRACEBACK.open(line)
            return self._take(line)
        if self.message is None or not self.message.offer(line.text):
            return Fed.ENDED
        if line.text.strip():
            self.last = line
        return Fed.TAKEN

    def _feed_worker(self, line: Line, worker: Block) -> Fed:
        fed = worker.feed(line)
        return self._take(line) if fed is Fed.TAKEN else fed

    def _feed_frames(self, line: Line) -> Fed:
        text = line.text.rstrip()
        arrow = _ARROW.match(text.lstrip())
        if arrow:
            self._point(int(arrow["line"]), arrow["code"].strip())
            return self._take(line)
        found = read_notebook_frame(text)
        if found is not None:
            self.frames.append(found)
            return self._take(line)
        said = read_exception(text, sure=True)
        if said is not None and (said.type == self.kind or (said.indent == 0 and self.frames)):
            self.said, self.at, self.message = said, line, Message(said.message, fenced=True)
            return self._take(line)
        if _CONTEXT.match(text):
            if self._is_code_of_plain(text):
                self.frames[-1] = replace(self.frames[-1], code=text.strip())
            return Fed.TAKEN
        plain = read_frame(text)  # SyntaxError: the cell is shown as the interpreter shows a file
        if plain is not None:
            self.frames.append(plain.frame)
            return self._take(line)
        self.passed += 1
        return Fed.ENDED if is_foreign(text) or self.passed > _PATIENCE else Fed.PASSED

    def _is_code_of_plain(self, text: str) -> bool:
        """Return whether a line quotes the code of a cell that could not be compiled (no arrow points at it)."""
        return bool(self.frames) and self.kind == "SyntaxError" and text.startswith("    ") and not self.frames[-1].code

    def _take(self, line: Line) -> Fed:
        self.last = line
        return Fed.TAKEN

    def _point(self, number: int, code: str) -> None:
        """Take the arrow line: where in the last frame it happened."""
        if self.frames:
            self.frames[-1] = replace(self.frames[-1], line=number, code=code or None)

    def _keep(self) -> None:
        said = self.said
        fields = {
            "type": said.type if said else self.kind,
            "module": said.module if said else None,
            "message": self.message.text if self.message else "",
            "hint": self.message.hint if self.message else None,
            "origin": "notebook",
        }
        frames = (*self.frames, *(self.message.frames if self.message else ()))
        made = event("exception", self.first, fields, text=self.at.text.strip(), last=self.last, frames=frames)
        self.done.append((made, self.link))

    def close(self) -> tuple[Event, ...]:
        """Return the exceptions, the one that ended the cell first."""
        if self.message is not None or self.frames:
            self._keep()
        made: list[Event] = []
        for one, relation in reversed(self.done):
            made.append(replace(one, parent=made[-1], relation=relation) if made and relation else one)
        return (*made, *self._of_worker(made[0])) if made and self.worker is not None else tuple(made)

    def _of_worker(self, wrapper: Event) -> Iterator[Event]:
        """Give what the worker raised; the first one of it that no other wraps stands below the notebook's own."""
        for number, one in enumerate(self.worker.close() if self.worker is not None else ()):
            told = replace(one, fields={**one.fields, "worker": wrapper.fields["message"]})
            loose = number == 0 and told.parent is None
            yield replace(told, parent=wrapper, relation="worker") if loose else told


def read_notebook_frame(text: str) -> Frame | None:
    """Read the line that begins a frame in a notebook's traceback; its line number can stand at an arrow below."""
    for shape in _FRAMES:
        found = shape.match(text.strip())
        if found is None:
            continue
        function = found["function"]
        cell = _CELL_LINE.search(function or "")
        number = found["line"] or (cell[1] if cell and cell[1] != "0" else None)
        name = _CALL.sub("", function) if function and not cell else ("<module>" if cell or not function else None)
        return frame(found["file"], int(number) if number else None, name)
    return None


def _open(line: Line) -> Block | None:
    head = _HEAD.match(line.text.strip())
    if head:
        return _Notebook(line, head["type"])
    if not _SYNTAX.match(line.text):
        return None
    block = _Notebook(line, "SyntaxError")
    block.feed(line)
    return block


NOTEBOOK = BlockOpener(
    kind="exception",
    literals=("Traceback (most recent call last)", "  Cell In", "  Input In"),
    bound=3000,
    opener=_open,
    examples=(
        "  Cell In[3], line 1\n    a = (1,\n        ^\nSyntaxError: '(' was never closed",
        "  Input In [3], line 1\n    a = (1,\n        ^\nSyntaxError: '(' was never closed",
        "KeyError                                  Traceback (most recent call last)\n"
        "<ipython-input-1-952e97e52b25> in mid(x)\n      6     try:\n----> 7         inner(x)\n\nKeyError: 'b'",
        "RuntimeError                              Traceback (most recent call last)\n"
        "Cell In[3], line 2\n      1 x = 1\n----> 2 f(x)\n\nRuntimeError: no",
        "IndexError                                Traceback (most recent call last)\n"
        "Input In [18], in <cell line: 1>()\n----> 1 fit()\n\n"
        "File ~\\a\\b.py:28, in f(x)\n---> 28 g()\n\nIndexError: Target 1 is out of bounds.",
    ),
    ignore=(
        "Cell In[3] ran",
        "  Cell In[3], line",
        "a Traceback (most recent call last) stands above",
        "KeyError: 'b'",
    ),
)

PATTERNS: tuple[Pattern, ...] = (NOTEBOOK,)
