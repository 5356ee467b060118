"""NLLLoss on probabilities or plain scores: the loss is negative and falls without end."""

from __future__ import annotations

from collections.abc import Iterator

from errtriage.source_check.flow import Flow
from errtriage.source_check.losses import SCORES, SOFTMAX, comes_from, loss_calls
from errtriage.source_check.module import Module
from errtriage.source_check.rule import Rule, Sighting


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    for loss in loss_calls(module, flow, "nll_loss"):
        for names, what in ((SOFTMAX, "probabilities"), (SCORES, "plain scores")):
            if comes_from(module, flow, loss.input, names):
                yield Sighting(node=loss.call, seen=f"gives NLLLoss {what}")


RULE = Rule(
    id="nll-without-log-softmax",
    message="NLLLoss wants log-probabilities: put log_softmax before it, or use cross entropy on the logits",
    check=_check,
    wrong=(
        """\
model = nn.Sequential(nn.Linear(4, 10), nn.Softmax(dim=1))
loss = nn.NLLLoss()(model(torch.randn(8, 4)), torch.randint(0, 10, (8,)))
""",
        """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 10)

    def forward(self, x):
        return self.head(x)

loss = F.nll_loss(Net()(torch.randn(8, 4)), torch.randint(0, 10, (8,)))
""",
    ),
    right=(
        """\
model = nn.Linear(4, 10)
loss = F.nll_loss(F.log_softmax(model(torch.randn(8, 4)), dim=1), torch.randint(0, 10, (8,)))
""",
        """\
model = nn.Linear(4, 10)
loss = F.nll_loss(torch.log(F.softmax(model(torch.randn(8, 4)), dim=1) + 1e-9), torch.randint(0, 10, (8,)))
""",
    ),
)
