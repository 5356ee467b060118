"""A value taken out of the graph on its way into the loss: what lies before it gets no gradient."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errtriage.source_check.cut_layers import layers_cut_off, models_cut_off
from errtriage.source_check.cuts import cut_of, may_learn
from errtriage.source_check.flow import At, Flow
from errtriage.source_check.losses import ELEMENTWISE, backward_calls, loss_calls, within_no_grad
from errtriage.source_check.module import Module
from errtriage.source_check.rule import Rule, Sighting

_LOSSES = (
    "cross_entropy", "nll_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits", "mse_loss", "l1_loss",
    "smooth_l1_loss", "huber_loss",
)  # fmt: skip


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    for _, loss in backward_calls(module):
        for summand in _summands(module, loss):
            what = cut_of(summand.module, flow, summand.node)
            if what:
                yield Sighting(node=summand.node, seen=f"takes {what} of what becomes the loss", module=summand.module)
    learns = any(True for _ in backward_calls(module))
    for one in loss_calls(module, flow, *_LOSSES):
        if not learns or within_no_grad(module, one.call) or _is_only_shown(module, one.call):
            continue
        for node, what in models_cut_off(module, flow, one):
            yield Sighting(node=node, seen=f"takes {what} of a model's output, so that the model never learns")
        if one.kind in ELEMENTWISE and may_learn(module, flow, one.target):
            continue  # a distance is symmetric: the other side is the one that learns
        for at in flow.steps(module, one.input):
            what = cut_of(at.module, flow, at.node, at.index) if not at.element else ""
            if what and not within_no_grad(at.module, at.node):
                yield Sighting(node=at.node, seen=f"takes {what} of the prediction", module=at.module)
    for node, what in layers_cut_off(module, flow):
        yield Sighting(node=node, seen=f"takes {what} of a layer's output, so that the layer never learns")


def _summands(module: Module, loss: ast.expr) -> Iterator[At]:
    """Yield what is added up to the loss, through names, sums and products with numbers."""
    waiting = [At(module=module, node=loss)]
    seen: set[int] = set()
    while waiting:
        at = waiting.pop()
        if id(at.node) in seen or at.element:
            continue
        seen.add(id(at.node))
        node = at.node
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            waiting += [At(module=at.module, node=node.left), At(module=at.module, node=node.right)]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
            sides = [one for one in (node.left, node.right) if not isinstance(one, ast.Constant)]
            waiting += [At(module=at.module, node=one) for one in sides if len(sides) == 1]
        elif isinstance(node, ast.Name):
            values = [
                one.value
                for one in module.reaching(node)
                if one.value is not None and one.kind in ("assign", "augment")
            ]
            waiting += [At(module=at.module, node=one) for one in values] if at.module is module else []
        else:
            yield at


def _is_only_shown(module: Module, call: ast.Call) -> bool:
    """Return whether a loss is turned into a number at once, so that nothing goes back through it."""
    parent = module.parents.get(call)
    return isinstance(parent, ast.Attribute) and parent.attr in ("item", "detach", "data", "numpy")


_MODEL = """\
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(8, 4), torch.zeros(8).long()
"""

RULE = Rule(
    id="graph-cut",
    message="no gradient passes this: keep tensors as they are until after backward, and detach only what is shown",
    check=_check,
    wrong=(
        _MODEL + "loss = F.cross_entropy(model(x).detach(), y)\nloss.backward()\n",
        _MODEL + "p = model(x).argmax(dim=1)\nloss = F.mse_loss(p.float(), y.float())\nloss.backward()\n",
        _MODEL + "out = torch.tensor(model(x).tolist(), requires_grad=True)\nF.cross_entropy(out, y).backward()\n",
        _MODEL + "_, p = torch.max(model(x), 1)\nloss = F.mse_loss(p.float(), y.float())\nloss.backward()\n",
        """\
encoder, head = nn.Linear(4, 8), nn.Linear(8, 2)
optimizer = torch.optim.Adam([*encoder.parameters(), *head.parameters()])
for x, y in []:
    features = encoder(x).detach()
    loss = F.cross_entropy(head(features), y)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
""",
        _MODEL
        + """\
total = 0.0
for step in range(4):
    total = total + F.cross_entropy(model(x), y).item()
total.backward()
""",
        """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        hidden = self.body(x)
        hidden = torch.tensor(hidden.detach().numpy())
        return self.head(hidden)
""",
    ),
    right=(
        _MODEL
        + """\
loss = F.cross_entropy(model(x), y)
loss.backward()
shown = loss.item()
hits = (model(x).argmax(1) == y).sum().item()
""",
        """\
policy, value = nn.Linear(4, 2), nn.Linear(4, 1)
x, reward = torch.randn(8, 4), torch.randn(8)
advantage = reward - value(x).squeeze(1).detach()
loss = -(F.log_softmax(policy(x), 1)[:, 0] * advantage).mean() + F.mse_loss(value(x).squeeze(1), reward)
loss.backward()
""",
        """\
class Quantize(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        hidden = self.body(x)
        rounded = hidden + (hidden.round() - hidden).detach()
        return self.head(rounded)
""",
        """\
encoder, head = nn.Linear(4, 8), nn.Linear(8, 2)
optimizer = torch.optim.Adam(head.parameters())
for x, y in []:
    loss = F.cross_entropy(head(encoder(x).detach()), y)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
""",
        """\
G, D = nn.Linear(4, 4), nn.Linear(4, 1)
criterion = nn.BCEWithLogitsLoss()
fake = G(torch.randn(8, 4))
loss = criterion(D(fake.detach()), torch.zeros(8, 1))
loss.backward()
""",
    ),
)
