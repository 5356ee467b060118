"""Operations that take a value out of the graph."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from errtriage.source_check.datasets import CONVERSIONS
from errtriage.source_check.flow import Flow
from errtriage.source_check.module import FUNCTIONS, Function, Module

_CUTTING_METHODS = frozenset({"item", "detach", "detach_", "numpy", "tolist", "argmax"})
_CUTTING_FUNCTIONS = frozenset({"torch.argmax", "float", "int"})
_LOOKS_LIKE_A_MODEL = re.compile(
    r"(?:^|[._])(?:\w*(?:model|net)\w*|criterion|loss_?fn|encoder|decoder)$", re.IGNORECASE
)


def cut_of(module: Module, flow: Flow, node: ast.AST) -> str:
    """Return in words how an expression cuts its value off from a model that it depends on; "" where it does not."""
    if isinstance(node, ast.Attribute) and node.attr == "data" and not module.dotted(node):
        return ".data" if _of_model(module, flow, node.value) else ""
    if isinstance(node, ast.Compare):
        return "a comparison" if _of_model(module, flow, node.left) else ""
    if not isinstance(node, ast.Call):
        return ""
    name = module.dotted(node.func) or getattr(node.func, "id", "")
    if (name in CONVERSIONS or name in _CUTTING_FUNCTIONS) and node.args:
        return f"{name}(…)" if _of_model(module, flow, node.args[0]) else ""
    if isinstance(node.func, ast.Attribute) and node.func.attr in _CUTTING_METHODS and not name:
        value = node.func.value
        if node.func.attr == "detach" and isinstance(value, ast.BinOp):
            return ""  # `x + (y - x).detach()` passes the gradient on, on purpose
        return f".{node.func.attr}()" if _of_model(module, flow, value) else ""
    return ""


def may_learn(module: Module, flow: Flow, node: ast.AST) -> bool:
    """Return whether a value may depend on a model: it is sure to, or comes from outside of what can be seen."""
    names = [one for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
    given = [at for name in names for at in flow.origins(module, name)]
    return any(isinstance(at.node, ast.arg) for at in given) or _of_model(module, flow, node)


def _of_model(module: Module, flow: Flow, node: ast.AST) -> bool:
    """Return whether an expression holds the result of a model or loss, here or behind the names in it."""
    seen: set[int] = set()
    waiting: list[tuple[Module, ast.AST, int]] = [(module, node, 0)]
    while waiting:
        home, here, depth = waiting.pop()
        if id(here) in seen or depth > 3:
            continue
        seen.add(id(here))
        for one in ast.walk(here):
            if isinstance(one, ast.Call) and _is_model(home, flow, one):
                return True
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
                waiting += [(at.module, at.node, depth + 1) for at in flow.origins(home, one) if not at.element]
    return False


def _is_model(module: Module, flow: Flow, call: ast.Call) -> bool:
    if module.dotted(call.func):
        return False
    made = flow.only(module, call.func)
    if made is not None and (made.dotted.startswith("torch.nn.") or made.owner is not None):
        return True
    return made is None and bool(_LOOKS_LIKE_A_MODEL.search(module.chain(call.func)))


def layers_cut_off(module: Module, flow: Flow) -> Iterator[tuple[ast.AST, str]]:
    """Yield the cuts in `forward` methods behind which a layer of the same class is used for nothing else.

    Layers that are frozen, and classes that speak of gradients elsewhere, are left alone.
    """
    for owner in module.classes.values():
        forward = next((one for one in owner.body if isinstance(one, FUNCTIONS) and one.name == "forward"), None)
        if forward is None or _speaks_of_gradients(module, owner):
            continue
        told: set[int] = set()
        for node in ast.walk(forward):  # from the outside in, so that one chain of cuts is told once
            what = _hard_cut(module, node)
            line = getattr(node, "lineno", 0)
            if what and line not in told and _only_use(module, flow, forward, node):
                told.add(line)
                yield node, what


def _speaks_of_gradients(module: Module, owner: ast.ClassDef) -> bool:
    words = (
        "requires_grad",
        "requires_grad_",
        "no_grad",
        "set_grad_enabled",
        "stop_gradient",
        "freeze",
        "inference_mode",
    )
    return any(getattr(node, "attr", "") in words for node in module.nodes if isinstance(node, ast.Attribute)) or any(
        "freeze" in getattr(node, "name", "") for node in owner.body
    )


def _hard_cut(module: Module, node: ast.AST) -> str:
    if isinstance(node, ast.Call):
        name = module.dotted(node.func)
        if name in ("torch.tensor", "torch.as_tensor", "torch.from_numpy") and node.args:
            return f"{name}(…)"
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("detach", "item", "numpy") and not name:
            return f".{node.func.attr}()"
    return ""


def _only_use(module: Module, flow: Flow, forward: Function, cut: ast.AST) -> bool:
    """Return whether a cut takes the direct result of a layer of its own class, which nothing else uses.

    The result must go on into another layer: values that are only looked at or returned are no fault.
    """
    value = (
        cut.args[0] if isinstance(cut, ast.Call) and cut.args else getattr(getattr(cut, "func", None), "value", None)
    )
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and not module.dotted(value.func):
        if value.func.attr not in ("detach", "cpu", "numpy", "tolist", "item", "squeeze", "float"):
            break
        value = value.func.value
    if isinstance(value, ast.Name):
        uses = [node for node in ast.walk(forward) if isinstance(node, ast.Name) and node.id == value.id]
        bound = [one for one in module.reaching(value) if one.kind == "assign" and not one.index]
        loads = [node for node in uses if isinstance(node.ctx, ast.Load) and bound and module.reaching(node) == bound]
        if len(bound) != 1 or len(loads) != 1:
            return False
        value = bound[0].value
    if not isinstance(value, ast.Call) or not module.chain(value.func).startswith("self."):
        return False
    made = flow.only(module, value.func)
    same = [
        one
        for one in ast.walk(forward)
        if isinstance(one, ast.Call) and module.chain(one.func) == module.chain(value.func)
    ]
    learns = made is not None and (made.dotted.startswith("torch.nn.") or made.owner is not None)
    return learns and len(same) == 1 and _goes_on(module, forward, cut)


def _goes_on(module: Module, forward: Function, cut: ast.AST) -> bool:
    above = list(module.above(cut))
    if any(isinstance(one, ast.Call) and module.chain(one.func).startswith("self.") for one in above):
        return True
    statement = next((one for one in above if isinstance(one, ast.Assign)), None)
    names = {node.id for node in statement.targets if isinstance(node, ast.Name)} if statement is not None else set()
    for call in ast.walk(forward):
        if not isinstance(call, ast.Call) or not module.chain(call.func).startswith("self."):
            continue
        given = {node.id for one in call.args for node in ast.walk(one) if isinstance(node, ast.Name)}
        if names & given and not any(one is statement for one in module.above(call)):
            return call.lineno >= getattr(cut, "lineno", 0)
    return False
