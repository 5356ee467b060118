"""Training loops: the loops in which a program goes backward and steps an optimizer."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from errtriage.source_check.flow import Flow
from errtriage.source_check.losses import backward_calls
from errtriage.source_check.module import Function, Module, own_nodes
from errtriage.values import dataclass

Loop: TypeAlias = "ast.For | ast.AsyncFor | ast.While"
LOOPS = (ast.For, ast.AsyncFor, ast.While)

_OPTIMIZER = re.compile(
    r"(?:^|[._])(?:opt(?:im(?:izer)?)?s?|sgd|adamw?)(?:$|[._\d])|optim(?:izer)?_?[A-Z\d]?$", re.IGNORECASE
)
_NOT_ONE = re.compile(r"sched|accelerator|fabric", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """A loop (or a function that is called in one) with its backward passes and steps."""

    module: Module
    body: Loop | Function
    backwards: tuple[ast.Call, ...]
    steps: tuple[ast.Call, ...]


def trainings(module: Module, flow: Flow) -> Iterator[Training]:
    """Yield the innermost loops that hold both a backward pass and a step; functions that hold both without a loop."""
    backwards = [call for call, _ in backward_calls(module)]
    steps = [call for call in module.calls if is_step(module, flow, call)]
    found: dict[ast.AST, Training] = {}
    for step in steps:
        body = _common(module, step, backwards)
        if body is not None and body not in found:
            found[body] = Training(
                module=module,
                body=body,
                backwards=tuple(call for call in backwards if body in module.above(call)),
                steps=tuple(call for call in steps if body in module.above(call)),
            )
    yield from found.values()


def _common(module: Module, step: ast.Call, backwards: Iterable[ast.Call]) -> Loop | Function | None:
    """Return the innermost loop, else the function, around a step and a backward pass of the same function."""
    function = module.function(step)
    mates = [set(module.above(call)) for call in backwards if module.function(call) is function]
    for loop in module.enclosing(step, *LOOPS):
        if isinstance(loop, LOOPS) and any(loop in above for above in mates):
            return loop
    return function if mates else None


def is_step(module: Module, flow: Flow, call: ast.Call) -> bool:
    """Return whether a call is a step of an optimizer, through a scaler too."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "step":
        return False
    if call.args and is_optimizer(module, flow, call.args[0]):
        return True
    return is_optimizer(module, flow, call.func.value)


def is_optimizer(module: Module, flow: Flow, node: ast.expr) -> bool:
    """Return whether an expression is an optimizer, by what made it, else by its name."""
    made = flow.only(module, node)
    if made is not None and made.dotted:
        return is_optimizer_class(made.dotted)
    name = module.chain(node)
    return bool(_OPTIMIZER.search(name)) and not _NOT_ONE.search(name)


def is_optimizer_class(dotted: str) -> bool:
    """Return whether a full name is that of an optimizer's class."""
    last = dotted.rpartition(".")[2]
    of_torch = dotted.startswith("torch.optim.") and "lr_scheduler" not in dotted
    return last[:1].isupper() and (of_torch or bool(re.search(r"(?:Adam|SGD|Adafactor|Lion|RMSprop)", last)))


def is_scheduler(module: Module, flow: Flow, node: ast.expr) -> bool:
    """Return whether an expression is one of torch's learning rate schedulers."""
    made = flow.only(module, node)
    return made is not None and "lr_scheduler." in made.dotted


def called_functions(module: Module, nodes: Iterable[ast.AST]) -> Iterator[Function]:
    """Yield the functions and methods of this file that some nodes call by name."""
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in module.functions:
            yield module.functions[node.func.id]
        elif isinstance(node.func, ast.Attribute) and module.chain(node.func.value) == "self":
            owner = module.owner(node)
            yield from (
                one
                for one in (owner.body if owner is not None else ())
                if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and one.name == node.func.attr
            )


def reachable(module: Module, body: ast.AST) -> list[ast.AST]:
    """Return the nodes of a body and of the functions of this file that it calls, and those that they call."""
    found: list[ast.AST] = []
    seen: set[ast.AST] = set()
    waiting: list[ast.AST] = [body]
    while waiting:
        here = waiting.pop()
        if here in seen:
            continue
        seen.add(here)
        nodes = list(ast.walk(here))
        found += nodes
        waiting += called_functions(module, nodes)
    return found


def method_calls(nodes: Iterable[ast.AST], *names: str) -> Iterator[ast.Call]:
    """Yield the calls of methods of some names."""
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names:
            yield node


__all__ = [
    "LOOPS",
    "Loop",
    "Training",
    "called_functions",
    "is_optimizer",
    "is_optimizer_class",
    "is_scheduler",
    "is_step",
    "method_calls",
    "own_nodes",
    "reachable",
    "trainings",
]
