"""The store of compiled regexes: what comes out of it is what `re.compile` makes, and trouble with it is no trouble."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from errtriage import regex_store, user_cache
from errtriage.patterns import PATTERNS
from errtriage.patterns.base import LinePattern

REGEXES: list[tuple[Any, int]] = [
    *((pattern.regex, 0) for pattern in PATTERNS if isinstance(pattern, LinePattern)),
    (rb"^(?P<rank>\d+):\s{0,3}(?:[\w.-]+|\x1b\[\d{1,3}m)", 0),
    (r"(?P<a>x)|(?P<b>[ä-ö€]+)(?P=a)?(?(b)y|z)", re.IGNORECASE),
    (r"(?i:nan)|(?s:.)\Z", re.MULTILINE),
]


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    fresh(monkeypatch)
    yield tmp_path / "errtriage" / "regexes.marshal"
    regex_store.compiled.cache_clear()  # type: ignore[attr-defined]


def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin as a new process does."""
    monkeypatch.setattr(regex_store, "_stored", None)
    monkeypatch.setattr(regex_store, "_new", [])
    regex_store.compiled.cache_clear()  # type: ignore[attr-defined]
    re.purge()


def filled(monkeypatch: pytest.MonkeyPatch) -> None:
    for pattern, flags in REGEXES:
        regex_store.compiled(pattern, flags)
    regex_store.keep()
    fresh(monkeypatch)


def test_what_is_stored_is_what_re_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every expression of the patterns comes out of the store equal, in code and groups, to a newly compiled one."""
    filled(monkeypatch)
    for pattern, flags in REGEXES:
        made, real = regex_store.compiled(pattern, flags), re.compile(pattern, flags)
        assert made is not real
        assert made == real
        assert (made.groups, dict(made.groupindex)) == (real.groups, dict(real.groupindex))


def test_nothing_is_compiled_that_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second process compiles none of the expressions of the first, and writes nothing."""
    filled(monkeypatch)
    monkeypatch.setattr(re, "compile", lambda *_: pytest.fail("compiled"))
    monkeypatch.setattr(user_cache, "write", lambda *_: pytest.fail("written"))
    for pattern, flags in REGEXES:
        regex_store.compiled(pattern, flags)
    regex_store.keep()


@pytest.mark.parametrize("damage", ["cut", "other code", "other shape"])
def test_a_damaged_store_is_passed_over(damage: str, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An expression whose stored form is damaged or refused by the interpreter is compiled again."""
    filled(monkeypatch)
    if damage == "cut":
        store.write_bytes(store.read_bytes()[:-20])
    else:
        wrong = user_cache.dump((0, b"\xff" * 64, 0, {}, (None,)) if damage == "other code" else ("x",))
        user_cache.write(store.name, regex_store._key(), dict.fromkeys([("a+b", 0)], wrong))
    found = regex_store.compiled("a+b").search("xaab")
    assert found is not None
    assert found[0] == "aab"


def test_an_expression_that_is_none_is_refused_as_ever() -> None:
    """A mistake in an expression raises `re.error`, stored or not."""
    with pytest.raises(re.error):
        regex_store.compiled("(")
