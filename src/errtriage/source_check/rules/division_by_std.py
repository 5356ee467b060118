"""A normalisation that divides by a standard deviation which may be 0: a constant channel, a blank image."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errtriage.source_check.flow import Flow
from errtriage.source_check.guards import is_guarded
from errtriage.source_check.module import Module
from errtriage.source_check.rule import Rule, Sighting

_FUNCTIONS = frozenset({"numpy.std", "numpy.nanstd", "torch.std", "numpy.ma.std"})


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    for node in module.nodes:
        parts = _division(module, node)
        if parts is None:
            continue
        numerator, divisor = parts
        if _is_centred(module, numerator) and _is_std(module, flow, divisor) and not is_guarded(module, divisor):
            yield Sighting(node=node, seen="divides by a standard deviation that may be 0")


def _division(module: Module, node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return node.left, node.right
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div):
        return node.target, node.value
    if not isinstance(node, ast.Call):
        return None
    if module.dotted(node.func) in ("torch.div", "torch.divide", "numpy.divide", "numpy.true_divide"):
        return (node.args[0], node.args[1]) if len(node.args) >= 2 else None
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr in ("div", "div_", "divide")
    return (node.func.value, node.args[0]) if is_method and isinstance(node.func, ast.Attribute) and node.args else None


def _is_centred(module: Module, node: ast.expr) -> bool:
    """Return whether a value had something subtracted, here or where its name got it."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Sub)
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        return name in ("sub", "sub_", "subtract")
    if isinstance(node, ast.Name):
        place = ast.Name(id=node.id, ctx=ast.Load())
        scope = module.scope(node)
        bound = module.bindings(scope).get(place.id, [])
        return any(_subtracts(one.statement) for one in bound)
    return False


def _subtracts(statement: ast.AST) -> bool:
    if isinstance(statement, ast.AugAssign):
        return isinstance(statement.op, ast.Sub)
    value = getattr(statement, "value", None)
    return isinstance(value, ast.BinOp) and isinstance(value.op, ast.Sub)


def _is_std(module: Module, flow: Flow, node: ast.expr) -> bool:
    for at in flow.origins(module, node):
        if not isinstance(at.node, ast.Call) or at.element or at.index:
            return False
        name = at.module.dotted(at.node.func)
        is_method = isinstance(at.node.func, ast.Attribute) and at.node.func.attr in ("std", "nanstd") and not name
        if not (is_method or name in _FUNCTIONS):
            return False
    return True


RULE = Rule(
    id="division-by-std",
    message="a constant channel has a standard deviation of 0: add a small epsilon to it",
    check=_check,
    wrong=(
        "x = np.random.randn(100, 3)\nx = (x - x.mean(axis=0)) / x.std(axis=0)\n",
        "x = torch.randn(100, 3)\nx = x.sub(x.mean(0)).div(x.std(0))\n",
        """\
def normalise(image):
    mean, std = image.mean(), image.std()
    image = image - mean
    return image / std
""",
    ),
    right=(
        "x = np.random.randn(100, 3)\nx = (x - x.mean(axis=0)) / (x.std(axis=0) + 1e-8)\n",
        """\
def normalise(image):
    mean, std = image.mean(), image.std()
    std = max(std, 1e-6)
    return (image - mean) / std
""",
        """\
def normalise(x):
    std = x.std(0)
    std[std == 0] = 1.0
    return (x - x.mean(0)) / std
""",
        "mean, std = torch.tensor([0.5]), torch.tensor([0.2])\nx = (torch.randn(3, 1) - mean) / std\n",
    ),
)
