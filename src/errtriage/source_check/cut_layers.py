"""Layers and models whose output is taken out of the graph before it is used, so that they never learn."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errtriage.source_check.flow import At, Flow
from errtriage.source_check.loops import is_optimizer_class, method_calls
from errtriage.source_check.losses import LossCall, within_no_grad
from errtriage.source_check.module import FUNCTIONS, Module

_ON_THE_WAY = frozenset({"detach", "cpu", "numpy", "tolist", "item", "squeeze", "float"})
_GRADIENT_WORDS = frozenset({"requires_grad", "requires_grad_", "set_grad_enabled", "stop_gradient", "freeze"})
_DEEPEST = 6  # models behind one another


def layers_cut_off(module: Module, flow: Flow) -> Iterator[tuple[ast.AST, str]]:
    """Yield the cuts in `forward` methods behind which a layer of the same class is used for nothing else.

    Files that speak of gradients elsewhere freeze something on purpose, and are left alone.
    """
    if _speaks_of_gradients(module):
        return
    for owner in module.classes.values():
        forward = next((one for one in owner.body if isinstance(one, FUNCTIONS) and one.name == "forward"), None)
        told: set[int] = set()
        for node in ast.walk(forward) if forward is not None else ():  # from the outside in: a chain is told once
            what, line = hard_cut(module, node), getattr(node, "lineno", 0)
            called = _cut_call(module, node) if what and line not in told else None
            if called is None or not module.chain(called.func).startswith("self."):
                continue
            made = flow.only(module, called.func)
            learns = made is not None and (made.dotted.startswith("torch.nn.") or made.owner is not None)
            if learns and _is_called_once(module, called, forward) and _goes_on(module, node):
                told.add(line)
                yield node, what


def models_cut_off(module: Module, flow: Flow, loss: LossCall) -> Iterator[tuple[ast.AST, str]]:
    """Yield the cuts between two models on the way into a loss, where an optimizer holds the first one in vain.

    A model that is also used without a cut (the generator of a GAN) learns there.
    """
    if _speaks_of_gradients(module):
        return
    trained = _trained(module, flow)
    for given in _inputs_of_models(module, flow, loss.input):
        for at in flow.steps(given.module, given.node):
            what = hard_cut(at.module, at.node) if at.module is module and not at.element else ""
            called = _cut_call(module, at.node) if what else None
            made = flow.only(module, called.func) if called is not None else None
            if called is None or made is None or id(made.call) not in trained or within_no_grad(module, at.node):
                continue
            if _is_called_once(module, called, module.tree):
                yield at.node, what


def _inputs_of_models(module: Module, flow: Flow, value: ast.expr) -> list[At]:
    """Return what the models are given whose outputs become a value."""
    found: list[At] = []
    waiting = [At(module=module, node=value)]
    for _ in range(_DEEPEST):
        calls = [
            (at.module, at.node)
            for start in waiting
            for at in flow.steps(start.module, start.node)
            if isinstance(at.node, ast.Call) and not at.element and _is_a_model(flow, at.module, at.node.func)
        ]
        waiting = [At(module=home, node=one) for home, call in calls for one in call.args]
        found += waiting
    return found


def _is_a_model(flow: Flow, module: Module, called: ast.expr) -> bool:
    made = flow.only(module, called) if not module.dotted(called) else None
    return made is not None and (made.dotted.startswith("torch.nn.") or made.owner is not None)


def _trained(module: Module, flow: Flow) -> set[int]:
    """Return what made the models whose parameters an optimizer is given."""
    optimizers = [call for call in module.calls if is_optimizer_class(module.dotted(call.func))]
    inside = [node for call in optimizers for node in ast.walk(call)]
    models = [flow.only(module, call.func.value) for call in method_calls(inside, "parameters")]  # type: ignore[attr-defined]
    return {id(made.call) for made in models if made is not None}


def _speaks_of_gradients(module: Module) -> bool:
    return any(isinstance(node, ast.Attribute) and node.attr in _GRADIENT_WORDS for node in module.nodes) or any(
        isinstance(node, FUNCTIONS) and "freeze" in node.name for node in module.nodes
    )


def hard_cut(module: Module, node: ast.AST) -> str:
    """Return in words how a call cuts off whatever it is given; "" where it does not."""
    if not isinstance(node, ast.Call):
        return ""
    name = module.dotted(node.func)
    if name in ("torch.tensor", "torch.as_tensor", "torch.from_numpy") and node.args:
        return f"{name}(…)"
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("detach", "item", "numpy") and not name:
        return f".{node.func.attr}()"
    return ""


def _cut_call(module: Module, cut: ast.AST) -> ast.Call | None:
    """Return the call whose result a cut takes, directly or by a name that is used nowhere else."""
    value = cut.args[0] if isinstance(cut, ast.Call) and cut.args else _receiver(cut)
    value = _without_moves(module, value)
    if isinstance(value, ast.Name):
        bound = [one for one in module.reaching(value) if one.kind == "assign" and not one.index]
        uses = [node for node in ast.walk(module.scope(value)) if isinstance(node, ast.Name) and node.id == value.id]
        loads = [node for node in uses if isinstance(node.ctx, ast.Load) and module.reaching(node) == bound]
        if len(bound) != 1 or len(loads) != 1:
            return None
        value = _without_moves(module, bound[0].value)
    return value if isinstance(value, ast.Call) and module.chain(value.func) else None


def _receiver(node: ast.AST) -> ast.expr | None:
    return node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None


def _without_moves(module: Module, value: ast.expr | None) -> ast.expr | None:
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and not module.dotted(value.func):
        if value.func.attr not in _ON_THE_WAY:
            break
        value = value.func.value
    return value


def _is_called_once(module: Module, call: ast.Call, within: ast.AST | None) -> bool:
    """Return whether a layer is called nowhere else, evaluations without gradients left out."""
    name = module.chain(call.func)
    return within is not None and not any(
        isinstance(one, ast.Call) and one is not call and module.chain(one.func) == name
        for one in ast.walk(within)
        if not within_no_grad(module, one)
    )


def _goes_on(module: Module, cut: ast.AST) -> bool:
    """Return whether what is cut off goes into another layer: what is only looked at or returned is no fault."""
    above = list(module.above(cut))
    if any(isinstance(one, ast.Call) and module.chain(one.func).startswith("self.") for one in above):
        return True
    statement = next((one for one in above if isinstance(one, ast.Assign)), None)
    names = {node.id for node in statement.targets if isinstance(node, ast.Name)} if statement is not None else set()
    for call in ast.walk(module.scope(cut)):
        if not isinstance(call, ast.Call) or not module.chain(call.func).startswith("self."):
            continue
        given = {node.id for one in call.args for node in ast.walk(one) if isinstance(node, ast.Name)}
        if names & given and not any(one is statement for one in module.above(call)):
            return call.lineno >= getattr(cut, "lineno", 0)
    return False
