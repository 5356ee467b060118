"""What a message holds: its logs as names and bytes, and for all else the sentence that says why it is not read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from errtriage.bot.links import is_allowed
from errtriage.bot.sayings import bot_says, size
from errtriage.errors import TransportError
from errtriage.sources.unpacking import packing
from errtriage.values import dataclass

_FENCE = "```"
_LANGUAGE = re.compile(r"[\w+-]{1,20}\n")  # after the fence that opens a block
_LINK = re.compile(r"https?://[^\s<>|\"'`]{1,2000}")
_FEW_LINES, _FEW_WORDS = 3, 40  # a text with links is a request to follow them where it is no longer than this
_LEAST_LOG = 2  # lines of a text without fences that make it a log; or one line that holds a telling sign
_TELLING = re.compile(r"(?:Error|Exception|Warning|error|fatal|assert|Traceback|loss|CUDA|NCCL|Killed)\b|[Ff]ailed")
_HEAD = 4096
# https://en.wikipedia.org/wiki/List_of_file_signatures
_MAGIC = (
    (b"\x89PNG", "a picture"), (b"\xff\xd8\xff", "a picture"), (b"GIF8", "a picture"), (b"%PDF", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive"), (b"\x7fELF", "a program"), (b"MZ", "a program"), (b"7z\xbc\xaf", "an archive"),
    (b"Rar!", "an archive"), (b"\x80\x02", "a pickle"), (b"\x80\x04", "a pickle"), (b"\x93NUMPY", "a NumPy array"),
    (b"\x89HDF", "an HDF5 file"), (b"SQLite format", "a database"), (b"\x1aE\xdf\xa3", "a film"), (b"OggS", "sound"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file of a message: `load` fetches its bytes and may raise TransportError; `size` is 0 where it is not told."""

    name: str
    load: Callable[[], bytes]
    size: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What is taken of one message: bytes of all its logs together, how many logs, and links below these addresses."""

    most_bytes: int = 64 << 20
    most_logs: int = 64
    allowed_links: tuple[str, ...] = ()


class Gatherer:
    """Collects the logs of one message within its bounds, and the sentences about what was left out."""

    def __init__(self, bounds: Bounds, lang: str, fetch: Callable[[str, int], bytes] | None) -> None:
        """Take the bounds, the language of the sentences, and what fetches an allowed link (None: no links)."""
        self._bounds, self._lang, self._fetch = bounds, lang, fetch
        self._left = bounds.most_bytes
        self._over = 0
        self.logs: list[tuple[str, bytes]] = []
        self._notes: list[str] = []

    @property
    def notes(self) -> tuple[str, ...]:
        """The sentences about what was not read."""
        more = [self._say("too-many", count=self._over, most=self._bounds.most_logs)] if self._over else []
        return (*self._notes, *more)

    def add_text(self, text: str, name: str = "message") -> None:
        """Take the fenced blocks of a text, else its links, else the text itself where it looks like a log."""
        blocks = [_LANGUAGE.sub("", block, count=1) if _LANGUAGE.match(block) else block for block in _fenced(text)]
        if blocks:
            for number, block in enumerate(blocks, 1):
                self.add(name if number == 1 else f"{name}-{number}", block.encode("utf-8", "replace"))
            return
        links = list(dict.fromkeys(_LINK.findall(text)))
        if links and len(_lines(text)) <= _FEW_LINES and len(text.split()) <= _FEW_WORDS:
            for link in links:
                self._add_link(link.rstrip(".,;:!?)]"))
        elif holds_log(text):
            self.add(name, text.encode("utf-8", "replace"))

    def add_file(self, file: Attachment) -> None:
        """Take a file, which is fetched only where it is not too large."""
        if self._is_full(file.name, file.size):
            return
        try:
            self.add(file.name, file.load())
        except TransportError as error:
            self._notes.append(self._say("not-fetched", name=file.name, why=error))

    def add(self, name: str, data: bytes) -> None:
        """Take the bytes of a log, unless they are none."""
        if self._is_full(name, len(data)):
            return
        what = no_log(data)
        if not data.strip():
            self._notes.append(self._say("empty", name=name))
        elif what:
            self._notes.append(self._say("not-a-log", name=name, what=what))
        else:
            self._left -= len(data)
            self.logs.append((unique(name, [known for known, _ in self.logs]), data))

    def _add_link(self, link: str) -> None:
        name = link if len(link) <= 80 else link[:79] + "…"
        if self._fetch is None or not self._bounds.allowed_links:
            self._notes.append(self._say("no-link", name=name))
        elif not is_allowed(link, self._bounds.allowed_links):
            self._notes.append(self._say("outside", name=name))
        else:
            fetch = self._fetch
            file = link.split("?")[0].rstrip("/").rsplit("/", 1)[-1] or name
            self.add_file(Attachment(name=file, load=lambda: fetch(link, self._left)))

    def _is_full(self, name: str, number: int) -> bool:
        if len(self.logs) >= self._bounds.most_logs:
            self._over += 1
            return True
        if number > self._left:
            most = size(self._bounds.most_bytes)
            self._notes.append(self._say("too-large", name=name, size=size(number), most=most))
            return True
        return False

    def _say(self, key: str, **values: object) -> str:
        return bot_says(self._lang, key, **values)


def holds_log(text: str) -> bool:
    """Return whether a text can be a log, or point to one, rather than be a few words to the bot."""
    return len(_lines(text)) >= _LEAST_LOG or bool(_TELLING.search(text) or _LINK.search(text) or _FENCE in text)


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def _fenced(text: str) -> list[str]:
    """Return what stands between pairs of fences; the last block may lack its end."""
    return [block for block in text.split(_FENCE)[1::2] if block.strip()]


def unique(name: str, known: Sequence[str]) -> str:
    """Return a name that is not among those known: a report cites its logs by name."""
    number, made = 1, name
    while made in known:
        number += 1
        made = f"{name} ({number})"
    return made


def no_log(data: bytes) -> str:
    """Return what some bytes are in place of a log, "" where they can be one (packed ones are taken for one)."""
    head = data.lstrip(b"\0")[:_HEAD] if data.startswith(b"\0\0") else data[:_HEAD]  # a log that was cut while open
    if packing(head):
        return ""
    for magic, what in _MAGIC:
        if head.startswith(magic) and (len(magic) > 2 or b"\x00" in head):
            return what
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or _is_wide(head):
        return ""
    odd = sum(byte < 9 or 13 < byte < 27 for byte in head)
    return "binary data" if odd * 20 > len(head) else ""


def _is_wide(head: bytes) -> bool:
    """Return whether every second byte is NUL: UTF-16 without its mark, as PowerShell redirects it."""
    pairs = len(head) // 2
    return bool(pairs) and max(head[0::2].count(0), head[1::2].count(0)) * 10 > pairs * 9
