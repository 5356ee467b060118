"""What `warnings.warn` prints: the place, the category, a message of one or more lines, and the source line."""

from __future__ import annotations

from errtriage import TYPE_CHECKING
from errtriage.lazy_regex import lazy
from errtriage.model import Event, Frame, Line
from errtriage.patterns.base import Block, BlockOpener, Fed, Pattern, event, frame
from errtriage.patterns.foreign_lines import is_foreign
from errtriage.patterns.python_frames import HEAD, indent_of, read_exception, read_frame
from errtriage.regex_store import compiled
from errtriage.values import replace

if TYPE_CHECKING:
    import re

_PLACE = lazy(r":(?P<line>\d{1,9}|[xX]{1,6}): (?P<category>(?:\w{1,80}\.){0,6}\w{0,80}Warning)\b(?::\s?|\s*$)")
# The file before it, perhaps glued behind a progress bar or a logger's words.
_FILE = lazy(
    r"(?:(?:(?<![A-Za-z])[A-Za-z]:[\\/]?|~[\\/]|\.{1,2}[\\/]|[\\/])[^:*?\"<>|\]\[]{1,600}|<[^<>]{1,120}>|[\w.+-][\w.\\/+-]{0,300})$"
)
# A warning whose place was left out of the paste, or that a logger wrote alone.
_PLACELESS = lazy(r"\s{0,8}(?P<category>RuntimeWarning|UserWarning): (?P<message>\S.*)")
_INTERNAL = lazy(r"\s*\(Triggered internally at\s+(?P<place>.{1,600}?)\)\s*$")
_ANOMALY = "Traceback of forward call that caused the error:"
_ANOMALY_LOG = lazy(r"\[W[^\]]{0,200}\] (?:Warning: )?(?P<message>Error detected in .{1,200})$")
_ENDS_OPEN = lazy(r"[:,(\[{]\s*$|^\s*$")
_LOOKS_LIKE_CODE = lazy(r"\w\(|\breturn\b|\braise\b|\bimport\b|\w\]? = ")
_AHEAD = 8  # lines of a message that may stand before its source line


class _Warned:
    """A warning and what follows it."""

    settled = True

    def __init__(self, line: Line, fields: dict[str, str | None]) -> None:
        self.first = self.last = line
        self.fields = fields
        self.base = indent_of(line.text)
        self.message = [fields.get("message") or ""]
        self.ahead: list[str] = []  # lines that are of the message if a source line follows
        self.frames: list[Frame] = []
        self.forward = self.message[0].rstrip().endswith(_ANOMALY)

    def feed(self, line: Line) -> Fed:
        """Take the next line."""
        text = line.text[min(indent_of(line.text), self.base) :]
        found = read_frame(text)
        if self.forward and found is not None:
            self.frames.append(found.frame)
            return self._take(line)
        if self.forward and text.startswith("    ") and self.frames:
            self.frames[-1] = replace(self.frames[-1], code=self.frames[-1].code or text.strip())
            return self._take(line)
        if HEAD in text or found is not None or is_foreign(text):
            return Fed.ENDED
        if self._ends_message(text):
            return self._take(line)
        if self._is_source(text):
            self.message.extend(self.ahead)
            self.fields["code"] = text.strip()
            self.last = line
            return Fed.LAST
        return self._look_ahead(line, text)

    def _take(self, line: Line) -> Fed:
        self.last = line
        return Fed.TAKEN

    def _ends_message(self, text: str) -> bool:
        found = _internal(text) or (text.startswith(" (function ") and compiled(r" \(function \w+\)").match(text))
        if found:
            self.message.extend([*self.ahead, text])
            self.ahead.clear()
            self.forward = False
        return bool(found)

    def _is_source(self, text: str) -> bool:
        if not text.startswith("  ") or text.startswith("   ") or not text.strip():
            return False
        if self.fields.get("file") == "<string>":
            return False
        return not self.ahead or _LOOKS_LIKE_CODE.search(text) is not None

    def _look_ahead(self, line: Line, text: str) -> Fed:
        if _ENDS_OPEN.search(self.message[-1]) and not self.ahead and text.strip():
            self.message.append(text)
            return self._take(line)
        if len(self.message) > 1 and text.strip() and len(self.message) < _AHEAD * 3:
            self.message.append(text)
            return self._take(line)
        if len(self.ahead) >= _AHEAD:
            return Fed.ENDED
        self.ahead.append(text)
        return Fed.PASSED

    def close(self) -> tuple[Event, ...]:
        """Return the warning."""
        message = "\n".join(part.rstrip() for part in self.message).strip()
        internal = _internal(message)
        if internal:
            message = message[: internal.start()]
            self.fields["internal"] = internal["place"].strip()
        self.fields["message"] = message.strip()
        file, number = self.fields.get("file"), self.fields.get("line") or ""
        frames = tuple(self.frames)
        if not frames and file:
            frames = (frame(file, int(number) if number.isdigit() else None, None, self.fields.get("code")),)
        text = f"{file}:{number}: {self.fields['category']}: {message}" if file else message
        return (event("warning", self.first, self.fields, text=text.split("\n")[0], last=self.last, frames=frames),)


def read_warning(text: str) -> dict[str, str | None] | None:
    """Read the first line of a warning into its fields."""
    found = _PLACE.search(text)
    if found is None:
        logged = _ANOMALY_LOG.search(text) if _ANOMALY in text else None
        if logged:
            return {"category": "UserWarning", "message": logged["message"]}
        placeless = _PLACELESS.match(text)
        return placeless.groupdict() if placeless else None
    file = _FILE.search(text[: found.start()])
    if file is None:
        return None
    return {
        "category": found["category"].rpartition(".")[2],
        "message": text[found.end() :],
        "file": file[0].strip().removeprefix("py.warnings:"),
        "line": found["line"],
    }


def _internal(text: str) -> re.Match[str] | None:
    """Return the place in C++ that a message ends with."""
    return _INTERNAL.search(text) if "(Triggered internally at" in text else None


def _is_behind_exception(text: str) -> bool:
    """Return whether a lost newline glued the warning to an exception line, which tells more."""
    found = _PLACE.search(text)
    said = read_exception(text[: found.start()], sure=False) if found and ": " in text[: found.start()] else None
    return said is not None and not said.type.endswith("Warning")


def _open(line: Line) -> Block | None:
    fields = None if _is_behind_exception(line.text) else read_warning(line.text)
    return _Warned(line, fields) if fields is not None else None


WARNING = BlockOpener(
    kind="warning",
    literals=("Warning:", _ANOMALY),
    bound=200,
    opener=_open,
    examples=(
        "make_feats.py:58: RuntimeWarning: divide by zero encountered in log10\n  x = np.log10(y)",
        "xxx.py:xxx: RuntimeWarning: overflow encountered in reduce",
        "sys:1: RuntimeWarning: Traceback of forward call that caused the error:\n"
        '  File "a.py", line 3, in f\n    y = torch.sqrt(x)\n',
        "WARNING:py.warnings:/app/a.py:3: UserWarning: look out",
        "RuntimeWarning: overflow encountered in exp\n  return 1 / (1 + np.exp(-x))",
    ),
    ignore=("WARNING: a.py:3 is old", "UserWarning", "a.py: Warning: no line", "a warning: 3: Warning"),
)

PATTERNS: tuple[Pattern, ...] = (WARNING,)
