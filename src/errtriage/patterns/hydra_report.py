"""What Hydra prints in place of a traceback: the target that it called, and the exception as `repr` writes it."""

from __future__ import annotations

from errtriage.lazy_regex import lazy
from errtriage.model import Event, Line
from errtriage.patterns.base import Block, BlockOpener, Fed, event

# hydra/_internal/instantiate/_instantiate2.py (1.1 to 1.3): `Error in call to target 'x':` and `Error instantiating
# 'x'`, the repr of what was raised, `full_key: model`. hydra/_internal/utils.py leaves the traceback out.
_CALL = lazy(r"Error (?:in call to target|instantiating) '[\w.<>]{1,200}'\s{0,3}:\s{0,3}$")
_REPR = lazy(r"(?P<type>[A-Za-z_]\w{0,120})\((?P<quote>['\"])(?P<message>.{1,2000})(?P=quote),?\)$")


class _Called:
    """A call that failed, until the next line has told what it raised."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._event: Event | None = None

    def feed(self, line: Line) -> Fed:
        said = _REPR.match(line.text.strip())
        if said is None:
            return Fed.ENDED
        self.take(line, said["type"], said["message"])
        return Fed.LAST

    def take(self, line: Line, type_: str, message: str) -> None:
        text = message.replace("\\n", "\n").replace("\\'", "'").replace('\\"', '"')
        fields = {"type": type_, "message": text, "origin": "line"}
        self._event = event("exception", self._line, fields, text=f"{type_}: {text}"[:400], last=line)

    def close(self) -> tuple[Event, ...]:
        return (self._event,) if self._event is not None else ()


def _opened(line: Line) -> Block | None:
    return _Called(line) if _CALL.match(line.text) else None


CALL = BlockOpener(
    kind="exception",
    literals=("Error in call to target '", "Error instantiating '"),
    bound=3,
    opener=_opened,
    examples=(
        "Error in call to target 'torch.nn.modules.linear.Linear':\n"
        "TypeError(\"Linear.__init__() got an unexpected keyword argument 'out_dim'\")",
    ),
    ignore=("Error in call to target 'torch.nn.modules.linear.Linear':\nTraceback (most recent call last):",),
)

PATTERNS = (CALL,)
