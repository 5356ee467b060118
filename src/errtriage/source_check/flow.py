"""Where a value comes from: names, attributes, calls and modules followed backwards through the files of a project."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from errtriage.source_check.calls import canonical, last_added, returned
from errtriage.source_check.module import FUNCTIONS, Binding, Function, Module
from errtriage.source_check.project import Project
from errtriage.source_check.torch_names import (
    PREPARING_METHODS,
    SAME_FUNCTIONS,
    SAME_VALUES,
    WRAPPERS,
    WRAPPING_METHODS,
)
from errtriage.values import dataclass

_DEEPEST = 24  # steps backwards that one value is followed
_WIDEST = 64  # origins of one value that are looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class At:
    """A node of a file; `index` where it is one of the values that the node gives; `element` one turn of a loop."""

    module: Module
    node: ast.AST
    index: tuple[int, ...] = ()
    element: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """An object: the call that made it, the full name of its class where it is imported, its class where it is ours."""

    module: Module
    call: ast.Call
    dotted: str = ""
    owner: ast.ClassDef | None = None
    home: Module | None = None  # the file of `owner`


class Flow:
    """Follows values backwards."""

    def __init__(self, project: Project) -> None:
        """Take the project in whose files values are followed."""
        self.project = project
        self._origins: dict[tuple[int, tuple[int, ...]], list[At]] = {}
        self._only: dict[int, Made | None] = {}
        self.kept: dict[Module, list[Any]] = {}  # what `losses` finds in a file, found once

    def origins(self, module: Module, node: ast.AST, index: tuple[int, ...] = ()) -> list[At]:
        """Return the places that a value can come from, after all that leaves its values as they are."""
        key = (id(node), index)
        if key not in self._origins:
            self._origins[key] = []  # a value that depends on itself has no further origin
            self._origins[key] = self._follow(At(module=module, node=node, index=index), self._backwards)
        return self._origins[key]

    def steps(self, module: Module, node: ast.AST) -> list[At]:
        """Return every place that a value passes on its way backwards, itself included."""
        passed: list[At] = []

        def recorded(at: At) -> list[At] | None:
            passed.append(at)
            return self._backwards(at)

        self._follow(At(module=module, node=node), recorded)
        return passed

    def made(self, module: Module, node: ast.AST) -> list[Made]:
        """Return the calls that made an object, through moves and wrappers."""
        ends = self._follow(At(module=module, node=node), self._unwrapped)
        return [self._made_by(at.module, at.node) for at in ends if isinstance(at.node, ast.Call) and _is_whole(at)]

    def only(self, module: Module, node: ast.AST) -> Made | None:
        """Return the call that made an object where there is exactly one."""
        key = id(node)
        if key not in self._only:
            self._only[key] = None  # what is made of itself is made by nothing
            found = {id(one.call): one for one in self.made(module, node)}
            self._only[key] = next(iter(found.values())) if len(found) == 1 else None
        return self._only[key]

    def name(self, module: Module, call: ast.Call) -> str:
        """Return what a call is: a full name (of the class where a layer is called), `.method`, or ""."""
        dotted = canonical(module.dotted(call.func))
        if dotted:
            return dotted
        layer = self.layer(module, call)
        if layer is not None and layer.dotted:
            return layer.dotted
        return f".{call.func.attr}" if isinstance(call.func, ast.Attribute) else ""

    def layer(self, module: Module, call: ast.Call) -> Made | None:
        """Return the object that is called, the last one where it is a chain of layers."""
        if module.dotted(call.func):
            return None
        made = self.only(module, call.func)
        for _ in range(_DEEPEST):
            if made is None or made.dotted != "torch.nn.Sequential" or not made.call.args:
                return made
            last = self._last(made.module, made.call.args[-1])
            made = self.only(made.module, last) if last is not None else None
        return None

    def _last(self, module: Module, node: ast.expr) -> ast.expr | None:
        """Return the last layer of `Sequential(…, node)`; of `*layers` where the list is written out in one place."""
        if not isinstance(node, ast.Starred):
            return node
        bound = module.reaching(node.value) if isinstance(node.value, ast.Name) else []
        listed = bound[0].value if len(bound) == 1 else node.value
        grows = isinstance(node.value, ast.Name) and last_added(module, node.value)
        if isinstance(grows, ast.expr):
            return grows
        return listed.elts[-1] if isinstance(listed, (ast.List, ast.Tuple)) and listed.elts else None

    def forward(self, module: Module, call: ast.Call) -> tuple[Module, Function] | None:
        """Return the `forward` that calling an object of a class of this project runs."""
        if isinstance(call.func, ast.Name) and call.func.id == "self":
            owner = module.owner(call)
            return _method(module, owner, "forward") if owner is not None else None
        layer = self.layer(module, call)
        if layer is None or layer.owner is None or layer.home is None:
            return None
        return _method(layer.home, layer.owner, "forward")

    def class_of(self, module: Module, node: ast.expr) -> tuple[Module, ast.ClassDef] | None:
        """Return the class that an expression names, in this file or in one that it imports."""
        if isinstance(node, ast.Name) and node.id in module.classes:
            return module, module.classes[node.id]
        dotted = module.dotted(node)
        if "." not in dotted:
            return None
        file, _, name = dotted.rpartition(".")
        there = self.project.imported(file or ".", module)
        return (there, there.classes[name]) if there is not None and name in there.classes else None

    def _made_by(self, module: Module, call: ast.Call) -> Made:
        ours = self.class_of(module, call.func)
        if ours is not None:
            return Made(module=module, call=call, owner=ours[1], home=ours[0])
        return Made(module=module, call=call, dotted=canonical(module.dotted(call.func)))

    def _follow(self, start: At, backwards: Callable[[At], list[At] | None]) -> list[At]:
        ends: list[At] = []
        seen: set[tuple[int, tuple[int, ...], bool]] = set()
        waiting = [(start, 0)]
        while waiting and len(ends) < _WIDEST:
            at, depth = waiting.pop()
            key = (id(at.node), at.index, at.element)
            if key in seen:
                continue
            seen.add(key)
            before = backwards(at) if depth < _DEEPEST else None
            if before is None:
                ends.append(at)
            else:
                waiting += [(one, depth + 1) for one in before]
        return ends

    def _backwards(self, at: At) -> list[At] | None:
        """Return what a value is made of without a change; None where it is made here."""
        if at.element:
            return None
        if isinstance(at.node, ast.Call):
            return self._through_call(at, at.node)
        if isinstance(at.node, ast.Subscript):
            return _through_subscript(at, at.node)
        return self._named(at)

    def _named(self, at: At) -> list[At] | None:
        module, node = at.module, at.node
        if isinstance(node, ast.Name):
            return self._bound(at, module.reaching(node))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            owner = module.owner(node)
            return self._bound(at, module.attributes(owner).get(node.attr, [])) if owner is not None else None
        if isinstance(node, ast.Attribute):
            return self._attribute(at, node)
        if isinstance(node, ast.IfExp):
            return [At(module=module, node=one, index=at.index) for one in (node.body, node.orelse)]
        if isinstance(node, ast.NamedExpr):
            return [At(module=module, node=node.value, index=at.index)]
        if isinstance(node, ast.Tuple) and at.index and at.index[0] < len(node.elts):
            return [At(module=module, node=node.elts[at.index[0]], index=at.index[1:])]
        return None

    def _attribute(self, at: At, node: ast.Attribute) -> list[At] | None:
        """Follow `model.fc`: an attribute of an object of a class of this project."""
        made = self.only(at.module, node.value) if not at.module.dotted(node) else None
        if made is None or made.owner is None or made.home is None:
            return None
        bound = made.home.attributes(made.owner).get(node.attr, [])
        return self._bound(At(module=made.home, node=node, index=at.index), bound)

    def _bound(self, at: At, bound: list[Binding]) -> list[At] | None:
        found: list[At] = []
        for one in bound:
            if one.kind == "parameter":
                given = self._given(at.module, one.statement)
                found += [At(module=at.module, node=node, index=at.index) for node in given]
                if not given:
                    found.append(At(module=at.module, node=one.statement, element=True))
            elif one.value is not None:
                element = one.kind == "element"
                index = (*one.index, *at.index)
                found.append(At(module=at.module, node=one.value, index=index, element=element))
            else:
                found.append(At(module=at.module, node=one.statement, element=True))
        return found or None

    def _given(self, module: Module, parameter: ast.AST) -> list[ast.expr]:
        """Return what the calls of a function in this file give for one of its parameters."""
        function = next((one for one in module.above(parameter) if isinstance(one, FUNCTIONS)), None)
        if function is None or not isinstance(parameter, ast.arg):
            return []
        names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        if module.owner(function) is not None and names[:1] in (["self"], ["cls"]):
            names = names[1:]
        found = []
        for call in module.calls_of(function):
            named = {one.arg: one.value for one in call.keywords}
            if parameter.arg in named:
                found.append(named[parameter.arg])
            elif parameter.arg in names[: len(call.args)] and not any(isinstance(a, ast.Starred) for a in call.args):
                found.append(call.args[names.index(parameter.arg)])
        return found

    def _through_call(self, at: At, call: ast.Call) -> list[At] | None:
        module = at.module
        if isinstance(call.func, ast.Attribute) and call.func.attr in SAME_VALUES and not module.dotted(call.func):
            return [At(module=module, node=call.func.value, index=at.index)]
        if canonical(module.dotted(call.func)) in SAME_FUNCTIONS and call.args:
            return [At(module=module, node=call.args[0], index=at.index)]
        called = self._called(module, call)
        if called is None:
            return None
        home, function = called
        given = [At(module=home, node=one, index=at.index) for one in returned(function)]
        return given or None

    def _called(self, module: Module, call: ast.Call) -> tuple[Module, Function] | None:
        if isinstance(call.func, ast.Name) and call.func.id in module.functions:
            return module, module.functions[call.func.id]
        if isinstance(call.func, ast.Attribute) and module.chain(call.func.value) == "self":
            owner = module.owner(call)
            method = _method(module, owner, call.func.attr) if owner is not None else None
            if method is not None:
                return method
        return self.forward(module, call)

    def _unwrapped(self, at: At) -> list[At] | None:
        """As `_backwards`, for objects: through moves and wrappers, not through what objects return."""
        if at.element:
            return None
        if not isinstance(at.node, ast.Call):
            return self._named(at)
        call, module = at.node, at.module
        dotted = canonical(module.dotted(call.func))
        if dotted in WRAPPERS and call.args:
            return [At(module=module, node=call.args[0])]
        if isinstance(call.func, ast.Attribute) and not dotted:
            if call.func.attr in WRAPPING_METHODS:
                return [At(module=module, node=call.func.value)]
            if call.func.attr in PREPARING_METHODS and call.args:
                number = at.index[0] if at.index else 0
                return [At(module=module, node=call.args[number])] if number < len(call.args) else None
        if isinstance(call.func, ast.Name) and call.func.id in module.functions:
            given = [At(module=module, node=one, index=at.index) for one in returned(module.functions[call.func.id])]
            return given or None
        return None


def _is_whole(at: At) -> bool:
    return not at.index and not at.element


def _through_subscript(at: At, node: ast.Subscript) -> list[At] | None:
    """Follow a part of a value: an element of a tuple by its number, else values of the same kind."""
    if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int) and node.slice.value >= 0:
        if isinstance(node.value, (ast.Call, ast.Tuple)):
            return [At(module=at.module, node=node.value, index=(node.slice.value, *at.index))]
    elif isinstance(node.slice, ast.Constant):
        return None
    return [At(module=at.module, node=node.value, index=at.index)]


def _method(module: Module, owner: ast.ClassDef, name: str) -> tuple[Module, Function] | None:
    for node in owner.body:
        if isinstance(node, FUNCTIONS) and node.name == name:
            return module, node
    return None
