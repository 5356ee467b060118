"""A root of a variance or of a sum of squares that may be 0: the gradient of sqrt at 0 is infinite."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errtriage.source_check.flow import At, Flow
from errtriage.source_check.guards import is_guarded
from errtriage.source_check.losses import within_no_grad
from errtriage.source_check.module import FUNCTIONS, Module
from errtriage.source_check.rule import Rule, Sighting

_IN_A_LOSS = ("forward", "training_step", "loss", "norm", "sample", "distance", "standard", "whiten", "rescale")


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    if not any(name.split(".")[0] == "torch" for name in module.imports.values()):
        return
    for node in module.nodes:
        under = _under_root(module, node)
        if under is None or within_no_grad(module, node) or _is_only_shown(module, node) or is_guarded(module, under):
            continue
        found = flow.origins(module, under)
        if found and all(_may_be_zero(at) for at in found) and _is_differentiated(module, node):
            yield Sighting(node=node, seen="takes the root of a variance that may be 0")


def _under_root(module: Module, node: ast.AST) -> ast.expr | None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return node.left if isinstance(node.right, ast.Constant) and node.right.value == 0.5 else None
    if not isinstance(node, ast.Call):
        return None
    if module.dotted(node.func) == "torch.sqrt" and node.args:
        return node.args[0]
    if (
        isinstance(node.func, ast.Attribute)
        and node.func.attr == "sqrt"
        and not node.args
        and not module.dotted(node.func)
    ):
        return node.func.value
    return None


def _may_be_zero(at: At) -> bool:
    """Return whether a value is a variance, a sum or mean of squares along a dimension, or cut off at 0."""
    node = at.node
    if not isinstance(node, ast.Call) or at.element or at.index:
        return False
    name = at.module.dotted(node.func)
    method = node.func.attr if isinstance(node.func, ast.Attribute) and not name else ""
    if method == "var" or name in ("torch.var", "torch.relu", "torch.nn.functional.relu") or method == "relu":
        return True
    summed = node.func.value if method in ("sum", "mean") and isinstance(node.func, ast.Attribute) else None
    if name in ("torch.sum", "torch.mean") and node.args:
        summed = node.args[0]
    along = len(node.args) + len(node.keywords) >= (1 if method else 2)
    return summed is not None and along and _is_square(at.module, summed)


def _is_square(module: Module, node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Constant) and node.right.value == 2
    if not isinstance(node, ast.Call):
        return False
    name = module.dotted(node.func)
    method = node.func.attr if isinstance(node.func, ast.Attribute) and not name else name.removeprefix("torch.")
    return method == "square" or (
        method == "pow" and any(isinstance(one, ast.Constant) and one.value == 2 for one in node.args)
    )


def _is_only_shown(module: Module, node: ast.AST) -> bool:
    parent = module.parents.get(node)
    return isinstance(parent, ast.Attribute) and parent.attr in ("item", "detach", "numpy", "data")


def _is_differentiated(module: Module, node: ast.AST) -> bool:
    """Return whether a root can be part of a loss: in a forward pass, a loss function, or beside a backward."""
    for one in module.above(node):
        if isinstance(one, FUNCTIONS):
            words = one.name.lower()
            if any(word in words for word in _IN_A_LOSS):
                return True
            return any(isinstance(call, ast.Attribute) and call.attr == "backward" for call in ast.walk(one))
    return any(isinstance(call, ast.Attribute) and call.attr == "backward" for call in module.nodes)


RULE = Rule(
    id="sqrt-without-epsilon",
    message="the gradient of sqrt at 0 is infinite: add a small epsilon inside the root",
    check=_check,
    wrong=(
        """\
class Norm(nn.Module):
    def forward(self, x):
        variance = x.var(dim=-1, keepdim=True)
        return (x - x.mean(-1, keepdim=True)) / (torch.sqrt(variance) + 1e-5)
""",
        """\
def contrastive_loss(a, b):
    distance = ((a - b) ** 2).sum(dim=1).sqrt()
    return distance.mean()
""",
    ),
    right=(
        """\
class Norm(nn.Module):
    def forward(self, x):
        variance = x.var(dim=-1, keepdim=True)
        return (x - x.mean(-1, keepdim=True)) / torch.sqrt(variance + 1e-5)
""",
        """\
def contrastive_loss(a, b):
    return ((a - b) ** 2).sum(dim=1).clamp(min=1e-12).sqrt().mean()
""",
        """\
def report(errors):
    with torch.no_grad():
        return torch.sqrt((errors ** 2).mean(dim=0))
""",
    ),
)
