"""A `squeeze()` without a dimension on its way into a loss: a batch of one loses its batch dimension."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errtriage.source_check.flow import Flow
from errtriage.source_check.losses import BINARY, ELEMENTWISE, loss_calls, within_no_grad
from errtriage.source_check.module import Module
from errtriage.source_check.rule import Rule, Sighting


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    for loss in loss_calls(module, flow, "cross_entropy", "nll_loss", *ELEMENTWISE, *BINARY):
        if within_no_grad(module, loss.call):
            continue
        for side in (loss.input, loss.target):
            for at in flow.steps(module, side):
                if isinstance(at.node, ast.Call) and _is_bare(at.module, at.node):
                    yield Sighting(node=at.node, module=at.module, seen="squeezes every dimension of size 1")


def _is_bare(module: Module, call: ast.Call) -> bool:
    if module.dotted(call.func) == "torch.squeeze":
        return len(call.args) == 1 and not call.keywords
    is_method = isinstance(call.func, ast.Attribute) and call.func.attr == "squeeze" and not module.dotted(call.func)
    return is_method and not call.args and not call.keywords


RULE = Rule(
    id="bare-squeeze",
    message="name the dimension: squeeze() also drops a batch of one, and the shapes of output and target part",
    check=_check,
    wrong=(
        """\
net = nn.Linear(4, 1)
out = net(torch.randn(8, 4)).squeeze()
loss = nn.MSELoss()(out, torch.randn(8))
""",
        """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)

    def forward(self, x):
        return torch.squeeze(self.fc(x))

loss = F.binary_cross_entropy_with_logits(Net()(torch.randn(8, 4)), torch.ones(8))
""",
    ),
    right=(
        """\
net = nn.Linear(4, 1)
loss = nn.MSELoss()(net(torch.randn(8, 4)).squeeze(-1), torch.randn(8))
shown = net(torch.randn(8, 4)).squeeze()
""",
    ),
)
