"""What calls and functions say by themselves: their arguments, what they return, the usual names of torch."""

from __future__ import annotations

import ast

from errtriage.source_check.module import Function, Module, own_nodes


def returned(function: Function) -> list[ast.expr]:
    """Return what a function returns, not counting functions inside of it."""
    return [node.value for node in own_nodes(function) if isinstance(node, ast.Return) and node.value is not None]


def argument(call: ast.Call, number: int, name: str) -> ast.expr | None:
    """Return an argument by its place or its name; None where it is not given."""
    for one in call.keywords:
        if one.arg == name:
            return one.value
    given = call.args[: number + 1]
    if len(given) <= number or any(isinstance(one, ast.Starred) for one in given):
        return None
    return given[number]


def canonical(dotted: str) -> str:
    """Return the usual name of what torch offers under several (`torch.nn.modules.loss.MSELoss`)."""
    parts = dotted.split(".")
    if parts[:3] == ["torch", "nn", "modules"]:
        return f"torch.nn.{parts[-1]}"
    if parts[:2] == ["torch", "nn"] and parts[2:3] == ["DataParallel"]:
        return "torch.nn.DataParallel"
    return dotted


def last_added(module: Module, name: ast.Name) -> ast.expr | None:
    """Return what `name.append(…)` adds last before a use of the name; None where it adds nothing."""
    scope = module.scope(name)
    found = None
    for call in sorted(module.calls, key=lambda one: one.lineno):
        if call.lineno >= name.lineno or module.scope(call) is not scope:
            continue
        if module.chain(call.func) == f"{name.id}.append" and len(call.args) == 1:
            found = call.args[0]
    return found
