"""Bytes of a line to `Line`s: decoded, without control sequences, without the prefixes of its runner."""

from __future__ import annotations

from errtriage.lazy_regex import lazy
from errtriage.lines import prefixes
from errtriage.lines.identity import identity_of_source
from errtriage.model import Line, Span
from errtriage.regex_store import compiled

__all__ = ["Cleaner", "clean", "clean_one", "decode", "encoding_of", "identity_of_source", "plain_text", "segments"]

MOST_SEGMENTS = 32  # states of a progress bar that `clean` keeps: a few first ones, the rest last ones


_CONTROL = lazy(rb"[\x00-\x08\x0b-\x1f\x7f]")
# ECMA-48: CSI, OSC and other strings up to their end, two-character escapes; an unfinished one ends with the line.
_ESCAPES = (
    r"\x1b(?:\[[0-?]*[ -/]*(?:[@-~]|$)|\][^\x07\x1b]{0,2048}(?:\x07|\x1b\\)?|"
    r"[PX^_][^\x1b]{0,2048}(?:\x1b\\)?|[ -/]{0,4}[0-~]?)"
)
# Colours whose escape character was lost or spelled out on the way.
_SPELLED = r"(?:\\x1b|\\u001b|\\033|\^\[|\u241b)\[[\d;]{0,20}[mKGHJ]"
_LOST = r"\[(?:\d{1,3}(?:;\d{1,3}){0,5})?m"
_LEFT_OVER = r"[\x00-\x08\x0b-\x1f\x7f]"
# The common characters of GB 2312 (lead byte A1-F7, trail byte A1-FE); one alone within a Western word is none.
_CHINESE = rb"(?:[\xa1-\xf7][\xa1-\xfe]){2,}|(?<![A-Za-z\x80-\xff])[\xa1-\xf7][\xa1-\xfe](?![A-Za-z\x80-\xff])"
_GLOG_LEVELS = frozenset("IWEF")
_GLOG = r"[IWEF]\d{4} [\d:.]{8,18} +\d+ ([\w./\-]{1,200}:\d+\]) ?(?:\[[\w/!?]{1,20}\] )?"
_NO_PREFIX = prefixes.Stripped()
_RANK_IN_TEXT = r"\[(?:PG [^\]\n]{0,80} )?(?:[Rr]ank|RANK)[: ]{0,2}(\d{1,6})\]"


def segments(raw: bytes) -> list[bytes]:
    """Return the states of a line that carriage returns part; empty ones are left out."""
    raw = raw.rstrip(b"\r\n")
    if b"\r" not in raw:
        return [raw]
    return [part for part in raw.split(b"\r") if part] or [b""]


def decode(raw: bytes) -> str:
    r"""Return bytes as text: UTF-8, else GB 18030 where that makes Chinese, else with what is broken as `\\xNN`."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode(encoding_of(raw), "backslashreplace")


def encoding_of(raw: bytes) -> str:
    """Return the encoding that bytes are most likely in: utf-8 (though broken), gb18030 or cp1252."""
    text = raw.decode("utf-8", "surrogateescape")
    broken = sum("\udc80" <= character <= "\udcff" for character in text)
    whole = sum(character > "\x7f" for character in text) - broken
    if broken <= whole:
        return "utf-8"
    return "gb18030" if sum(map(len, compiled(_CHINESE).findall(raw))) >= 0.8 * broken else "cp1252"


def plain_text(raw: bytes, decoded: str | None = None) -> str:
    """Return one state of a line, perhaps decoded, as text without control characters, as a terminal would show it."""
    if _CONTROL.search(raw) is None:
        text = decode(raw) if decoded is None else decoded
    else:
        text = decode(raw.replace(b"\x00", b""))
        if "\x1b" in text:
            text = compiled(_ESCAPES).sub("", text)
        if "\b" in text:
            text = _overwritten(text)
        text = compiled(_LEFT_OVER).sub("", text)
    if "[0m" in text or "[39m" in text:
        text = compiled(_LOST).sub("", compiled(_SPELLED).sub("", text))
    return text


def _overwritten(text: str) -> str:
    """Return what a terminal shows where backspaces move left and what follows is written over."""
    shown: list[str] = []
    at = 0
    for character in text:
        if character == "\b":
            at = max(0, at - 1)
        elif at < len(shown):
            shown[at] = character
            at += 1
        else:
            shown.append(character)
            at += 1
    return "".join(shown)


class Cleaner:
    """Cleans the lines of one source; it learns from the first window which ambiguous prefixes the source uses."""

    def __init__(self, source: str = "", first_window: bytes = b"") -> None:
        """Take the name of the source, which may name its rank and host, and its first window."""
        self.source = source
        self.rank, self.host = identity_of_source(source)
        self.known, self.year = prefixes.learn(first_window)
        self._ranks: dict[str, int] = {}  # of channels that are one process
        self._logged: set[str] = set()  # places in source code that logged a traceback

    def like(self) -> Cleaner:
        """Return a cleaner that knows of the source what this one knows, and shares none of it."""
        other = Cleaner(self.source)
        other.known = {style: set(labels) for style, labels in self.known.items()}
        other.year = self.year
        other._ranks, other._logged = dict(self._ranks), set(self._logged)
        return other

    @property
    def remembers(self) -> bool:
        """Whether lines that were cleaned change how later ones are."""
        return bool(self._ranks or self._logged)

    def clean(self, raw: bytes, span: Span, offset: int = 0) -> list[Line]:
        """Return the lines that one raw line shows; carriage returns part it, long bars keep their ends."""
        parts = segments(raw)
        if len(parts) == 1:
            return [self.clean_one(parts[0], span, offset)]
        if len(parts) > MOST_SEGMENTS:
            parts = parts[:4] + parts[4 - MOST_SEGMENTS :]
        head = self.clean_one(parts[0], span, offset)
        shown = [head, *(self.clean_one(part, span, offset, head) for part in parts[1:])]
        return [line for line in shown if line.text] or [head]

    def clean_one(self, segment: bytes, span: Span, offset: int = 0, head: Line | None = None) -> Line:
        """Return one state of a raw line; `head` is its first state, whose prefixes hold for those without any."""
        raw = decode(segment)
        text = plain_text(segment, raw)
        found = prefixes.strip(text, self.known, self.year)
        rest = text if found is None else text[found.start :]
        if rest[:1] in _GLOG_LEVELS:
            rest = self._of_logged_traceback(rest)
        told = found or _NO_PREFIX
        channel, rank = " ".join(told.who), told.rank
        if "pid=" in channel:  # one process: what one line tells of its rank holds for its later lines
            rank = self._ranks.get(channel) if rank is None else self._ranks.setdefault(channel, rank)
        stamp, stream, host = told.time, told.stream, told.host
        if head is not None:
            channel, stamp, stream = channel or head.channel, stamp or head.time, stream or head.stream
            rank, host = (head.rank if rank is None else rank), host or head.host
        if rank is None and not channel.endswith("kernel"):
            rank = self._told_rank(rest)
        return Line(
            span=span, text=rest, source=self.source, offset=offset, raw="" if raw == rest else raw,
            channel=channel, rank=rank, host=host or self.host, time=stamp, stream=stream,
        )  # fmt: skip

    def _of_logged_traceback(self, text: str) -> str:
        """Return a line of a traceback that a glog-like logger wrote, without what the logger put before each line.

        Other lines of that logger keep their level and place, which say what they are.
        """
        match = compiled(_GLOG).match(text)
        if match is None:
            return text
        place, rest = match[1], text[match.end() :]
        if rest.startswith("Traceback (most recent call last)"):
            self._logged.add(place)
        return rest if place in self._logged else text

    def _told_rank(self, text: str) -> int | None:
        """Return the rank that the text itself names near its start, else that of the source."""
        near = text[:240]
        told = compiled(_RANK_IN_TEXT).search(near) if "ank " in near or "ank:" in near or "ANK " in near else None
        return int(told[1]) if told else self.rank


def clean(raw: bytes, span: Span, *, source: str = "", offset: int = 0) -> list[Line]:
    """Return the lines that one raw line shows, without what only the source's other lines can tell."""
    return Cleaner(source).clean(raw, span, offset)


def clean_one(segment: bytes, span: Span, *, source: str = "", offset: int = 0) -> Line:
    """Return one state of a raw line as `Line`."""
    return Cleaner(source).clean_one(segment, span, offset)
