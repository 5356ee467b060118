"""Probabilities in place of logits: a sigmoid in front of a loss that applies one itself."""

from __future__ import annotations

from collections.abc import Iterator

from errtriage.source_check.flow import Flow
from errtriage.source_check.losses import SIGMOID, comes_from, loss_calls
from errtriage.source_check.module import Module
from errtriage.source_check.rule import Rule, Sighting


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    for loss in loss_calls(module, flow, "binary_cross_entropy_with_logits"):
        for at in comes_from(module, flow, loss.input, SIGMOID):
            seen = f"ends in a sigmoid, and the loss at line {loss.call.lineno} of {module.path.name} applies another"
            yield Sighting(node=at.node, module=at.module, seen=seen)


RULE = Rule(
    id="sigmoid-before-bce-with-logits",
    message="BCEWithLogitsLoss applies the sigmoid itself: give it the logits",
    check=_check,
    wrong=(
        """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)
        self.act = nn.Sigmoid()

    def forward(self, x):
        x = self.fc(x)
        return self.act(x)

net = Net()
out = net(torch.randn(8, 4)).squeeze(1)
loss = nn.BCEWithLogitsLoss()(out, torch.ones(8))
""",
    ),
    right=(
        """\
net = nn.Linear(4, 1)
out = net(torch.randn(8, 4)).squeeze(1)
loss = nn.BCEWithLogitsLoss()(out, torch.ones(8))
probability = torch.sigmoid(out)
""",
        """\
net = nn.Sequential(nn.Linear(4, 1), nn.Sigmoid())
loss = nn.BCELoss()(net(torch.randn(8, 4)), torch.ones(8, 1))
""",
    ),
)
