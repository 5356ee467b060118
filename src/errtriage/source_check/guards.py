"""Whether a program takes care that a value is not 0 before it divides by it or takes its root."""

from __future__ import annotations

import ast

from errtriage.source_check.module import Module

_GUARDING = frozenset(
    {
        "clamp",
        "clamp_",
        "clip",
        "maximum",
        "where",
        "nan_to_num",
        "masked_fill",
        "masked_fill_",
        "replace",
        "fillna",
        "max",
        "add_",
        "any",
        "all",
        "isclose",
        "allclose",
        "count_nonzero",
    }
)


def is_guarded(module: Module, node: ast.expr) -> bool:
    """Return whether a value, or the name that holds it, is compared, clamped, replaced or added to in its function."""
    name = module.chain(node)
    if not name:
        return False
    scope = module.scope(node)
    return any(_guards(module, one, name) for one in ast.walk(scope) if one is not node)


def _guards(module: Module, node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Compare):
        return any(module.chain(side) == name for side in (node.left, *node.comparators))
    if isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return called in _GUARDING and any(module.chain(one) == name for one in (*node.args, *receiver))
    if isinstance(node, ast.AugAssign):
        return module.chain(node.target) == name and isinstance(node.op, ast.Add)
    if isinstance(node, (ast.If, ast.IfExp, ast.Assert)):
        test = node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test
        return module.chain(test) == name
    if isinstance(node, ast.BoolOp):
        return any(module.chain(one) == name for one in node.values)
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        return module.chain(node.value) == name
    return False
