"""A failure that a program logged by its message alone, as `logger.error(e)` does: without a type and a traceback."""

from __future__ import annotations

from errtriage import TYPE_CHECKING
from errtriage.lazy_regex import escaped, lazy
from errtriage.model import Event, Line
from errtriage.patterns.base import LinePattern, event

if TYPE_CHECKING:
    import re

_SHORTEST = 16  # characters of a message that can tell one fault from others
_WORD = r"(?:ERROR|CRITICAL|FATAL|[Ee]rror|[Ee]xception|[Ff]ailed|[Ff]ailure)"
_LOGGED = rf"(?:^|[\s\[|(*=>])_?{_WORD}\b(?P<about>[^:|\]>!\n]{{0,80}})[:|\]>!](?P<message>.{{{_SHORTEST},4000}})"
# Levels that stood before the text: what a logger wrote with a time, which `lines` has taken off.
_LEVEL = lazy(r"(?:^|[\s\[|(:-])(?:ERROR|CRITICAL|FATAL|E)\b")
# A program that gives what failed the level of a note goes on without it.
_NOTED = lazy(r"\b(?:[Ww]arning|WARN(?:ING)?|INFO|DEBUG)\b")
# An exception as `%r` writes it, at the end of what was logged.
_RAISED = lazy(
    r"(?<![\w.])(?P<type>[A-Z]\w{1,80}(?:Error|Exception))\((?P<quote>['\"])(?P<message>.{1,1000})(?P=quote),?\)$"
)


def _make(line: Line, found: re.Match[str]) -> Event | None:
    prefix = (line.raw or line.text).removesuffix(line.text)
    if _NOTED.search(prefix[-400:] + line.text[max(0, found.start() - 400) : found.start()]):
        return None
    message = found["message"].strip(" !|]:->*_\t\"'")
    return _event(line, message) if len(message) >= _SHORTEST else None


def _event(line: Line, message: str) -> Event:
    raised = _RAISED.search(message)
    if raised is None:
        return event("exception", line, {"type": "", "message": message, "origin": "logged"})
    said = raised["quote"] + raised["message"] + raised["quote"] if raised["type"] == "KeyError" else raised["message"]
    return event("exception", line, {"type": raised["type"], "message": said, "origin": "logged"})


def read_levelled(line: Line) -> Event | None:
    """Return the failure of a line whose logger gave it the level of an error; that prefix is no part of its text."""
    if not line.raw or line.raw == line.text or len(line.text) < _SHORTEST:
        return None
    prefix = line.raw[: max(0, len(line.raw) - len(line.text))]
    return _event(line, line.text) if _LEVEL.search(prefix[:400]) else None


LOGGED = LinePattern(
    kind="exception",
    literals=("ERROR", "CRITICAL", "FATAL", "rror:", "rror in ", "rror]", "xception", "ailed", "ailure"),
    regex=_LOGGED,
    make=_make,
    examples=(
        "[ERROR] training failed: CUDA out of memory. Tried to allocate 2.00 GiB",
        "!!! Exception during processing !!! mat1 and mat2 shapes cannot be multiplied (2x5632 and 2816x1280)",
        "Error in training loop: module 'numpy' has no attribute 'int'.",
        "Failed to load the model: Torch not compiled with CUDA enabled",
        "CRITICAL:giving up: KeyError('learning_rate')",
    ),
    ignore=(
        "Train Error: 0.5312",
        "error rate went down to 3 percent in this epoch",
        "0 errors: all of the files are as they should be",
        "Warning: Failed to set NUMA affinity: libnuma.so: cannot open shared object file: No such file or directory",
        "gpu1:65704:65723 [1] NCCL INFO dlvsym failed on f - /lib/libmlx5.so: undefined symbol: f, version MLX5_1.25",
    ),
)

# How torch's most common messages begin: enough to know them where a paste lost the type before them.
_KNOWN = (
    "Expected all tensors to be on the same device, but found at least two devices",
    "mat1 and mat2 shapes cannot be multiplied", "element 0 of tensors does not require grad",
    "Trying to backward through the graph a second time", "grad can be implicitly created only for scalar outputs",
    "one of the variables needed for gradient computation has been modified by an inplace operation",
    "stack expects each tensor to be equal size, but got", "Sizes of tensors must match except in dimension",
    "Expected more than 1 value per channel when training", "all elements of input should be between 0 and 1",
    "view size is not compatible with input tensor's size and stride", "Torch not compiled with CUDA enabled",
    "Found no NVIDIA driver on your system", "No CUDA GPUs are available", "Given groups=", "DataLoader worker (pid",
)  # fmt: skip
BARE = LinePattern(
    kind="exception",
    literals=_KNOWN,
    regex=rf"^[\s_*>\"'`|(-]{{0,12}}(?P<message>(?:{'|'.join(escaped(one) for one in _KNOWN)}).{{0,2000}})",
    make=_make,
    examples=(
        "_Expected all tensors to be on the same device, but found at least two devices, cuda:1 and cuda:0!_",
        "> mat1 and mat2 shapes cannot be multiplied (8x512 and 256x10)",
    ),
    ignore=(
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (8x512 and 256x10)",
        "raise ValueError('Torch not compiled with CUDA enabled')",
    ),
)

PATTERNS = (LOGGED, BARE)
