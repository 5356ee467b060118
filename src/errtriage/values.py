"""The parts of `dataclasses` and `enum` that errtriage uses, at a tenth of their start-up: same names, same meaning.

`dataclasses` imports `inspect` and compiles half a dozen functions for every class when a module is imported; for the
classes of errtriage that is more than the interpreter's own start. Here a class gets its methods as closures, and its
`__init__` is compiled when some instances have been made. Type checkers see the real thing.
"""

from __future__ import annotations

from collections.abc import Callable

from errtriage import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class _Missing:
    """Stands for a default that is not given."""


class _Field:
    """What `field` returns: a default, or a function that makes one for each instance."""

    __slots__ = ("default", "factory")

    def __init__(self, default: Any, factory: Any) -> None:
        self.default = default
        self.factory = factory


_MISSING = _Missing()

if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
    from enum import Enum
else:

    class Enum:
        """The base of a class whose attributes are its members, each of them equal to itself alone."""

        def __init_subclass__(cls) -> None:
            """Make members of the attributes, whose values they keep."""
            for name, value in dict(vars(cls)).items():
                if not name.startswith("_"):
                    member = cls()
                    member.name, member.value = name, value
                    setattr(cls, name, member)

        def __repr__(self) -> str:
            return f"{type(self).__name__}.{self.name}"

    def field(*, default: Any = _MISSING, default_factory: Any = _MISSING) -> _Field:
        """Return the description of a field's default."""
        return _Field(default, default_factory)

    def dataclass(
        cls: type | None = None, /, *, frozen: bool = False, slots: bool = False, kw_only: bool = False, eq: bool = True
    ) -> Any:
        """Make a class hold the fields that it annotates, as `dataclasses.dataclass` does."""

        def wrap(made: type) -> type:
            return _made(made, frozen=frozen, slots=slots, kw_only=kw_only, eq=eq)

        return wrap if cls is None else wrap(cls)

    def replace(value: Any, /, **changes: Any) -> Any:
        """Return a copy of a value in which some fields are changed."""
        cls = type(value)
        for name in cls.__fields__:
            if name not in changes:
                changes[name] = getattr(value, name)
        return cls(**changes)


def _made(cls: type, *, frozen: bool, slots: bool, kw_only: bool, eq: bool) -> type:
    own = dict(cls.__dict__)
    names = [name for name, kind in own.get("__annotations__", {}).items() if "ClassVar" not in str(kind)]
    defaults = {name: own.pop(name) for name in names if name in own}
    inherited: dict[str, Any] = getattr(cls, "__fields__", {})
    fields = {**inherited, **{name: defaults.get(name, _MISSING) for name in names}}
    methods: dict[str, Any] = {
        "__fields__": fields,
        "__match_args__": () if kw_only else tuple(fields),
        "__init__": _first_init(fields, kw_only=kw_only),
    }
    own.setdefault("__repr__", _repr)
    if eq:
        methods |= {"__eq__": _eq, "__hash__": _hash if frozen else None}
    if frozen:
        methods |= {"__setattr__": _refuse, "__delattr__": _refuse}
        if slots:
            methods |= {"__getstate__": _state, "__setstate__": _restore}
    if slots:
        for name in ("__dict__", "__weakref__"):
            own.pop(name, None)
        made: type = type(cls)(cls.__name__, cls.__bases__, {**own, **methods, "__slots__": tuple(names)})
        made.__qualname__ = cls.__qualname__
        return made
    for name, value in {"__repr__": own["__repr__"], **methods}.items():
        setattr(cls, name, value)
    for name, default in defaults.items():
        if isinstance(default, _Field):
            delattr(cls, name)
    return cls


_FEW = 12  # instances from which on a compiled `__init__` has earned its compilation


def _first_init(fields: dict[str, Any], *, kw_only: bool) -> Callable[..., None]:
    """Return an `__init__` that compiles the real one for its class after a few calls, or for what it can not take."""
    made = 0

    def first_init(self: Any, *given: Any, **named: Any) -> None:
        nonlocal made
        made += 1
        if made <= _FEW and not (kw_only and given) and _set_all(self, fields, given, named):
            return
        owner = next(cls for cls in type(self).__mro__ if cls.__dict__.get("__fields__") is fields)
        real = _compiled_init(owner, fields, kw_only=kw_only)
        type.__setattr__(owner, "__init__", real)
        real(self, *given, **named)

    return first_init


def _set_all(self: Any, fields: dict[str, Any], given: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Set the fields of a new instance; return whether all went well, else the compiled `__init__` sees to it."""
    if hasattr(self, "__post_init__"):
        return False
    values = dict(zip(fields, given, strict=False))
    if len(values) < len(given) or not values.keys().isdisjoint(named) or not named.keys() <= fields.keys():
        return False
    values.update(named)
    for name, default in fields.items():
        if name in values:
            value = values[name]
        elif isinstance(default, _Field):
            value = default.factory() if default.factory is not _MISSING else default.default
        else:
            value = default
        if value is _MISSING:
            return False
        object.__setattr__(self, name, value)
    return True


def _compiled_init(cls: type, fields: dict[str, Any], *, kw_only: bool) -> Callable[..., None]:
    space: dict[str, Any] = {"_set": object.__setattr__, "_missing": _MISSING}
    head, body = [], []
    for name, default in fields.items():
        descriptor = getattr(cls, name, None) if "__slots__" in cls.__dict__ or "__slots__" in dir(cls) else None
        value = name
        if isinstance(default, _Field):
            space[f"_f_{name}"] = default.factory if default.factory is not _MISSING else (lambda v=default.default: v)
            head.append(f"{name}=_missing")
            value = f"_f_{name}() if {name} is _missing else {name}"
        elif default is not _MISSING:
            space[f"_d_{name}"] = default
            head.append(f"{name}=_d_{name}")
        else:
            head.append(name)
        if descriptor is not None and hasattr(descriptor, "__set__"):
            space[f"_s_{name}"] = descriptor.__set__
            body.append(f" _s_{name}(self, {value})")
        else:
            body.append(f" _set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    signature = ", ".join(["self", *(["*"] if kw_only and head else []), *head])
    exec(f"def __init__({signature}):\n" + ("\n".join(body) or " pass"), space)  # as `dataclasses` does it, too
    made: Callable[..., None] = space["__init__"]
    return made


def _values(value: Any) -> tuple[Any, ...]:
    return tuple(getattr(value, name) for name in type(value).__fields__)


def _repr(self: Any) -> str:
    told = ", ".join(f"{name}={getattr(self, name)!r}" for name in type(self).__fields__)
    return f"{type(self).__qualname__}({told})"


def _eq(self: Any, other: object) -> Any:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


def _refuse(self: Any, name: str, *_: Any) -> None:
    raise AttributeError(f"{type(self).__name__}.{name} can not be changed: the value is frozen")


def _state(self: Any) -> tuple[Any, ...]:
    return _values(self)


def _restore(self: Any, state: tuple[Any, ...]) -> None:
    for name, value in zip(type(self).__fields__, state, strict=True):
        object.__setattr__(self, name, value)


__all__ = ["Enum", "dataclass", "field", "replace"]
