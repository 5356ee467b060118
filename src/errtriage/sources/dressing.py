"""Takes off what a paste, a notebook or a log collector put around the lines of a log, keeping raw line numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain

from errtriage import TYPE_CHECKING
from errtriage.model import Span
from errtriage.sources.windows import Window, regrouped
from errtriage.values import dataclass

if TYPE_CHECKING:
    from typing import Any

TakeOff = Callable[["Any"], "Any"]


Lines = Iterator[tuple[bytes, Span]]
# What takes a dressing off: lines to the lines inside, or the bytes of a whole source (None: it is something else).

MOST_WHOLE = 64 * 1024 * 1024  # bytes of a notebook or another file that is taken off only as a whole


def _notebook(head: bytes) -> TakeOff | None:
    if not _begins_with(head, b"{"):
        return None
    from errtriage.sources import notebooks

    return notebooks.take_off if notebooks.look(head) else None


def _json_export(head: bytes) -> TakeOff | None:
    if not _begins_with(head, b"["):
        return None
    from errtriage.sources import json_logs

    return json_logs.take_off_export if json_logs.look_export(head) else None


def _power_shell(head: bytes) -> TakeOff | None:
    if b"NativeCommandError" not in head and b"+ CategoryInfo" not in head:
        return None
    from errtriage.sources import power_shell

    return partial(power_shell.take_off, width=power_shell.width(head))


def _html(head: bytes) -> TakeOff | None:
    if b"&" not in head:
        return None
    from errtriage.sources import pastes

    return pastes.take_off_html if pastes.look_html(head) else None


def _quotes(head: bytes) -> TakeOff | None:
    if b"\n>" not in head:
        return None
    from errtriage.sources import pastes

    return pastes.take_off_quotes if pastes.look_quotes(head) else None


def _fences(head: bytes) -> TakeOff | None:
    if b"```" not in head and b"~~~\n" not in head:
        return None
    from errtriage.sources import pastes

    return pastes.take_off_fences if pastes.look_fences(head) else None


def _emphasis(head: bytes) -> TakeOff | None:
    if b"**\n" not in head and b"**\r\n" not in head and not head.endswith(b"**"):
        return None
    from errtriage.sources import pastes

    return pastes.take_off_emphasis if pastes.look_emphasis(head) else None


def _indentation(head: bytes) -> TakeOff | None:
    if head[:1] not in (b" ", b"\t", b"\n", b"\r"):
        return None
    from errtriage.sources import pastes

    blanks = pastes.common_indentation(head)
    return partial(pastes.take_off_indentation, blanks=blanks) if blanks else None


def _numbers(head: bytes) -> TakeOff | None:
    if not _begins_with(head, b"0123456789"):
        return None
    from errtriage.sources import pastes

    separator = pastes.number_separator(head)
    return partial(pastes.take_off_numbers, separator=separator) if separator else None


def _json_lines(head: bytes) -> TakeOff | None:
    if b'{"' not in head and b'{ "' not in head:
        return None
    from errtriage.sources import json_logs

    return json_logs.take_off if json_logs.look(head) else None


def _partial_lines(head: bytes) -> TakeOff | None:
    if b" P " not in head:
        return None
    from errtriage.sources import json_logs

    return json_logs.join_partial if json_logs.look_partial(head) else None


def _begins_with(head: bytes, signs: bytes) -> bool:
    first = head[:64].lstrip()[:1]
    return bool(first) and first in signs


@dataclass(frozen=True, slots=True)
class Dressing:
    """One kind of dressing. `look` takes the first window and returns what takes it off, None where it is not worn.

    A `whole` one is taken off the bytes of the source; `paste` dressings are looked for only where the source is one
    window. What takes them off is imported where a cheap sign says that it can be worn.
    """

    name: str
    look: Callable[[bytes], TakeOff | None]
    paste: bool = False
    whole: bool = False


DRESSINGS = (  # outermost first
    Dressing("notebook", _notebook, whole=True),
    Dressing("json export", _json_export, whole=True),
    Dressing("power shell", _power_shell),
    Dressing("html", _html),
    Dressing("quotes", _quotes, paste=True),
    Dressing("fences", _fences, paste=True),
    Dressing("emphasis", _emphasis, paste=True),
    Dressing("indentation", _indentation, paste=True),
    Dressing("numbers", _numbers, paste=True),
    Dressing("json lines", _json_lines),
    Dressing("partial lines", _partial_lines),
)


def wears(head: bytes) -> bool:
    """Return whether a source of several windows, of which this is the first, wears a dressing."""
    return any(dressing.look(head) is not None for dressing in DRESSINGS if not dressing.paste)


def undress(windows: Iterator[Window]) -> Iterator[Window]:
    """Yield the windows as they are, or windows of lines without their dressing."""
    first = next(windows, None)
    if first is None:
        return
    second = next(windows, None)
    rest: Iterator[Window] = chain([first], [] if second is None else [second], windows)
    head, worn = first.data, list[TakeOff]()
    for dressing in DRESSINGS:
        take_off = None if dressing.paste and second is not None else dressing.look(head)
        if take_off is None:
            continue
        if dressing.whole:
            data, rest = _together(rest)
            inside = take_off(data) if data is not None else None
            if inside is not None:
                yield from regrouped(inside)
                return
            continue
        worn.append(take_off)
        head = b"\n".join(text for text, _ in take_off(_rows(head, 1)))
    if not worn:
        yield from rest
        return
    lines: Lines = chain.from_iterable(_rows(window.data, window.first_line) for window in rest)
    for take_off in worn:
        lines = take_off(lines)
    yield from regrouped(lines)


def _together(windows: Iterable[Window]) -> tuple[bytes | None, Iterator[Window]]:
    """Return the bytes of a source, None where they are too many, and its windows again."""
    kept: list[Window] = []
    size = 0
    rest = iter(windows)
    for window in rest:
        kept.append(window)
        size += len(window.data)
        if size > MOST_WHOLE:
            return None, chain(kept, rest)
    return b"".join(window.data for window in kept), iter(kept)


def _rows(data: bytes, first_line: int) -> Lines:
    """Yield lines without what ends them."""
    rows = data.split(b"\n")
    if not rows[-1]:
        rows.pop()
    for number, row in enumerate(rows, first_line):
        yield row.removesuffix(b"\r"), Span(first=number, last=number)
