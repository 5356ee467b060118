"""The light dataclasses behave as the standard library's."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import pytest

from errtriage import values
from errtriage.model import Range, Span


def kinds(module: Any) -> dict[str, type]:
    """The same classes, made by the standard library or by ours."""

    @module.dataclass(frozen=True, slots=True, kw_only=True)
    class Frozen:
        a: int
        b: str = "x"
        c: list[int] = module.field(default_factory=list)

        @property
        def twice(self) -> int:
            return self.a * 2

    @module.dataclass(slots=True)
    class Open:
        a: int
        b: int = 2

    @module.dataclass
    class Plain:
        a: int
        b: dict[str, int] = module.field(default_factory=dict)

    return {"Frozen": Frozen, "Open": Open, "Plain": Plain}


@pytest.fixture(params=[dataclasses, values], ids=["standard", "light"])
def made(request: pytest.FixtureRequest) -> dict[str, Any]:
    return {**kinds(request.param), "replace": request.param.replace}


def test_defaults_factories_and_properties(made: dict[str, Any]) -> None:
    """Defaults are shared, factories are called for each instance, and properties stay."""
    one, other = made["Frozen"](a=1), made["Frozen"](a=1)
    assert (one.a, one.b, one.c, one.twice) == (1, "x", [], 2)
    assert one.c is not other.c
    assert one == other


def test_frozen_values_refuse_changes(made: dict[str, Any]) -> None:
    """A frozen value can not be changed, and `replace` makes a changed copy."""
    one = made["Frozen"](a=1)
    with pytest.raises(AttributeError):
        one.a = 2
    assert made["replace"](one, a=5, b="y") == made["Frozen"](a=5, b="y", c=one.c)


def test_missing_and_unknown_arguments(made: dict[str, Any]) -> None:
    """A missing field, an unknown one and a positional one of a keyword-only class are type errors."""
    for wrong in ((), (1,)):
        with pytest.raises(TypeError):
            made["Frozen"](*wrong)
    with pytest.raises(TypeError):
        made["Frozen"](a=1, d=2)
    assert made["Open"](1, 3).b == 3


def test_open_and_plain_values(made: dict[str, Any]) -> None:
    """What is not frozen can be changed and has no hash; without slots other attributes can be added."""
    one = made["Open"](1)
    one.a = 7
    assert one == made["Open"](7, 2)
    with pytest.raises(TypeError):
        hash(one)
    plain = made["Plain"](1)
    plain.other = 3
    assert plain.b == {}
    assert "Plain(a=1" in repr(plain)


def test_values_travel_between_processes() -> None:
    """A frozen value with slots can be pickled, and is equal and hashable after."""
    one = Range(low=(0,), high=(3,), distinct=4)
    assert pickle.loads(pickle.dumps(one)) == one
    assert hash(Span(first=1, last=2)) == hash(Span(first=1, last=2))
