"""Probabilities in place of logits: a softmax in front of a loss that applies one itself."""

from __future__ import annotations

from collections.abc import Iterator

from errtriage.source_check.flow import Flow
from errtriage.source_check.losses import SOFTMAX, comes_from, loss_calls
from errtriage.source_check.module import Module
from errtriage.source_check.rule import Rule, Sighting


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    for loss in loss_calls(module, flow, "cross_entropy"):
        for at in comes_from(module, flow, loss.input, SOFTMAX):
            seen = (
                f"ends in Softmax, and cross entropy at line {loss.call.lineno} of {module.path.name} applies another"
            )
            yield Sighting(node=at.node, module=at.module, seen=seen)


RULE = Rule(
    id="softmax-before-cross-entropy",
    message="cross entropy applies softmax itself: give it the logits",
    check=_check,
    wrong=(
        """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 10)

    def forward(self, x):
        return F.softmax(self.fc(x), dim=1)

def train(model, x, y):
    criterion = nn.CrossEntropyLoss()
    return criterion(model(x), y)

train(Net().to("cpu"), torch.randn(8, 4), torch.randint(0, 10, (8,)))
""",
        """\
model = nn.Sequential(nn.Linear(4, 10), nn.Softmax(dim=-1))
probabilities = model(torch.randn(8, 4))
loss = F.cross_entropy(probabilities, torch.randint(0, 10, (8,)))
""",
    ),
    right=(
        """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 10)

    def forward(self, x):
        return self.fc(x)

model = Net()
logits = model(torch.randn(8, 4))
loss = nn.CrossEntropyLoss()(logits, torch.randint(0, 10, (8,)))
shown = F.softmax(logits, dim=1)
""",
    ),
)
