"""A training loader that gives its samples in the same order in every epoch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errtriage.source_check.calls import argument
from errtriage.source_check.datasets import LOADER, TENSORS, loader_of
from errtriage.source_check.flow import At, Flow
from errtriage.source_check.loops import LOOPS, trainings
from errtriage.source_check.module import Module
from errtriage.source_check.rule import Rule, Sighting

_ORDERED = ("sampler", "batch_sampler")


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    for training in trainings(module, flow):
        for loop in (training.body, *module.enclosing(training.body, *LOOPS)):
            if not isinstance(loop, (ast.For, ast.AsyncFor)):
                continue
            for at in flow.origins(module, loop.iter):
                turn = loader_of(flow, At(module=at.module, node=at.node, element=True))
                if (
                    turn is not None
                    and isinstance(turn[0].node, ast.Call)
                    and _is_ordered(flow, turn[0].module, turn[0].node)
                ):
                    yield Sighting(
                        node=turn[0].node, module=turn[0].module, seen="feeds a training loop in one fixed order"
                    )


def _is_ordered(flow: Flow, module: Module, loader: ast.Call) -> bool:
    """Return whether a loader is sure not to shuffle a data set that is sure to have an order of its own."""
    if module.dotted(loader.func) != LOADER or any(one.arg is None or one.arg in _ORDERED for one in loader.keywords):
        return False
    shuffle, size = argument(loader, 2, "shuffle"), argument(loader, 1, "batch_size")
    if not (shuffle is None or (isinstance(shuffle, ast.Constant) and shuffle.value is False)):
        return False
    if len(loader.args) > 3 or (isinstance(size, ast.Call) and getattr(size.func, "id", "") == "len"):
        return False  # one batch of all samples has no order
    data = argument(loader, 0, "dataset")
    made = flow.only(module, data) if data is not None else None
    return made is not None and (made.dotted == TENSORS or made.dotted.startswith("torchvision.datasets."))


RULE = Rule(
    id="shuffle-missing",
    message="pass shuffle=True for training: sorted labels make every batch one class",
    check=_check,
    wrong=(
        """\
from torch.utils.data import DataLoader, TensorDataset
data = TensorDataset(torch.randn(100, 4), torch.arange(100) // 50)
loader = DataLoader(data, batch_size=10)
model = nn.Linear(4, 2)
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
""",
    ),
    right=(
        """\
from torch.utils.data import DataLoader, TensorDataset
data = TensorDataset(torch.randn(100, 4), torch.arange(100) // 50)
train, test = DataLoader(data, batch_size=10, shuffle=True), DataLoader(data, batch_size=10)
model = nn.Linear(4, 2)
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(3):
    for x, y in train:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
    for x, y in test:
        print((model(x).argmax(1) == y).sum())
""",
    ),
)
