"""The message of an exception: which of the lines after `Type: message` belong to it, and what they are."""

from __future__ import annotations

from collections.abc import Iterable

from errtriage.lazy_regex import lazy
from errtriage.model import Frame
from errtriage.patterns import wrapped_message
from errtriage.patterns.foreign_lines import is_foreign
from errtriage.patterns.python_frames import read_frame

_LINES = 60
_BYTES = 8192
_PRINTED = 1000  # characters of a line that Keras prints: some hold the whole configuration of a model

# Said by CUDA (and HIP) errors in every version since 1.9: advice, the same for every error.
_HINTS = lazy(
    r"(?:CUDA|HIP) kernel errors might be|For debugging consider passing |Compile with `?TORCH_USE_(?:CUDA|HIP)_DSA|"
    r"Search for [`'](?:cuda|hip)\w{1,60}' in http|GPU device may be out of range|"
    r"For more detailed error information, run with|Device-side assertion tracking was not enabled"
)
_NATIVE = lazy(
    r"frame #\d+:|#\d+ \S|C\+\+ CapturedTraceback:|Exception raised from |<omitting python frames>|"
    r"\(no backtrace available\)"
)
_USER_STACK = lazy(r"(?i)(?:\w[\w ]{0,40}: )?from user code|User Stack \(most recent|Call stack:")

# A first line that ends so goes on in the next one.
_OPEN_END = lazy(r"(?:[:,;({\[\\-]|\s(?:and|or|by|the|of|to|a|an|in|on|with|for|is|are|that))$")
# First lines under which a list stands.
_LISTS = lazy(
    r"\bvalidation errors? for |^Error\(s\) in loading |look up to see its traceback|found invalid values|"
    r"\(-5:Bad argument\) in function"
)
# How further lines of known messages begin (torch, DDP, NCCL, transformers, pydantic, ray, PyO3); also any that could
# not begin a record of its own.
_GOES_ON = lazy(
    r"[\s(\[{\"'`*.<|^&+/\\•·-]|nccl\w+:|Last error|Parameters? |In addition|If |You |Please|Check|See |To |This |"
    r"These |Note|Hint|Make |Did you|Consider|Try |Set |Use |Memory on|Refer to|tensor\(|array\(|making sure|or |and |"
    r"Command|Output|Got|Expected|Found|For |Caused by|The |Original|While|Details|std(?:err|out)|Reason|Alternatively|"
    r"Remember|Available|Inspect|We |It |That |Most |Update|Upgrade|Re-?run|Install|Compile|Missing|Unexpected|"
    r"> Overload resolution|>  - |size mismatch|while processing '|"
    r"In |Available|Valid|Supported|Currently|Instead|File |at \d+:\d+:"
)
# What a message says after an empty line.
_AFTER_BLANK = lazy(
    r"\s{0,8}(?:from user code|Set TORCH|You can suppress|Explanation:|Hint:|Developer debug|For more (?:info|detail)|"
    r"For (?:C\+\+|extended)|Caused by:|User Stack|Check the documentation|Exception raised from|frame #|"
    r"C\+\+ CapturedTraceback|Command:|Output:|While executing|Original traceback|The above operation|"
    r"Device-side assert|Looking for device-side|Assertion failure|If you |NOTE:|Possible reasons|Message:|Arguments:|"
    r"Traceback:|Please |consider using data-dependent|torch\.cuda\.is_available)"
)
# Lines that torch.compile appends to explain its own switches: advice, the same for every error.
_ADVICE = lazy(
    r"\s{0,8}(?:Set TORCH_LOGS|Set TORCHDYNAMO|You can suppress this exception|import torch\._dynamo|"
    r"torch\._dynamo\.config\.suppress|For C\+\+ stack trace, run with|For more information, run with TORCH_LOGS|"
    r"For more debugging help, see|For extended logs when|If you suspect the guard was triggered|"
    r"For even more developer)"
)


class Message:
    """Takes the lines of one message, in order, and says of each whether it is still of it."""

    def __init__(self, first: str, *, fenced: bool = False, bare: bool = False) -> None:
        """Take what stands behind `Type:`; `fenced` where only the message can stand up to the next empty line.

        `bare` says that there was no colon, so that no message follows.
        """
        self._lines = [first]
        self._hints: list[str] = []
        self._bytes = len(first)
        self._blanks = 0
        self._stack = False  # frames of the user's code may follow
        self._native = False
        self._wrapped = wrapped_message.opens(first)  # the text of another call's exception follows
        self._loose = (
            fenced
            or not first.strip()
            or _LISTS.search(first) is not None
            or _OPEN_END.search(first.strip()) is not None
        )
        self._indented = False
        self.frames: list[Frame] = []
        self.closed = bare

    @property
    def text(self) -> str:
        """The message, lines joined by newline, without hints, native frames and advice."""
        return wrapped_message.undressed("\n".join(self._lines).strip())

    @property
    def hint(self) -> str | None:
        """The hint lines of a CUDA error, joined by newline."""
        return "\n".join(self._hints) or None

    @property
    def first(self) -> str:
        """What stands behind `Type:` on the exception's own line."""
        return self._lines[0]

    def offer(self, text: str) -> bool:
        """Return whether a line belongs to the message, and take it if so."""
        if self.closed:
            return False
        stripped = text.strip()
        if not stripped:
            return self._take_blank()
        if is_foreign(text):
            self.closed = True
            return False
        if self._take_special(text, stripped) or self._take_plain(text, stripped):
            self._blanks = 0
            return True
        self.closed = True
        return False

    def add_all(self, texts: Iterable[str]) -> None:
        """Take lines that were refused: what follows them shows that they are of the message."""
        for text in texts:
            if text.strip():
                self._add(text.rstrip(), text[:1].isspace())

    def _take_blank(self) -> bool:
        self._blanks += 1
        return self._blanks <= 3

    def _take_special(self, text: str, stripped: str) -> bool:
        if _HINTS.match(stripped):
            self._hints.append(stripped)
            self._loose = False
            return True
        if _NATIVE.match(stripped):
            self._native = True
            return True
        if _USER_STACK.match(stripped):
            self._stack = True
            return True
        if self._stack:
            return self._take_stack(text, stripped)
        return False

    def _take_stack(self, text: str, stripped: str) -> bool:
        found = read_frame(text)
        if found is not None:
            self.frames.append(found.frame)
            return True
        if text[:1].isspace() and self._blanks == 0:
            last = self.frames[-1] if self.frames else None
            if last is not None and last.code is None:
                self.frames[-1] = Frame(
                    file=last.file, line=last.line, function=last.function, code=stripped, user=last.user
                )
            return True
        self._stack = False
        return False

    def _take_plain(self, text: str, stripped: str) -> bool:
        indented = text[:1].isspace()
        if self._wrapped:
            return self._take_wrapped(text, indented)
        if self._blanks:
            if self._hints or not (_AFTER_BLANK.match(text) or self._continues_after_blank(indented)):
                return False
        elif not (self._loose or self._native or self._goes_on(text)):
            return False
        if self._native and not stripped.startswith("."):
            return indented
        if not _ADVICE.match(text):
            self._add(text.rstrip(), indented)
        self._wrapped = wrapped_message.opens(text)
        return True

    def _goes_on(self, text: str) -> bool:
        return _GOES_ON.match(text) is not None or self._is_open(self._last()) or wrapped_message.opens(text)

    def _take_wrapped(self, text: str, indented: bool) -> bool:
        self._wrapped = not wrapped_message.closes(text)
        if not wrapped_message.holds_values_alone(text):
            self._add(text.rstrip(), indented)
        return True

    def _continues_after_blank(self, indented: bool) -> bool:
        if self._blanks > 1:
            return False
        if not any(line.strip() for line in self._lines) or self._last().endswith(":"):
            return True
        return indented and self._indented

    def _add(self, text: str, indented: bool) -> None:
        self._indented = self._indented or indented
        self._bytes += len(text)
        if len(self._lines) >= _LINES or self._bytes > _BYTES:
            self.closed = True
            return
        self._lines.append(text)

    @staticmethod
    def _is_open(text: str) -> bool:
        return _OPEN_END.search(text.strip()) is not None

    def _last(self) -> str:
        return self._lines[-1].strip()
