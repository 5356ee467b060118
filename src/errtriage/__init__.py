"""errtriage reads the log of a training run and says what went wrong first, why, where and how to fix it.

`triage(log)` gives a `Report`; `install()` explains uncaught exceptions in their own process. Importing this package
imports nothing else: its names are loaded when they are first used.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # what type checkers take for `typing.TYPE_CHECKING`; `typing` itself is felt in the start-up

__version__ = "0.1.0"

__all__ = ["ErrtriageError", "Knowledge", "Report", "__version__", "install", "load_knowledge", "triage"]

if TYPE_CHECKING:
    from typing import Any

    from errtriage.errors import ErrtriageError
    from errtriage.inprocess import install
    from errtriage.knowledge import Knowledge, load_knowledge
    from errtriage.model import Report
    from errtriage.triage import triage

# Public names and the modules that they come from.
_HOMES = {
    "ErrtriageError": "errors",
    "Knowledge": "knowledge",
    "Report": "model",
    "install": "inprocess",
    "load_ipython_extension": "inprocess",
    "load_knowledge": "knowledge",
    "unload_ipython_extension": "inprocess",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(type(sys)):  # type: ignore[misc]
    """This module's class: `errtriage.triage` is the function, though a module of that name is imported, too."""

    @property
    def triage(self) -> Any:
        """The function `triage` of the module of that name."""
        from importlib import import_module

        return import_module(f"{__name__}.triage").triage

    @triage.setter
    def triage(self, module: Any) -> None:
        """Take no notice of the module, which the import system wants to keep here."""


sys.modules[__name__].__class__ = _Package
