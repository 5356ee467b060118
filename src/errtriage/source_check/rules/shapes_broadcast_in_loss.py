"""A prediction (N, 1) against a target (N,): all is compared with all, and only the mean is learnt."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errtriage.source_check.flow import Flow
from errtriage.source_check.losses import ELEMENTWISE, loss_calls, within_no_grad
from errtriage.source_check.module import Module
from errtriage.source_check.rule import Rule, Sighting
from errtriage.source_check.shapes import Shape, shape_of


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    for loss in loss_calls(module, flow, *ELEMENTWISE):
        yield from _compared(module, flow, loss.call, loss.input, loss.target)
    for node in module.nodes:  # a squared or absolute error that was written by hand
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and _is_an_error(module, node):
            yield from _compared(module, flow, node, node.left, node.right)


def _compared(module: Module, flow: Flow, node: ast.AST, left: ast.expr, right: ast.expr) -> Iterator[Sighting]:
    if within_no_grad(module, node):
        return
    one, other = shape_of(module, flow, left), shape_of(module, flow, right)
    if _is_column_against_row(one, other) or _is_column_against_row(other, one):
        yield Sighting(node=node, seen=f"compares {one.words()} with {other.words()}")


def _is_column_against_row(column: Shape, row: Shape) -> bool:
    return row.rank == 1 and row.last != 1 and column.last == 1 and (column.rank or 0) >= 2


def _is_an_error(module: Module, node: ast.BinOp) -> bool:
    """Return whether a difference is squared, or its absolute value taken."""
    parent = module.parents.get(node)
    if isinstance(parent, ast.BinOp):
        return isinstance(parent.op, ast.Pow) and parent.left is node
    if isinstance(parent, ast.Attribute):
        return parent.attr in ("pow", "square", "abs")
    return isinstance(parent, ast.Call) and module.dotted(parent.func) in ("torch.abs", "torch.square", "torch.pow")


RULE = Rule(
    id="shapes-broadcast-in-loss",
    message="make both shapes equal, as by out.view_as(y): unlike ones are broadcast to a matrix",
    check=_check,
    wrong=(
        """\
x, y = torch.randn(100, 3), torch.randn(100)
net = nn.Linear(3, 1)
loss = nn.MSELoss()(net(x), y)
""",
        """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, x):
        return self.layers(x)

net = Net()
data = torch.utils.data.TensorDataset(torch.randn(100, 3), torch.randn(100))
for x, y in torch.utils.data.DataLoader(data, batch_size=10):
    loss = ((net(x) - y) ** 2).mean()
""",
    ),
    right=(
        """\
x, y = torch.randn(100, 3), torch.randn(100)
net = nn.Linear(3, 1)
loss = nn.MSELoss()(net(x).squeeze(1), y) + nn.MSELoss()(net(x), y.unsqueeze(1)) + nn.MSELoss()(net(x), y.view(-1, 1))
""",
        """\
x, y = torch.randn(100, 3), torch.randn(100, 1)
net = nn.Linear(3, 1)
loss = ((net(x) - y) ** 2).mean()
""",
    ),
)
