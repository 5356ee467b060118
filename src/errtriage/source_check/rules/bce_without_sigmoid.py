"""BCELoss on plain scores: the first value outside of 0 to 1 ends the run, on the GPU with a device-side assertion."""

from __future__ import annotations

from collections.abc import Iterator

from errtriage.source_check.flow import Flow
from errtriage.source_check.losses import SCORES, comes_from, loss_calls
from errtriage.source_check.module import Module
from errtriage.source_check.rule import Rule, Sighting


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    for loss in loss_calls(module, flow, "binary_cross_entropy"):
        if comes_from(module, flow, loss.input, SCORES):
            yield Sighting(node=loss.call, seen="gives BCELoss plain scores")


RULE = Rule(
    id="bce-without-sigmoid",
    message="BCELoss wants probabilities: use BCEWithLogitsLoss on these scores, or put a sigmoid before it",
    check=_check,
    wrong=(
        """\
net = nn.Linear(4, 1)
loss = nn.BCELoss()(net(torch.randn(8, 4)), torch.ones(8, 1))
""",
    ),
    right=(
        """\
net = nn.Linear(4, 1)
loss = nn.BCELoss()(torch.sigmoid(net(torch.randn(8, 4))), torch.ones(8, 1))
""",
        """\
net = nn.Linear(4, 1)
loss = nn.BCEWithLogitsLoss()(net(torch.randn(8, 4)), torch.ones(8, 1))
""",
    ),
)
