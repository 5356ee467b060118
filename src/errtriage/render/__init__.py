"""Reports to text: `FORMATS` names every format; each is one module with one function `render`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from errtriage.model import Report
from errtriage.render.words import View

# Modules, not functions: a format is imported when it is asked for.
FORMATS: dict[str, str] = {
    "terminal": "errtriage.render.terminal",
    "plain": "errtriage.render.plain",
    "json": "errtriage.render.json",
    "markdown": "errtriage.render.markdown",
    "html": "errtriage.render.html",
    "slack": "errtriage.render.slack",
    "github": "errtriage.render.github",
    "sarif": "errtriage.render.sarif",
}


def renderer(name: str) -> Callable[[Report, View], str]:
    """Return the function of a format.

    Raises:
        KeyError: There is no format of that name.
    """
    function: Callable[[Report, View], str] = import_module(FORMATS[name]).render
    return function
