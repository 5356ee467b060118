"""Python tracebacks of every version: chained, nested, cut, indented, glued behind other text, or woven."""

from __future__ import annotations

from errtriage.lazy_regex import lazy
from errtriage.model import Event, Line
from errtriage.patterns.base import Block, BlockOpener, Fed, Pattern
from errtriage.patterns.python_frames import (
    HEAD,
    ExceptionLine,
    FrameLine,
    indent_of,
    read_exception,
    read_frame,
    read_link,
)
from errtriage.patterns.traceback_strand import CAUGHT, Strand, show_parts
from errtriage.patterns.traceback_weave import best, is_lost, whose_code
from errtriage.values import replace

_STRANDS = 16
_PATIENCE = 200  # lines of others that may stand inside a traceback
_PREAMBLE = lazy(
    r"(?P<thread>[Ee]xception in thread (?P<name>.{1,200}?):?\s{0,8}$)|"
    r"(?P<ignored>Exception ignored (?:in|while|on)\b|--- Logging error ---|Error in atexit\._run_exitfuncs)|"
    r"(?P<remote>RemoteTraceback:\s{0,8}$)"
)
_NOTEBOOK_HEAD = lazy(r"\w{1,200}\s{2,}Traceback \(most recent call last\)\s*$")
_GROUP_HEAD = "Exception Group Traceback"
_BOXED_HEAD = lazy(r"[─-]{2} Traceback \(most recent call last\) [─-]{2}")
_PRINTED_NEWLINE = lazy(r"\\n(?=\s*(?:File \"|[\w.]+(?:Error|Exception)\b|\\n|    ))|\\n$|\\n['\")]")


class _Tracebacks:
    """The block: one strand, or several whose lines are woven into one channel."""

    def __init__(self, extra: dict[str, str | None]) -> None:
        self.strands: list[Strand] = []
        self.extra = extra
        self.settled = False  # every traceback has its last line: only a message or a chain may still come
        self._count = 0
        self._passed = 0
        self._ended = False

    def feed(self, line: Line) -> Fed:
        """Take the next line."""
        self._count += 1
        fed = self._sort(line)
        self._passed = self._passed + 1 if fed is Fed.PASSED else 0
        if self._passed > (3 if self._is_headless() else _PATIENCE):
            fed = Fed.ENDED
        self._ended = fed is Fed.ENDED
        self.settled = not any(strand.in_frames or strand.link for strand in self.strands)
        return fed

    def _is_headless(self) -> bool:
        return all(strand.headless for strand in self.strands)

    def _sort(self, line: Line) -> Fed:
        text = line.text
        if HEAD in text:
            return self.take_head(line)
        if not text.strip():
            return self._take_blank(line)
        relation = read_link(text)
        if relation is not None:
            return self._take_link(line, relation)
        found = read_frame(text)
        if found is not None:
            return self.take_frame(line, found)
        return self._take_text(line)

    def take_head(self, line: Line) -> Fed:
        """Take a line with a traceback's head: a first, chained, nested or woven one."""
        before, _, after = line.text.partition(HEAD)
        base = len(before) if not before.strip() else 0
        if _GROUP_HEAD in line.text or _NOTEBOOK_HEAD.match(line.text) or _BOXED_HEAD.search(line.text):
            return Fed.ENDED
        strand = self._strand_for_head(line, before)
        if strand is None:
            if self.strands and not any(one.in_frames and not is_lost(self.strands, one) for one in self.strands):
                return Fed.ENDED
            if len(self.strands) >= _STRANDS:
                return Fed.PASSED
            strand = Strand(line, base)
            self.strands.append(strand)
        strand.fed = self._count
        rest = after.lstrip(":").rstrip()
        if rest.strip():
            self._take_rest(line, rest)
        return Fed.TAKEN

    def _strand_for_head(self, line: Line, before: str) -> Strand | None:
        """Return the strand that a head goes on with, restarted there."""
        base = indent_of(before) if not before.strip() else 0
        announced = [strand for strand in self.strands if strand.headless and not strand.part.frames]
        chained = [strand for strand in self.strands if strand.link]
        for strand in (*announced, *chained):
            strand.restart(line, base, None)
            return strand
        done = [strand for strand in reversed(self.strands) if not strand.in_frames]
        for strand in done:
            relation = "worker" if before.strip().startswith("Original") else strand.nests()
            if relation or strand.is_remote():
                strand.restart(line, base, relation)
                return strand
        said = read_exception(before.rstrip(" '\""), sure=False) if before.strip() else None
        open_strands = [strand for strand in self.strands if strand.in_frames and strand.part.frames]
        if said is not None and open_strands:  # `RuntimeError: Traceback (most…`: old DataLoaders
            strand = max(open_strands, key=lambda one: one.fed)
            strand.add_exception(line, said)
            strand.restart(line, base, "worker")
            return strand
        return None

    def _take_rest(self, line: Line, rest: str) -> None:
        """Take what stands behind a head on its line: a frame, or the whole traceback with printed newlines."""
        pieces = rest.replace("\\r", "").split("\\n")
        for piece in pieces:
            if piece.strip(" '\")"):
                text = piece.replace("\\'", "'").replace('\\"', '"')
                self._sort(replace(line, text=text.rstrip("'\"") if len(pieces) > 1 and piece is pieces[-1] else text))

    def _take_blank(self, line: Line) -> Fed:
        if any(strand.in_frames for strand in self.strands):
            return Fed.TAKEN
        for strand in self.strands:
            if not strand.link and not strand.add_message(line):
                strand.add_blank()
        return Fed.TAKEN

    def _take_link(self, line: Line, relation: str) -> Fed:
        for strand in self.strands:
            if not strand.in_frames and not strand.link and strand.part.exception is not None:
                strand.add_link(line, relation)
                strand.fed = self._count
                return Fed.TAKEN
        return Fed.ENDED if self.settled else Fed.PASSED

    def take_frame(self, line: Line, found: FrameLine) -> Fed:
        """Take a frame line into the strand that it fits best."""
        strand = best(self.strands, [one for one in self.strands if one.in_frames], found)
        if strand is None:
            for done in reversed(self.strands):
                if done.nests() == "worker":
                    done.restart(line, max(found.indent - 2, 0), "worker")
                    strand = done
                    break
                if done.add_message(line):
                    return Fed.TAKEN
            else:
                return Fed.ENDED
        strand.add_frame(line, found)
        strand.fed = self._count
        return Fed.TAKEN

    def _take_text(self, line: Line) -> Fed:
        indent = indent_of(line.text)
        reading = [strand for strand in self.strands if strand.in_frames]
        waiting = [strand for strand in reading if strand.awaits_code and indent > strand.base]
        if waiting:
            strand = whose_code(self.strands, waiting, line.text.strip())
            strand.add_indented(line)
            strand.fed = self._count
            return Fed.TAKEN
        said = read_exception(line.text, sure=True)
        if said is not None and self._take_exception(line, said, reading):
            return Fed.TAKEN
        for strand in sorted(self.strands, key=lambda one: -one.fed):
            if strand.in_frames:
                if strand.part.frames and indent > strand.base:
                    strand.add_indented(line)
                    return Fed.TAKEN
            elif not strand.link and strand.add_message(line):
                return Fed.TAKEN
        if reading or any(strand.link for strand in self.strands):
            return Fed.PASSED
        return Fed.PASSED if all(strand.refuse(line) for strand in self.strands) else Fed.ENDED

    def _take_exception(self, line: Line, said: ExceptionLine, reading: list[Strand]) -> bool:
        fitting = [one for one in reading if said.indent <= one.base and (one.part.frames or self.extra)]
        strand = best(self.strands, fitting, None)
        if strand is None:
            return False
        strand.add_exception(line, said)
        strand.fed = self._count
        return True

    def close(self) -> tuple[Event, ...]:
        """Return the exceptions, each wrapper before what it wraps."""
        made: list[Event] = []
        for strand in self.strands:
            if self._is_complete(strand):
                made.extend(show_parts(strand.parts, {"origin": "traceback", **self.extra}))
        return tuple(made)

    def _is_complete(self, strand: Strand) -> bool:
        strand.fill_cut_type()
        if len(strand.parts) > 1 or strand.part.exception is not None:
            return True
        frames = strand.part.frames
        if self._ended or strand.headless or not frames or self._count - strand.fed > 3:
            return False  # a stack that the program printed, or the loser of a weave
        return not is_lost(self.strands, strand)


def _open(line: Line) -> Block | None:
    """Open at a head, at a line that announces one, or at a frame whose head was cut off."""
    announced = _PREAMBLE.search(line.text)
    if HEAD in line.text:
        block = _Tracebacks({})
        return block if block.take_head(line) is Fed.TAKEN else None
    if announced:
        block = _Tracebacks({"thread": announced["name"], "ignored": "yes" if announced["ignored"] else None})
        block.strands.append(Strand(line, 0, headless=True, remote=bool(announced["remote"])))
        return block
    found = read_frame(line.text)
    if found is None:
        return _open_wrapper(line)
    block = _Tracebacks({})
    block.strands.append(Strand(line, max(found.indent - 2, 0), headless=True))
    block.take_frame(line, found)
    return block


def _open_wrapper(line: Line) -> Block | None:
    """Open at a worker's wrapper whose own traceback was left out: the original one stands below it."""
    said = read_exception(line.text, sure=False)
    if said is None or not CAUGHT.match(said.message):
        return None
    block = _Tracebacks({})
    strand = Strand(line, said.indent)
    strand.add_exception(line, said)
    block.strands.append(strand)
    block.settled = True
    return block


TRACEBACK = BlockOpener(
    kind="exception",
    literals=(
        HEAD,
        'File "',
        "xception in thread",
        "Exception ignored ",
        "--- Logging error ---",
        "Error in atexit.",
        "RemoteTraceback:",
        ": Caught ",
    ),
    bound=4000,
    opener=_open,
    examples=(
        "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    f(x)\nKeyError: 'b'",
        "  File \"a.py\", line 3, in <module>\n    f(x)\nKeyError: 'b'",
        "Exception in thread Thread-1:\nTraceback (most recent call last):\n"
        '  File "a.py", line 3, in run\n    f(x)\nValueError',
        "Exception ignored in: <function A.__del__ at 0x7f00>\nTraceback (most recent call last):\n"
        '  File "a.py", line 3, in __del__\n    f(x)\nValueError: late',
        "--- Logging error ---\nTraceback (most recent call last):\n"
        '  File "a.py", line 3, in emit\n    f(x)\nTypeError: not all arguments converted',
        'multiprocessing.pool.RemoteTraceback: \n"""\nTraceback (most recent call last):\n'
        '  File "a.py", line 3, in f\n    g(x)\nValueError: no\n"""',
        "KeyError: Caught KeyError in DataLoader worker process 0.\nOriginal Traceback (most recent call last):\n"
        '  File "a.py", line 3, in __getitem__\n    f(x)\nKeyError: 7',
        "Error in atexit._run_exitfuncs:\nTraceback (most recent call last):\n"
        '  File "a.py", line 3, in stop\n    f(x)\nOSError: [Errno 9] Bad file descriptor',
    ),
    ignore=(
        "the Traceback (most recent call last) stands above",
        '  File "a.py", line 41 in <module>',
        '  File "a.py", line 3, in <module>\n    f(x)',
        "an exception in thread safety",
        "--- Logging error rate ---",
    ),
)

PATTERNS: tuple[Pattern, ...] = (TRACEBACK,)
