"""Lines after which a program that works says more at once: where the log falls silent behind one, it hangs there."""

from __future__ import annotations

from errtriage.lazy_regex import lazy
from errtriage.model import Event, Line
from errtriage.patterns.base import Block, BlockOpener, Fed, event

_BOUND = 48  # lines after which a log is no silent one
# torch/utils/cpp_extension.py (1.0 to 2.13) says the first before it takes the lock of an extension's folder, and one
# of the others as soon as it has it, be there something to build or not.
_ROOT = "as PyTorch extensions root"
_GOES_ON = lazy(
    r"Creating extension directory|Detected CUDA files|Emitting ninja build file|Building extension module|"
    r"No modifications detected|The input conditions for extension|Loading extension module|Time to load|"
    r"Allowing ninja|^\[\d{1,4}/\d{1,4}\] |Traceback \(most recent call last\)|Error: |\bloss\b"
)


class _Waiting:
    """The lines behind the last word of a program, as far as they say that it went on."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._followers = 0
        self._silent = True

    def feed(self, line: Line) -> Fed:
        if _ROOT in line.text:
            return Fed.TAKEN
        self._followers += 1
        if self._followers >= _BOUND or _GOES_ON.search(line.text):
            self._silent = False
            return Fed.ENDED
        return Fed.PASSED

    def close(self) -> tuple[Event, ...]:
        if not self._silent:
            return ()
        return (event("text", self._line, {"message": f"silent after: {self._line.text}"}),)


def _opened(line: Line) -> Block | None:
    return _Waiting(line) if _ROOT in line.text else None


LAST_WORDS = BlockOpener(
    kind="text",
    literals=(_ROOT,),
    bound=2 * _BOUND,
    opener=_opened,
    examples=("Using /home/u/.cache/torch_extensions/py310_cu121 as PyTorch extensions root...",),
    ignore=(
        "Using /root/.cache/torch_extensions as PyTorch extensions root...\n"
        "Detected CUDA files, patching ldflags\nBuilding extension module cpu_adam...",
    ),
)

PATTERNS = (LAST_WORDS,)
