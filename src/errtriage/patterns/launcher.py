"""The failure table of torchrun (`ChildFailedError`): one event for each failing rank, in all layouts since 1.9."""

from __future__ import annotations

from errtriage.exits import signal_name, signal_of
from errtriage.model import Event, Line
from errtriage.patterns.base import Block, Fed, compiled, event, replace
from errtriage.patterns.python_frames import HEAD
from errtriage.patterns.python_traceback import TRACEBACK
from errtriage.values import dataclass, field

KIND = "launcher"

_TITLE = r"^\s*(?P<name>\S.{0,300}?) FAILED\s*$"
_RULE = r"^\s*(?:={10,}|\*{10,}|-{10,})\s*$"
_HEAD = r"^\s*(?:Failures:|Root Cause(?: \(first observed failure\))?:|Other Failures:|<NO_OTHER_FAILURES>)\s*$"
_NUMBER = r"^\s*\[(?P<number>\d{1,6})\]:\s*$"
_KEY = r"^\s{0,8}(?P<key>time|host|rank|exitcode|error_file|traceback|msg)\s{0,10}: ?(?P<value>.*)$"
_RANK = r"(?P<rank>\d{1,7})(?: \(local_rank: (?P<local_rank>\d{1,7})\))?"
_EXIT = r"(?P<exitcode>-?\d{1,11}) \(pid: (?P<pid>\d{1,10})\)(?:\s{1,4}\((?P<signal>SIG\w{1,8})\))?"
_NO_TRACEBACK = "To enable traceback see:"
_FOREIGN_LINES = 40  # woven lines of other processes, after which a table is taken to be cut


@dataclass
class _Failure:
    """One entry of the table while it is read."""

    first: Line
    last: Line
    root: bool
    values: dict[str, str] = field(default_factory=dict)
    story: list[Line] = field(default_factory=list)  # what stands under `traceback`, without its indent
    quote: str = ""

    def take(self, line: Line, key: str, value: str) -> None:
        self.last = line
        if key in ("traceback", "msg"):
            self.story = [replace(line, text=value.strip().strip('"'))]
        else:
            self.values[key] = value.strip()
        if key == "exitcode" or not self.quote:
            self.quote = line.text.strip()

    def events(self, name: str | None) -> tuple[Event, ...]:
        """Return the exceptions that the entry quotes (the worker wrote an error file), then the entry itself."""
        entry = self._entry(name)
        quoted: tuple[Event, ...] = ()
        block = TRACEBACK.open(self.story[0]) if self.story and HEAD in self.story[0].text else None
        if block is not None:
            for line in self.story[1:]:
                block.feed(line)
            quoted = tuple(replace(one, rank=entry.rank, host=entry.host) for one in block.close())
        return (*quoted, entry)

    def _entry(self, name: str | None) -> Event:
        rank = compiled(_RANK).match(self.values.get("rank", ""))
        ended = compiled(_EXIT).match(self.values.get("exitcode", ""))
        exitcode = ended["exitcode"] if ended else None
        story = next((line.text.strip() for line in reversed(self.story) if line.text.strip()), "")
        fields = {
            "what": "child_failed",
            "launcher": "torchrun",
            "name": name,
            "rank": rank["rank"] if rank else None,
            "local_rank": rank["local_rank"] if rank else None,
            "exitcode": exitcode,
            "signal": signal_name(ended["signal"]) if ended and ended["signal"] else signal_of(exitcode),
            "pid": ended["pid"] if ended else None,
            "host": self.values.get("host"),
            "time": self.values.get("time"),
            "message": story if story and not story.startswith(_NO_TRACEBACK) else None,
            "root": "yes" if self.root else None,
        }
        made = event(KIND, self.first, fields, text=self.quote, last=self.last)
        return replace(
            made, rank=int(fields["rank"]) if fields["rank"] else made.rank, host=fields["host"] or made.host
        )


@dataclass
class _Table:
    """The table that is being read; `foreign` counts lines since its last own one."""

    name: str | None
    failures: list[_Failure] = field(default_factory=list)
    root: bool = False
    headed: bool = False
    old: bool = False  # the layout of torch 1.9, whose root stands first and whose border is made of stars
    foreign: int = 0

    def feed(self, line: Line) -> Fed:
        text = line.text
        if compiled(_HEAD).match(text):
            self.root = "Root Cause" in text
            self.old = self.old or text.strip() == "Root Cause:"
            self.headed = True
            return self._own()
        if compiled(_NUMBER).match(text) and self.headed:
            self.failures.append(_Failure(first=line, last=line, root=self.root))
            return self._own()
        if compiled(_RULE).match(text):
            return self._rule(text.strip()[0])
        if self.failures:
            current = self.failures[-1]
            if found := compiled(_KEY).match(text):
                current.take(line, found["key"], found["value"])
                return self._own()
            if current.story and text.startswith("  "):
                current.story.append(replace(line, text=text[2:]))
                current.last = line
                return self._own()
        return self._other(text)

    def close(self) -> tuple[Event, ...]:
        return tuple(one for failure in self.failures if failure.values for one in failure.events(self.name))

    def _own(self) -> Fed:
        self.foreign = 0
        return Fed.TAKEN

    def _rule(self, sign: str) -> Fed:
        """End at the border below the last entry; in 1.9 `=` only parts the entries."""
        border = "*" if self.old else "="
        return Fed.LAST if self.failures and sign == border else self._own()

    def _other(self, text: str) -> Fed:
        if not self.headed and text.strip():
            return Fed.ENDED
        self.foreign += 1
        return Fed.PASSED if self.foreign <= _FOREIGN_LINES else Fed.ENDED


@dataclass(slots=True)
class FailureTable:
    """torchrun's table: opened by its title or, in a pasted part, by its first heading."""

    kind: str = KIND
    literals: tuple[str, ...] = (" FAILED", "Failures:", "Root Cause")
    bound: int = 4000
    examples: tuple[str, ...] = (
        "train.py FAILED\n---------------------\nFailures:\n  <NO_OTHER_FAILURES>\n---------------------\n"
        "Root Cause (first observed failure):\n[0]:\n  time      : 2024-02-08_17:40:02\n  host      : nid0042\n"
        "  rank      : 0 (local_rank: 0)\n  exitcode  : -11 (pid: 77120)\n  error_file: <N/A>\n"
        "  traceback : Signal 11 (SIGSEGV) received by PID 77120\n=====================",
        "              tr.py FAILED\n=====================\nRoot Cause:\n[0]:\n  time: 2021-09-01_12:00:00\n"
        '  rank: 1 (local_rank: 1)\n  exitcode: 1 (pid: 24537)\n  error_file: <N/A>\n  msg: "Process failed with '
        'exitcode 1"\n=====================\nOther Failures:\n  <NO_OTHER_FAILURES>\n*********************',
    )
    ignore: tuple[str, ...] = ("tests/test_x.py::test_y FAILED\nnext test", "Failures: none so far")

    def open(self, line: Line) -> Block | None:
        """Open at the title or at a heading; None for any other line."""
        if title := compiled(_TITLE).match(line.text):
            return _Table(name=title["name"].strip())
        if compiled(_HEAD).match(line.text):
            table = _Table(name=None)
            table.feed(line)
            return table
        return None


PATTERNS: tuple[FailureTable, ...] = (FailureTable(),)
