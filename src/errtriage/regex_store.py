"""Compiled regular expressions, kept between runs as Python keeps compiled modules.

Compiling the expressions that one small log needs takes longer than reading the log. What `re` works out is a row of
numbers for the engine of this very interpreter; it is stored under the interpreter's version, and whatever is missing,
damaged or refused is simply compiled again.
"""

from __future__ import annotations

import sys
from functools import cache

from errtriage import TYPE_CHECKING, user_cache

if TYPE_CHECKING:
    import re
    from typing import Any, AnyStr

_FILE = "regexes.marshal"
_FORMAT = 1  # raise when what is stored changes its shape
_MOST = 4_000  # expressions that are stored; all that errtriage has are far fewer

_new: list[tuple[Any, int]] = []
_stored: dict[tuple[Any, int], bytes] | None = None


@cache
def _compiled(pattern: Any, flags: int = 0) -> Any:
    made = _restored(pattern, int(flags))
    if made is None:
        import re  # a third of the start-up of a run whose expressions are all in the store

        made = re.compile(pattern, flags)
        _new.append((pattern, int(flags)))
    return made


if TYPE_CHECKING:

    def compiled(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
        """Return what `re.compile(pattern, flags)` does, from the store where it is there. Raises `re.error`.

        What is made is remembered for good: only for expressions that do not come out of a log.
        """
else:
    compiled = _compiled  # a call of one more function would be felt, so often is this one called


def keep() -> None:
    """Store what had to be compiled in this run for the next ones."""
    if _new and sys.implementation.name == "cpython":
        stored = dict(_read() if len(_read()) + len(_new) <= _MOST else {})
        stored.update((key, _dumped(*key)) for key in _new[:_MOST])
        user_cache.write(_FILE, _key(), stored)
    _new.clear()


def _key() -> list[Any]:
    import _sre  # type: ignore[import-not-found]  # of the interpreter itself, without stubs

    return [_FORMAT, sys.version, sys.byteorder, _sre.MAGIC, _sre.CODESIZE]


def _read() -> dict[tuple[Any, int], bytes]:
    global _stored
    if _stored is None:
        found = user_cache.read(_FILE, _key()) if sys.implementation.name == "cpython" else None
        _stored = found if isinstance(found, dict) else {}
    return _stored


def _restored(pattern: Any, flags: int) -> Any:
    blob = _read().get((pattern, flags))
    if blob is None:
        return None
    import _sre  # of the interpreter itself, without stubs

    try:
        all_flags, code, groups, index, names = user_cache.load(blob)
        return _sre.compile(pattern, all_flags, list(memoryview(code).cast("I")), groups, index, names)
    except (ValueError, TypeError, RuntimeError, EOFError):
        return None


def _dumped(pattern: Any, flags: int) -> bytes:
    """Return all that the interpreter's engine needs of an expression; `re` itself keeps its numbers to itself."""
    from array import array

    if sys.version_info >= (3, 11):
        from re import _compiler as compiler
        from re import _parser as parser
    else:
        import sre_compile as compiler
        import sre_parse as parser
    made = _compiled(pattern, flags)
    code = array("I", compiler._code(parser.parse(pattern, flags), flags))  # type: ignore[attr-defined]
    names: list[str | None] = [None] * (made.groups + 1)
    for name, number in made.groupindex.items():
        names[number] = name
    return user_cache.dump((made.flags, code.tobytes(), made.groups, dict(made.groupindex), tuple(names)))
