"""Tools for agents by the Model Context Protocol, over standard input and output, with the official SDK."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from errtriage.bot.extras import need
from errtriage.bot.received import no_log
from errtriage.bot.sayings import size
from errtriage.bot.worker import Limits, Work, analyse
from errtriage.errors import ErrtriageError, TransportError
from errtriage.render import renderer
from errtriage.render.words import View
from errtriage.values import dataclass, field

_FORMATS = ("markdown", "json", "plain")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What the tools may read: files below `root`, up to `most_bytes`; the limits of an analysis, and redaction."""

    root: Path
    most_bytes: int = 256 << 20
    limits: Limits = field(default_factory=Limits)
    knowledge: tuple[str, ...] = ()
    redact: bool = True
    lang: str = "en"


class Tools:
    """The functions behind the tools; whatever is wrong with an argument is a TransportError."""

    def __init__(self, place: Place, entry_page: Callable[[str], str]) -> None:
        """Take what may be read, and what returns the page of an entry by its id."""
        self._place, self._entry_page = place, entry_page

    def explain_log(self, path: str = "", text: str = "", format: str = "markdown", everything: bool = False) -> str:
        """Explain the log of a training run (PyTorch, CUDA, NCCL, launchers): what failed first, why, how to fix it.

        Give either `path` (a file below the server's folder) or `text` (the log itself). `format` is markdown, json
        or plain; `everything` also shows effects, all causes and all evidence.
        """
        if bool(path) == bool(text):
            raise TransportError("give either path or text")
        if format not in _FORMATS:
            raise TransportError(f"there is no format {format!r}; there are {', '.join(_FORMATS)}")
        name, data = (path, self._read(path)) if path else ("log", text.encode("utf-8", "replace"))
        what = no_log(data)
        if what:
            raise TransportError(f"{name} is no log ({what})")
        place = self._place
        work = Work(logs=((name, data),), knowledge=place.knowledge, redact=place.redact, lang=place.lang)
        return renderer(format)(analyse(work, place.limits), View(everything=everything, lang=place.lang))

    def show_entry(self, id: str) -> str:
        """Show what is known of a fault, by the id that a report names, e.g. target-out-of-range."""
        return self._entry_page(id)

    def lint_file(self, path: str) -> str:
        """Find silent mistakes in the source of a training program: a Python file below the server's folder."""
        from errtriage.source_check.check import check_paths

        file = self._inside(path)
        found = check_paths([file])
        lines = [f"{path}:{one.line}:{one.column}: {one.rule}: {one.message}" for one in found if one.path == file]
        return "\n".join(lines) if lines else f"{path}: nothing found"

    def _read(self, path: str) -> bytes:
        file = self._inside(path)
        number = file.stat().st_size
        if number > self._place.most_bytes:
            raise TransportError(f"{path}: {size(number)} is more than the {size(self._place.most_bytes)} that is read")
        try:
            return file.read_bytes()
        except OSError as error:
            raise TransportError(f"{path}: {error.strerror}") from error

    def _inside(self, path: str) -> Path:
        """Return a file by its real path, which must lie below the root: no link leads out of it."""
        root = self._place.root.resolve()
        try:
            file = (root / path).resolve()
            inside = file.is_relative_to(root) and file.is_file()
        except (OSError, ValueError):
            inside = False
        if not inside:
            raise TransportError(f"{path}: no such file below {root}")
        return file


def server(tools: Tools) -> Any:
    """Return the server with its tools; raises TransportError where the SDK is missing."""
    try:
        made = need("mcp.server.mcpserver", "mcp").MCPServer("errtriage")
    except TransportError:  # before version 2 of the SDK
        made = need("mcp.server.fastmcp", "mcp").FastMCP("errtriage")
    error = _tool_error()
    for function in (tools.explain_log, tools.show_entry, tools.lint_file):
        made.add_tool(_answering(function, error), name=function.__name__, description=function.__doc__)
    return made


def _tool_error() -> type[Exception]:
    for module in ("mcp.server.mcpserver.exceptions", "mcp.server.fastmcp.exceptions"):
        try:
            found: type[Exception] = need(module, "mcp").ToolError
        except TransportError:
            continue
        return found
    return ErrtriageError


def _answering(function: Callable[..., str], error: type[Exception]) -> Callable[..., str]:
    """Return a function of the same arguments whose errors are the protocol's own: a text for the agent."""
    from functools import wraps

    @wraps(function)
    def answer(*given: Any, **named: Mapping[str, Any]) -> str:
        try:
            return function(*given, **named)
        except ErrtriageError as wrong:
            raise error(str(wrong)) from wrong

    return answer
