"""One traceback while it is read, with all that is chained to it or nested in it; several of them can be woven."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from errtriage.lazy_regex import lazy
from errtriage.model import Event, Frame, Line
from errtriage.patterns.base import event
from errtriage.patterns.foreign_lines import is_later_record
from errtriage.patterns.python_frames import ExceptionLine, FrameLine, read_exception
from errtriage.patterns.python_message import Message
from errtriage.values import dataclass, field, replace

CAUGHT = lazy(r"Caught (?:an? )?(?P<type>[A-Za-z_][\w.]{0,200}) in (?:DataLoader|pin memory|replica|\w*[Ww]orker)")
_SPAWN = lazy(r"-- Process \d+ terminated with the following error")
_REFUSED = 30
_REMOTE = frozenset({"RemoteTraceback", "_RemoteTraceback"})
# What a spawned child calls to import the main module again (`multiprocessing/spawn.py`).
_IMPORTING_MAIN = frozenset({"_fixup_main_from_path", "_fixup_main_from_name"})
_MARKERS = lazy(r"[\s~^]+$")


@dataclass(slots=True, eq=False)
class Part:
    """One exception of a chain: its frames, then its exception line and message."""

    first: Line
    last: Line
    frames: list[Frame] = field(default_factory=list)
    exception: ExceptionLine | None = None
    at: Line | None = None  # the exception line
    message: Message | None = None
    outer: Part | None = None  # the exception that this one was wrapped into
    relation: str | None = None
    worker: str | None = None

    def show(self, parent: Event | None, extra: Mapping[str, str | None]) -> Event:
        """Make the event of this part."""
        said = self.exception
        message = self.message
        fields: dict[str, str | None] = {
            "type": said.type if said else "",
            "module": said.module if said else None,
            "message": message.text if message else "",
            "hint": message.hint if message else None,
            "worker": self.worker,
            "cut": None if said else "yes",
            "spawned": "yes" if any(one.function in _IMPORTING_MAIN for one in self.frames) else None,
            **extra,
        }
        frames = (*self.frames, *(message.frames if message else ()))
        text = (self.at or self.last).text.strip()
        return event(
            "exception",
            self.first,
            fields,
            text=text,
            last=self.last,
            frames=frames,
            parent=parent,
            relation=self.relation if parent else None,
        )


class Strand:
    """The parts of one traceback, oldest first, and what its next line may be."""

    def __init__(self, line: Line, base: int, *, headless: bool = False, remote: bool = False) -> None:
        """Start at a head (or, headless, at a first frame or an announcement) whose column is `base`.

        `remote` where the announcement is the quotation of a traceback from another process.
        """
        self.parts = [Part(first=line, last=line)]
        self.base = base
        self.headless = headless
        self.awaits_code = False
        self.fed = 0  # when a line was taken last, by the block's count
        self.link: str | None = None  # relation of the current part to the next one, once its sentence was read
        self._remote = remote
        self._refused: list[Line] = []  # of the message if a chain follows them
        self._blanks = 0

    @property
    def part(self) -> Part:
        """The part that is being read."""
        return self.parts[-1]

    @property
    def in_frames(self) -> bool:
        """Whether frames or an exception line are expected."""
        return self.part.exception is None and self.link is None

    def restart(self, line: Line, base: int, relation: str | None) -> None:
        """Start the next part at its head: chained by the sentence read before, or nested by `relation`."""
        old = self.part
        new = Part(first=line, last=line)
        if self.headless and not old.frames:
            new.first = old.first  # the line that announced the traceback
            self.headless = False
            self.parts.pop()
        elif relation is not None:
            new.outer, new.relation = old, relation
            new.worker = old.worker
        elif old.exception is not None and old.exception.type in _REMOTE:
            self.parts.pop()  # its message is the traceback that begins here
            new.first = old.first
            self._remote = True
        elif self.link is not None:
            self._chain(old, new, self.link)
        self.link = None
        self.parts.append(new)
        self.base = base
        self.awaits_code = False
        self._blanks = 0

    def _chain(self, old: Part, new: Part, relation: str) -> None:
        wrapper = old.outer
        if wrapper is not None and self._blanks < 2:  # both stand in the text that the wrapper quotes
            new.outer, new.relation, new.worker = wrapper, old.relation, wrapper.worker
        elif wrapper is not None:
            old = wrapper
        old.outer, old.relation = new, relation

    def add_frame(self, line: Line, found: FrameLine) -> None:
        """Take a frame line."""
        if not self.part.frames and found.indent >= 2:
            self.base = found.indent - 2
        self.part.frames.append(found.frame)
        self.part.last = line
        self.awaits_code = found.quoted

    def add_indented(self, line: Line) -> None:
        """Take what stands under a frame: its code, markers under that, its locals."""
        self.part.last = line
        if self.awaits_code and not _MARKERS.match(line.text):
            code = line.text.strip()
            code = code[6:] if code.startswith("line: ") else code
            self.part.frames[-1] = replace(self.part.frames[-1], code=code)
            self.awaits_code = False

    def add_exception(self, line: Line, said: ExceptionLine) -> None:
        """Take the exception line, which ends the frames."""
        part = self.part
        part.exception, part.at, part.last = said, line, line
        part.message = Message(said.message, bare=said.bare)
        self.awaits_code = False
        self._note_worker(said.message)

    def add_message(self, line: Line) -> bool:
        """Take a further line of the message; false where it is none."""
        part = self.part
        text = line.text
        if part.message is None or part.message.closed or (part.at and is_later_record(part.at, line)):
            return False
        if self._remote and text.strip() in {'"""', "'''"}:
            part.message.closed = True
            return True
        indent = min(len(text) - len(text.lstrip()), self.base)
        if not part.message.offer(text[indent:]):
            return False
        if text.strip():
            part.last = line
            self._blanks = 0
            self._note_worker(text)
        else:
            self._blanks += 1
        return True

    def refuse(self, line: Line) -> bool:
        """Keep a line that does not look like the message in case a chain shows that it was; false after too many."""
        self._refused.append(line)
        return len(self._refused) <= _REFUSED

    def add_blank(self) -> None:
        """Count an empty line after the message."""
        self._blanks += 1

    def add_link(self, line: Line, relation: str) -> None:
        """Take the sentence that says how the current part led to the next one."""
        if self.part.message is not None:
            self.part.message.add_all(one.text for one in self._refused)
        self._refused.clear()
        self.part.last = line
        self.link = "worker" if self._remote else relation
        self._remote = False

    def nests(self) -> str | None:
        """Return the relation of a head that comes now without a sentence: a traceback quoted in a message."""
        part = self.part
        if part.exception is None or part.message is None:
            return None
        if _SPAWN.search(part.message.text):
            return "spawn"
        return "worker" if part.exception.type == "RayTaskError" else None

    def is_remote(self) -> bool:
        """Return whether the message is only the quotation mark of a traceback from another process."""
        said = self.part.exception
        return said is not None and said.type in _REMOTE

    def _note_worker(self, text: str) -> None:
        found = CAUGHT.search(text)
        if found and self.part.worker is None:
            self.part.worker = text[found.start() :].strip()

    def fill_cut_type(self) -> None:
        """Name the last exception by the wrapper's words where the log was cut before its own line."""
        part = self.part
        found = CAUGHT.search(part.worker or "")
        if part.exception is None and part.outer is not None and found:
            part.exception = read_exception(found["type"], sure=True)


def show_parts(parts: Sequence[Part], extra: Mapping[str, str | None]) -> list[Event]:
    """Return the events of parts that hold anything, each wrapper before what it wraps."""
    made: dict[int, Event] = {}

    def show(part: Part) -> Event:
        if id(part) not in made:
            parent = show(part.outer) if part.outer is not None else None
            made[id(part)] = part.show(parent, extra)
        return made[id(part)]

    for part in parts:
        if part.exception is not None or part.frames:
            show(part)
    return list(made.values())
