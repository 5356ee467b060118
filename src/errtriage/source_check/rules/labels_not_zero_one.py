"""Targets outside of 0 to 1 into a binary cross entropy: the loss has no least value, or an assertion ends the run."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errtriage.source_check.datasets import values
from errtriage.source_check.flow import At, Flow
from errtriage.source_check.losses import BINARY, loss_calls
from errtriage.source_check.module import Module
from errtriage.source_check.rule import Rule, Sighting


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    for loss in loss_calls(module, flow, *BINARY):
        found = values(module, flow, loss.target)
        said = {_outside(at) for at in found}
        overwritten = _overwritten(module, flow, loss.target)
        if overwritten is not None:
            yield Sighting(node=overwritten, seen="makes binary targets of -1 and 1")
        elif found and len(said) == 1 and "" not in said:
            yield Sighting(node=found[0].node, module=found[0].module, seen=f"makes binary targets {said.pop()}")


def _overwritten(module: Module, flow: Flow, target: ast.expr) -> ast.AST | None:
    """Return the statement that puts -1 into some places of a target: `y[y == 0] = -1`."""
    names = {at.node.id for at in flow.steps(module, target) if isinstance(at.node, ast.Name) and at.module is module}
    for node in module.nodes:
        if isinstance(node, ast.Assign) and _constant(node.value) == -1:
            for one in node.targets:
                if isinstance(one, ast.Subscript) and isinstance(one.value, ast.Name) and one.value.id in names:
                    return node
    return None


def _outside(at: At) -> str:
    """Return in words what the values are where some lie outside of 0 to 1; "" where they may not."""
    node = at.node
    if at.element or at.index:
        return ""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and _is_number(node.right, 1):
        product = node.left
        doubled = isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult)
        if isinstance(product, ast.BinOp) and doubled and (_is_number(product.left, 2) or _is_number(product.right, 2)):
            return "of -1 and 1"
    if not isinstance(node, ast.Call):
        return ""
    name = at.module.dotted(node.func)
    if name in ("torch.sign", "numpy.sign", "torch.sgn"):
        return "of -1 and 1"
    if isinstance(node.func, ast.Attribute) and node.func.attr == "sign" and not name:
        return "of -1 and 1"
    if name in ("torch.where", "numpy.where") and len(node.args) == 3:
        chosen = [_constant(one) for one in node.args[1:]]
        return _range([one for one in chosen if one is not None]) if None not in chosen else ""
    if node.args and isinstance(node.args[0], (ast.ListComp, ast.GeneratorExp)):
        each = node.args[0].elt
        chosen = [_constant(one) for one in (each.body, each.orelse)] if isinstance(each, ast.IfExp) else [None]
        return _range([one for one in chosen if one is not None]) if None not in chosen else ""
    if node.args and isinstance(node.args[0], (ast.List, ast.Tuple)):
        listed = [_constant(one) for one in ast.walk(node.args[0]) if isinstance(one, (ast.Constant, ast.UnaryOp))]
        inner = [_constant(one.operand) for one in ast.walk(node.args[0]) if isinstance(one, ast.UnaryOp)]
        kept = [one for one in listed if one is not None]
        for one in inner:  # the number behind a minus sign is walked over as well
            if one is not None and one in kept:
                kept.remove(one)
        return _range(kept) if None not in listed else ""
    return ""


def _range(numbers: list[float]) -> str:
    if not numbers or (min(numbers) >= 0 and max(numbers) <= 1):
        return ""
    return f"between {min(numbers):g} and {max(numbers):g}"


def _constant(node: ast.AST) -> float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _constant(node.operand)
        return -value if value is not None else None
    if isinstance(node, ast.Call) and node.args:  # torch.tensor(1.0)
        return _constant(node.args[0])
    return float(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) else None


def _is_number(node: ast.AST, number: float) -> bool:
    return _constant(node) == number


RULE = Rule(
    id="labels-not-zero-one",
    message="a binary cross entropy takes targets of 0 and 1: map them first, as by (y + 1) / 2",
    check=_check,
    wrong=(
        """\
net = nn.Linear(4, 1)
y = torch.tensor([[-1.0], [1.0], [1.0]])
loss = nn.BCEWithLogitsLoss()(net(torch.randn(3, 4)), y)
""",
        """\
x = torch.randn(100, 4)
y = torch.sign(x[:, 0])
data = torch.utils.data.TensorDataset(x, y)
for x, y in torch.utils.data.DataLoader(data, batch_size=10):
    F.binary_cross_entropy_with_logits(x.sum(1), y.float())
""",
        "y = 2 * torch.randint(0, 2, (8,)) - 1\nloss = F.binary_cross_entropy_with_logits(torch.randn(8), y.float())\n",
    ),
    right=(
        "y = torch.tensor([0.0, 1.0, 1.0])\nloss = F.binary_cross_entropy_with_logits(torch.randn(3), y)\n",
        "y = (torch.sign(torch.randn(8)) + 1) / 2\nloss = F.binary_cross_entropy_with_logits(torch.randn(8), y)\n",
        "y = torch.sign(torch.randn(8))\nloss = F.mse_loss(torch.randn(8), y)\n",
    ),
)
