"""The one door for packages that come with an extra: imported when needed, missed in one clear line."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from errtriage.errors import TransportError


def need(module: str, extra: str) -> Any:
    """Return a module of an optional package.

    Raises:
        TransportError: It is not installed; the message names the extra that brings it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        missing = (error.name or module).split(".")[0]
        raise TransportError(f"{missing} is not installed: python -m pip install 'errtriage[{extra}]'") from error
