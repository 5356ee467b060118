"""Where a program computes a loss: which one, from which prediction and which target; and what goes back into it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errtriage.source_check.calls import argument
from errtriage.source_check.flow import At, Flow
from errtriage.source_check.module import FUNCTIONS, Module
from errtriage.values import dataclass

# The short names that rules ask for: the functions of torch.nn.functional.
_CLASSES = {
    "CrossEntropyLoss": "cross_entropy",
    "NLLLoss": "nll_loss",
    "BCELoss": "binary_cross_entropy",
    "BCEWithLogitsLoss": "binary_cross_entropy_with_logits",
    "MSELoss": "mse_loss",
    "L1Loss": "l1_loss",
    "SmoothL1Loss": "smooth_l1_loss",
    "HuberLoss": "huber_loss",
}
_NAMES = {
    **{f"torch.nn.{name}": kind for name, kind in _CLASSES.items()},
    **{f"torch.nn.functional.{kind}": kind for kind in _CLASSES.values()},
}
ELEMENTWISE = frozenset({"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"})
BINARY = frozenset({"binary_cross_entropy", "binary_cross_entropy_with_logits"})

SOFTMAX = frozenset(
    {"torch.softmax", "torch.nn.functional.softmax", "torch.nn.Softmax", "torch.nn.Softmax2d", ".softmax"}
)
LOG_SOFTMAX = frozenset({"torch.log_softmax", "torch.nn.functional.log_softmax", "torch.nn.LogSoftmax", ".log_softmax"})
SIGMOID = frozenset(
    {"torch.sigmoid", "torch.nn.functional.sigmoid", "torch.nn.Sigmoid", ".sigmoid", "torch.special.expit"}
)
# Layers whose outputs are plain scores.
SCORES = frozenset({"torch.nn.Linear", "torch.nn.Conv1d", "torch.nn.Conv2d", "torch.nn.Conv3d", "torch.nn.Bilinear"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LossCall:
    """A call of a loss of `kind` (a name of torch.nn.functional) with its two arguments."""

    call: ast.Call
    kind: str
    input: ast.expr
    target: ast.expr


def loss_calls(module: Module, flow: Flow, *kinds: str) -> Iterator[LossCall]:
    """Yield the calls of losses of some kinds, of functions as well as of objects made before."""
    if module not in flow.kept:
        flow.kept[module] = list(_all_loss_calls(module, flow))
    yield from (one for one in flow.kept[module] if one.kind in kinds)


def _all_loss_calls(module: Module, flow: Flow) -> Iterator[LossCall]:
    for call in module.calls:
        if len(call.args) + len(call.keywords) < 2:
            continue
        kind = _NAMES.get(flow.name(module, call))
        given, target = argument(call, 0, "input"), argument(call, 1, "target")
        if kind is not None and given is not None and target is not None:
            yield LossCall(call=call, kind=kind, input=given, target=target)


def loss_name(kind: str) -> str:
    """Return the name of the class of a loss, as people know it."""
    return next(name for name, one in _CLASSES.items() if one == kind)


def comes_from(module: Module, flow: Flow, value: ast.expr, names: frozenset[str]) -> list[At]:
    """Return the calls that give a value, where every one that can give it is one of `names`; else nothing.

    A layer of a chain is returned as the call that made it, so that a finding points at the layer itself.
    """
    found = []
    for at in flow.origins(module, value):
        if not isinstance(at.node, ast.Call) or at.element or flow.name(at.module, at.node) not in names:
            return []
        layer = None if at.module.dotted(at.node.func) else flow.layer(at.module, at.node)
        found.append(At(module=layer.module, node=layer.call) if layer is not None and layer.dotted else at)
    return found


def backward_calls(module: Module) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Yield the calls that start a backward pass, each with the expression of its loss."""
    for call in module.calls:
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("backward", "manual_backward"):
            continue
        if call.args and module.chain(call.func.value):  # accelerator.backward(loss), but loss.backward() without any
            yield call, call.args[0]
        elif isinstance(call.func.value, ast.Call) and call.func.value.args and _is_scaling(call.func.value):
            yield call, call.func.value.args[0]
        elif not call.args:
            yield call, call.func.value


def _is_scaling(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in ("scale", "scale_loss")


def within_no_grad(module: Module, node: ast.AST) -> bool:
    """Return whether a node stands in a block or function whose results are kept out of the graph."""
    for one in module.above(node):
        if isinstance(one, (ast.With, ast.AsyncWith)):
            if any(is_no_grad(module, item.context_expr) for item in one.items):
                return True
        elif isinstance(one, FUNCTIONS) and any(is_no_grad(module, decorator) for decorator in one.decorator_list):
            return True
    return False


def is_no_grad(module: Module, node: ast.expr) -> bool:
    """Return whether an expression is `torch.no_grad` or `torch.inference_mode`, called or not."""
    called = node.func if isinstance(node, ast.Call) else node
    return module.dotted(called) in ("torch.no_grad", "torch.inference_mode", "torch.autograd.no_grad")
