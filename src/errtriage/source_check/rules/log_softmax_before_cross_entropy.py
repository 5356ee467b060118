"""A log_softmax in front of a loss that applies one itself: the same result at twice the work."""

from __future__ import annotations

from collections.abc import Iterator

from errtriage.source_check.flow import Flow
from errtriage.source_check.losses import LOG_SOFTMAX, comes_from, loss_calls
from errtriage.source_check.module import Module
from errtriage.source_check.rule import Rule, Sighting


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    for loss in loss_calls(module, flow, "cross_entropy"):
        for at in comes_from(module, flow, loss.input, LOG_SOFTMAX):
            yield Sighting(node=at.node, module=at.module, seen="takes a log_softmax that cross entropy repeats")


RULE = Rule(
    id="log-softmax-before-cross-entropy",
    message="cross entropy applies log_softmax itself, so this one changes nothing: drop it, or use NLLLoss",
    check=_check,
    wrong=(
        """\
model = nn.Sequential(nn.Linear(4, 10), nn.LogSoftmax(dim=1))
loss = F.cross_entropy(model(torch.randn(8, 4)), torch.randint(0, 10, (8,)))
""",
    ),
    right=(
        """\
model = nn.Sequential(nn.Linear(4, 10), nn.LogSoftmax(dim=1))
loss = F.nll_loss(model(torch.randn(8, 4)), torch.randint(0, 10, (8,)))
""",
    ),
)
