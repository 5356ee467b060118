"""Regular expressions that are compiled when they are first used: most runs use few of them."""

from __future__ import annotations

from errtriage import TYPE_CHECKING
from errtriage.regex_store import compiled

if TYPE_CHECKING:
    import re
    from typing import Any, AnyStr

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split", "pattern", "flags")


class _Lazy:
    """Stands for a compiled pattern; its first use puts the real methods in its place."""

    def __init__(self, pattern: Any, flags: int) -> None:
        self._source = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        made = compiled(*self.__dict__["_source"])
        for method in _METHODS:
            self.__dict__[method] = getattr(made, method)
        return getattr(made, name)


_SPECIAL = {ord(one): "\\" + one for one in "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"}


def escaped(text: AnyStr) -> AnyStr:
    """Return what `re.escape` does, which would have to be imported for it."""
    if isinstance(text, str):
        return text.translate(_SPECIAL)
    return text.decode("latin-1").translate(_SPECIAL).encode("latin-1")


def lazy(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what behaves as `re.compile(pattern, flags)` and compiles when it is first used."""
    made: Any = _Lazy(pattern, flags)
    known: re.Pattern[AnyStr] = made
    return known
