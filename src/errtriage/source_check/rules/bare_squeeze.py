"""A `squeeze()` without a dimension on its way into a loss: a batch of one loses its batch dimension."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from errtriage.source_check.datasets import loader_of
from errtriage.source_check.flow import At, Flow
from errtriage.source_check.losses import BINARY, ELEMENTWISE, loss_calls, within_no_grad
from errtriage.source_check.module import Module
from errtriage.source_check.rule import Rule, Sighting

_LOADER = re.compile(r"load|(?:^|_)dl(?:_|$)|batches|_iter\b", re.IGNORECASE)


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    for loss in loss_calls(module, flow, "cross_entropy", "nll_loss", *ELEMENTWISE, *BINARY):
        if within_no_grad(module, loss.call) or not _has_last_batch(module, flow, loss.call):
            continue
        for side in (loss.input, loss.target):
            for at in flow.steps(module, side):
                if isinstance(at.node, ast.Call) and _is_bare(at.module, at.node):
                    yield Sighting(node=at.node, module=at.module, seen="squeezes every dimension of size 1")


def _has_last_batch(module: Module, flow: Flow, call: ast.Call) -> bool:
    """Return whether a loss is computed for each batch of a loader whose last one may be shorter."""
    for loop in module.enclosing(call, ast.For, ast.AsyncFor):
        if not isinstance(loop, (ast.For, ast.AsyncFor)):
            continue
        for at in flow.origins(module, loop.iter):
            turn = loader_of(flow, At(module=at.module, node=at.node, element=True, index=(0, 0)))
            if turn is not None and isinstance(turn[0].node, ast.Call):
                return not any(one.arg == "drop_last" for one in turn[0].node.keywords)
        if _LOADER.search(ast.unparse(loop.iter)):
            return True
    return False


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
def train(net, train_loader):
    criterion = nn.MSELoss()
    for x, y in train_loader:
        out = net(x).squeeze()
        criterion(out, y).backward()
""",
        """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)

    def forward(self, x):
        return torch.squeeze(self.fc(x))

net = Net()
data = torch.utils.data.TensorDataset(torch.randn(9, 4), torch.ones(9))
for x, y in torch.utils.data.DataLoader(data, batch_size=4):
    loss = F.binary_cross_entropy_with_logits(net(x), y)
""",
    ),
    right=(
        """\
net = nn.Linear(4, 1)
data = torch.utils.data.TensorDataset(torch.randn(9, 4), torch.ones(9))
for x, y in torch.utils.data.DataLoader(data, batch_size=4):
    loss = nn.MSELoss()(net(x).squeeze(-1), y)
    shown = net(x).squeeze()
for x, y in torch.utils.data.DataLoader(data, batch_size=4, drop_last=True):
    loss = nn.MSELoss()(net(x).squeeze(), y)
""",
    ),
)
