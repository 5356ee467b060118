"""One parsed source file: what names are bound to, where functions are called, what encloses what."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from errtriage.values import dataclass

Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"
Scope: TypeAlias = "ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*FUNCTIONS, ast.Lambda, ast.ClassDef, ast.Module)


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """One way in which a name gets a value.

    `kind` is assign, augment, element (a loop takes one of `value`), with, parameter or other; `index` is the place
    in a tuple that is unpacked, outermost first.
    """

    kind: str
    statement: ast.AST
    value: ast.expr | None = None
    index: tuple[int, ...] = ()


class Module:
    """A parsed file. Everything is worked out once, when it is first asked for."""

    def __init__(self, path: Path, text: str) -> None:
        """Parse a text; raises SyntaxError, ValueError or RecursionError where it is no Python."""
        self.path = path
        self.lines = text.splitlines()
        self.tree = ast.parse(text)
        self.nodes: list[ast.AST] = list(ast.walk(self.tree))
        self.parents: dict[ast.AST, ast.AST] = {
            child: node for node in self.nodes for child in ast.iter_child_nodes(node)
        }
        self.imports: dict[str, str] = dict(_imports(self.nodes))
        self.classes = {node.name: node for node in self.nodes if isinstance(node, ast.ClassDef)}
        self.functions = {node.name: node for node in self.tree.body if isinstance(node, FUNCTIONS)}
        self.calls = [node for node in self.nodes if isinstance(node, ast.Call)]
        self._calls_by_name: dict[str, list[ast.Call]] = defaultdict(list)
        for call in self.calls:
            self._calls_by_name[_last_name(call.func)].append(call)
        self._bindings: dict[ast.AST, dict[str, list[Binding]]] = {}
        self._attributes: dict[ast.AST, dict[str, list[Binding]]] = {}

    def dotted(self, node: ast.AST | None) -> str:
        """Return the full name of what an import gives (`torch.nn.functional.softmax`), "" for anything else."""
        names: list[str] = []
        while isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.imports:
            return ""
        return ".".join([self.imports[node.id], *reversed(names)])

    def chain(self, node: ast.AST) -> str:
        """Return `a.b.c` of a name or of attributes of a name, "" for anything else."""
        names: list[str] = []
        while isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield what encloses a node, from the inside out."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def scope(self, node: ast.AST) -> Scope:
        """Return the function, class or module whose names a node sees first."""
        for one in self.above(node):
            if isinstance(one, _SCOPES):
                return one
        return self.tree

    def enclosing(self, node: ast.AST, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
        """Yield the enclosing nodes of some kinds within the same function, from the inside out."""
        for one in self.above(node):
            if isinstance(one, _SCOPES):
                return
            if isinstance(one, kinds):
                yield one

    def function(self, node: ast.AST) -> Function | None:
        """Return the function that a node stands in."""
        return next((one for one in self.above(node) if isinstance(one, FUNCTIONS)), None)

    def owner(self, node: ast.AST) -> ast.ClassDef | None:
        """Return the class that a node stands in."""
        return next((one for one in self.above(node) if isinstance(one, ast.ClassDef)), None)

    def bindings(self, scope: Scope) -> dict[str, list[Binding]]:
        """Return how the names of a scope get their values, in the order of the text."""
        if scope not in self._bindings:
            found: dict[str, list[Binding]] = defaultdict(list)
            if isinstance(scope, (*FUNCTIONS, ast.Lambda)):
                for argument in _parameters(scope):
                    found[argument.arg].append(Binding(kind="parameter", statement=argument))
            for node in own_nodes(scope):
                for name, binding in _bound(node):
                    found[name].append(binding)
            for bound in found.values():
                bound.sort(key=lambda one: getattr(one.statement, "lineno", 0))
            self._bindings[scope] = dict(found)
        return self._bindings[scope]

    def attributes(self, owner: ast.ClassDef) -> dict[str, list[Binding]]:
        """Return how the attributes of `self` get their values anywhere in a class."""
        if owner not in self._attributes:
            found: dict[str, list[Binding]] = defaultdict(list)
            for node in ast.walk(owner):
                for name, binding in _bound(node, attributes=True):
                    found[name].append(binding)
            self._attributes[owner] = dict(found)
        return self._attributes[owner]

    def reaching(self, name: ast.Name) -> list[Binding]:
        """Return the bindings that a use of a name can see: back to the last one that is sure to have run."""
        scope = self.scope(name)
        inner = True
        while True:
            bound = self.bindings(scope).get(name.id, [])
            if bound and not (isinstance(scope, ast.ClassDef) and not inner):
                return self._before(name, bound) if inner else bound
            if isinstance(scope, ast.Module):
                return []
            scope, inner = self.scope(scope), False

    def _before(self, use: ast.AST, bound: list[Binding]) -> list[Binding]:
        line, column = getattr(use, "lineno", 0), getattr(use, "col_offset", 0)
        above = set(self.above(use))
        seen: list[Binding] = []
        for one in reversed(bound):
            statement = one.statement
            place = (getattr(statement, "lineno", 0), getattr(statement, "col_offset", 0))
            loops_over = isinstance(statement, (ast.For, ast.AsyncFor, ast.With, ast.comprehension))
            if statement in above and not loops_over:
                continue  # the use is part of the statement that binds the name anew
            if isinstance(statement, ast.comprehension) and self.parents[statement] not in above:
                continue
            if place > (line, column) and one.kind != "parameter":
                continue
            seen.append(one)
            if one.kind != "augment" and (loops_over or one.kind == "parameter" or self.parents[statement] in above):
                break
        return seen or [one for one in bound if one.kind != "augment"]

    def calls_of(self, function: Function) -> list[ast.Call]:
        """Return where a function or method of this file is called by its name, a constructor by that of its class."""
        owner = self.owner(function)
        name = owner.name if owner is not None and function.name == "__init__" else function.name
        method = owner is not None and function.name != "__init__"
        kind = ast.Attribute if method else ast.Name
        return [call for call in self._calls_by_name.get(name, []) if isinstance(call.func, kind)]


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _imports(nodes: list[ast.AST]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            for one in node.names:
                yield (one.asname, one.name) if one.asname else (one.name.split(".")[0],) * 2
        elif isinstance(node, ast.ImportFrom):
            for one in node.names:
                yield one.asname or one.name, f"{'.' * node.level}{node.module or ''}.{one.name}"


def own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a scope's body that do not stand in a scope inside of it."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting += ast.iter_child_nodes(node)


def _parameters(scope: Function | ast.Lambda) -> list[ast.arg]:
    given = scope.args
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    return named + [one for one in (given.vararg, given.kwarg) if one is not None]


def _bound(node: ast.AST, *, attributes: bool = False) -> Iterator[tuple[str, Binding]]:
    """Yield the names (or the attributes of `self`) that a statement binds."""
    pairs: list[tuple[ast.expr, str, ast.expr | None]] = []
    if isinstance(node, ast.Assign):
        pairs = [(target, "assign", node.value) for target in node.targets]
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        pairs = [(node.target, "assign", node.value)]
    elif isinstance(node, ast.AugAssign):
        pairs = [(node.target, "augment", node.value)]
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        pairs = [(node.target, "element", node.iter)]
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        pairs = [(item.optional_vars, "with", item.context_expr) for item in node.items if item.optional_vars]
    elif isinstance(node, (*FUNCTIONS, ast.ClassDef)) and not attributes:
        yield node.name, Binding(kind="other", statement=node)
    for target, kind, value in pairs:
        for name, index in _names(target, (), attributes=attributes):
            yield name, Binding(kind=kind, statement=node, value=value, index=index)


def _names(target: ast.expr, index: tuple[int, ...], *, attributes: bool) -> Iterator[tuple[str, tuple[int, ...]]]:
    if isinstance(target, (ast.Tuple, ast.List)):
        for number, one in enumerate(target.elts):
            yield from _names(one, (*index, number), attributes=attributes)
    elif isinstance(target, ast.Starred):
        return
    elif attributes and isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        if target.value.id == "self":
            yield target.attr, index
    elif not attributes and isinstance(target, ast.Name):
        yield target.id, index
