"""What a pattern is: it takes cleaned lines and says what they are; regex pieces that patterns share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from errtriage import TYPE_CHECKING
from errtriage.lazy_regex import lazy
from errtriage.model import Event, Frame, Line, Span
from errtriage.regex_store import compiled
from errtriage.values import Enum, dataclass, replace

if TYPE_CHECKING:
    import re
    from typing import Protocol
else:
    Protocol = object


# Paths of code that the person did not write: installed packages, the standard library, frozen modules, launchers.
_LIBRARY = lazy(
    r"(?i)site-packages|dist-packages|<frozen |<__array_function__|[\\/]lib[\\/]python\d|"
    r"[\\/]Python\d+[\\/]lib[\\/]|[\\/]envs[\\/][^\\/]+[\\/][Ll]ib[\\/]|[\\/](?:ana|mini)conda\d?[\\/]lib[\\/]|"
    r"[\\/](?:bin|Scripts)[\\/][^\\/.]+(?:\.exe)?(?:[\\/]__main__\.py)?$|<string>$|<pip-|[\\/](?:torchinductor_|unsloth_compiled_cache[\\/])|"
    r"[\\/]pip-(?:req-build|install|build)-|"
    # packages that were put elsewhere (`pip install --target`), told by modules that only they have
    r"[\\/]torch[\\/](?:nn|cuda|utils|autograd|distributed|optim|_\w+|jit|fx|multiprocessing|amp|export|"
    r"(?:serialization|functional|tensor)\.py)\b|"
    r"[\\/]transformers[\\/](?:trainer\w*\.py|training_args\.py|hf_argparser\.py|\w+_utils\w*\.py|models[\\/]|utils[\\/])|"
    r"[\\/]accelerate[\\/](?:state|accelerator|launchers|utils|commands)\b|"
    # packages that are most often run from a clone
    r"[\\/]detectron2[\\/](?:engine|modeling|data|config|structures|checkpoint|evaluation|utils|layers|solver)[\\/]|"
    r"[\\/]ultralytics[\\/](?:engine|nn|data|utils|models|cfg)[\\/]|[\\/]deepspeed[\\/](?:runtime|launcher|ops|comm)[\\/]|"
    r"[\\/]trl[\\/](?:trainer|extras|models)[\\/]|[\\/]vllm[\\/](?:v1|engine|executor|worker|model_executor|entrypoints)[\\/]"
)


@lru_cache(maxsize=1024)
def is_user_file(path: str) -> bool:
    """Return whether a frame's file looks like the person's own code rather than a library's."""
    return bool(path) and not _LIBRARY.search(path)


def frame(file: str, line: int | None = None, function: str | None = None, code: str | None = None) -> Frame:
    """Make a frame and decide whether it is the person's own code."""
    user = is_user_file(file) and not _is_of_a_compiled_package(file, function or "")
    return Frame(file=file, line=line, function=function, code=code, user=user)


def _is_of_a_compiled_package(file: str, function: str) -> bool:
    """Return whether Cython wrote the frame: it names a function with its modules, `pandas._libs.index.get_loc`."""
    if "." not in function:
        return False
    return file.endswith((".pyx", ".pxi", ".pxd")) or function.startswith(
        file.removesuffix(".py").replace("/", ".") + "."
    )


def event(
    kind: str,
    line: Line,
    fields: Mapping[str, str | None],
    *,
    text: str | None = None,
    last: Line | None = None,
    frames: tuple[Frame, ...] = (),
    parent: Event | None = None,
    relation: str | None = None,
) -> Event:
    """Make an event at `line` (to `last`), leaving out fields that are None."""
    return Event(
        kind=kind,
        fields={k: v for k, v in fields.items() if v is not None},
        span=Span(first=line.span.first, last=(last or line).span.last),
        text=line.text.strip() if text is None else text,
        source=line.source,
        channel=line.channel,
        rank=line.rank,
        host=line.host,
        time=line.time,
        frames=frames,
        parent=parent,
        relation=relation,
        repeat=line.repeat,
    )


Make = Callable[[Line, "re.Match[str]"], Event | None]


def told(kind: str, **fixed: str) -> Make:
    """Return a maker of events with `fixed` fields and the groups; `message` is the matched text where none is."""

    def make(line: Line, found: re.Match[str]) -> Event:
        groups = {k: v.strip() for k, v in found.groupdict().items() if v is not None}
        return event(kind, line, {"message": found[0].strip(), **fixed, **groups})

    return make


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePattern:
    """A kind of event that one line shows, perhaps several times.

    A line is looked at only where it holds one of `literals` (never spanning a colour code). `regex` is searched
    from left to right; its named groups become the fields unless `make` builds the event (None: not this kind).
    """

    kind: str
    literals: tuple[str, ...]
    regex: str
    make: Make | None = None
    ranged: tuple[str, ...] = ()  # fields whose values become ranges of a group, not new events
    several: bool = False  # whether one line can hold more than one
    sampled: bool = False  # its literals pick no lines: it is looked for in the lines of sampled windows alone
    latest: bool = False  # of the lines that its literals pick only the last one of each window is wanted
    by_shape: bool = False  # whether its fields are pieces of the text that stand where they do whatever the digits are
    guard: str = ""  # a regex: raw lines are picked where it stands shortly before a literal (too common alone)
    examples: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def parse(self, line: Line) -> Iterator[Event]:
        """Yield the events of this kind in a line that a literal has picked."""
        for found in compiled(self.regex).finditer(line.text):
            made = self.make(line, found) if self.make else event(self.kind, line, found.groupdict())
            if made is not None:
                yield made
                if not self.several:
                    return


class Fed(Enum):
    """What a block did with a line."""

    TAKEN = "taken"  # belongs to the block, which stays open
    LAST = "last"  # belongs to the block and ends it
    PASSED = "passed"  # not of this block (a woven line); the block stays open, other patterns may have the line
    ENDED = "ended"  # not of this block, which has ended before it


class Block(Protocol):
    """A block that is being read, on one channel of one source.

    A block whose end has been seen may say so by a true attribute `settled`; it is then not kept open for long.
    """

    def feed(self, line: Line) -> Fed:
        """Take the next line of the channel."""

    def close(self) -> tuple[Event, ...]:
        """Return the events of the block, inner exceptions after the outer one that is their `parent`."""


class BlockPattern(Protocol):
    """A kind of event that stands on several lines."""

    kind: str
    literals: tuple[str, ...]
    bound: int  # lines after which an open block is closed
    examples: tuple[str, ...]
    ignore: tuple[str, ...]

    def open(self, line: Line) -> Block | None:
        """Return an open block where a line that a literal has picked starts one (its line counts as taken)."""


@dataclass(slots=True, kw_only=True)
class BlockOpener:
    """A `BlockPattern` whose blocks a plain function opens."""

    kind: str
    literals: tuple[str, ...]
    bound: int
    opener: Callable[[Line], Block | None]
    examples: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def open(self, line: Line) -> Block | None:
        """Return what the function opens."""
        return self.opener(line)


Pattern = LinePattern | BlockPattern

__all__ = [
    "Block",
    "BlockOpener",
    "BlockPattern",
    "Fed",
    "LinePattern",
    "Pattern",
    "compiled",
    "event",
    "frame",
    "is_user_file",
    "replace",
    "told",
]
