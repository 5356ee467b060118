"""Tracebacks in boxes: rich's own output at the width of a log, with and without locals, in Unicode and in ASCII."""

import io

import pytest
from rich.console import Console
from rich.traceback import Traceback

from errtriage.patterns import rich_traceback
from events_of import events_of


def _fail() -> None:
    try:
        {}["b"]
    except KeyError as error:
        raise ValueError("bad value") from error


def _printed(*, show_locals: bool, legacy: bool) -> str:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii" if legacy else "utf-8", errors="backslashreplace")
    console = Console(file=out, width=100, no_color=True)
    try:
        _fail()
    except ValueError as error:
        console.print(Traceback.from_exception(type(error), error, error.__traceback__, show_locals=show_locals))
    out.flush()
    return out.buffer.getvalue().decode()


@pytest.mark.parametrize("legacy", [False, True], ids=["unicode", "ascii"])
@pytest.mark.parametrize("show_locals", [False, True], ids=["plain", "locals"])
def test_box(show_locals, legacy):
    """Each form of rich's box gives both exceptions of the chain with their innermost lines of code."""
    last, first = events_of(rich_traceback.PATTERNS, _printed(show_locals=show_locals, legacy=legacy))
    assert (last.fields["type"], last.fields["message"], last.fields["origin"]) == ("ValueError", "bad value", "rich")
    assert (first.fields["type"], first.parent, first.relation) == ("KeyError", last, "cause")
    assert last.frames[-1].function == "_fail"
    assert last.frames[-1].code == 'raise ValueError("bad value") from error'
    assert first.frames[-1].code == '{}["b"]'
