"""Operations that take a value out of the graph."""

from __future__ import annotations

import ast
import re

from errtriage.source_check.datasets import CONVERSIONS
from errtriage.source_check.flow import Flow
from errtriage.source_check.module import Module

_CUTTING_METHODS = frozenset({"item", "detach", "detach_", "numpy", "tolist", "argmax"})
_CUTTING_FUNCTIONS = frozenset({"torch.argmax", "float", "int"})
_GIVE_INDICES = frozenset(f"{of}{name}" for of in ("torch.", ".") for name in ("max", "min", "topk", "sort"))
_LOOKS_LIKE_A_MODEL = re.compile(
    r"(?:^|[._])(?:\w*(?:model|net)\w*|criterion|loss_?fn|encoder|decoder)$", re.IGNORECASE
)


def cut_of(module: Module, flow: Flow, node: ast.AST, index: tuple[int, ...] = ()) -> str:
    """Return in words how an expression cuts its value off from a model that it depends on; "" where it does not."""
    if isinstance(node, ast.Attribute) and node.attr == "data" and not module.dotted(node):
        return ".data" if _of_model(module, flow, node.value) else ""
    if isinstance(node, ast.Compare):
        return "a comparison" if _of_model(module, flow, node.left) else ""
    if not isinstance(node, ast.Call):
        return ""
    name = module.dotted(node.func) or getattr(node.func, "id", "")
    if index == (1,) and (name or f".{getattr(node.func, 'attr', '')}") in _GIVE_INDICES:
        given = node.args[0] if name else getattr(node.func, "value", node)
        return "the indices" if _of_model(module, flow, given) else ""
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
