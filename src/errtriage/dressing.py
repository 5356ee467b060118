"""Takes off what a paste, a notebook or a log collector put around the lines of a log, keeping raw line numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from errtriage import json_logs, notebooks, pastes, power_shell
from errtriage.model import Span
from errtriage.windows import Window, regrouped

Lines = Iterator[tuple[bytes, Span]]

MOST_WHOLE = 64 * 1024 * 1024  # bytes of a notebook or another file that is taken off only as a whole


@dataclass(frozen=True, slots=True)
class Dressing:
    """One kind of dressing.

    `look` takes the first window, and returns what `take_off` needs to know of the source, or None where the source
    does not wear it. `take_off` takes the lines with their spans and returns those inside; a `whole` one takes the
    bytes of the source, and returns None where these are something else after all. `paste` dressings are looked for
    only where the source is one window.
    """

    name: str
    look: Callable[[bytes], Any]
    take_off: Callable[[Any, Any], Any]
    paste: bool = False
    whole: bool = False


def _partial(head: bytes) -> bool | None:
    return True if json_logs.PARTIAL.search(head) else None


DRESSINGS = (
    Dressing("notebook", notebooks.look, notebooks.take_off, whole=True),
    Dressing("json export", json_logs.look_export, json_logs.take_off_export, whole=True),
    Dressing("power shell", power_shell.look, power_shell.take_off),
    Dressing("html", pastes.look_html, pastes.take_off_html),
    Dressing("quotes", pastes.look_quotes, pastes.take_off_quotes, paste=True),
    Dressing("fences", pastes.look_fences, pastes.take_off_fences, paste=True),
    Dressing("indentation", pastes.look_indentation, pastes.take_off_indentation, paste=True),
    Dressing("numbers", pastes.look_numbers, pastes.take_off_numbers, paste=True),
    Dressing("json lines", json_logs.look, json_logs.take_off),
    Dressing("partial lines", _partial, json_logs.join_partial),
)


def undress(windows: Iterator[Window]) -> Iterator[Window]:
    """Yield the windows as they are, or windows of lines without their dressing."""
    first = next(windows, None)
    if first is None:
        return
    second = next(windows, None)
    rest: Iterator[Window] = chain([first], [] if second is None else [second], windows)
    worn: list[tuple[Dressing, Any]] = []
    head = first.data
    for dressing in DRESSINGS:
        if dressing.paste and second is not None:
            continue
        known = dressing.look(head)
        if known is None:
            continue
        if dressing.whole:
            data, rest = _together(rest)
            inside = dressing.take_off(data, known) if data is not None else None
            if inside is not None:
                yield from regrouped(inside)
                return
            continue
        worn.append((dressing, known))
        head = b"\n".join(text for text, _ in dressing.take_off(_rows(head, 1), known))
    if not worn:
        yield from rest
        return
    lines = _lines(rest)
    for dressing, known in worn:
        lines = dressing.take_off(lines, known)
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


def _lines(windows: Iterable[Window]) -> Lines:
    for window in windows:
        yield from _rows(window.data, window.first_line)


def _rows(data: bytes, first_line: int) -> Lines:
    """Yield lines without what ends them."""
    rows = data.split(b"\n")
    if not rows[-1]:
        rows.pop()
    for number, row in enumerate(rows, first_line):
        yield row.removesuffix(b"\r"), Span(first=number, last=number)
