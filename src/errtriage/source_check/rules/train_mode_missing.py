"""A training that goes on in eval mode: `eval()` is called in the epoch loop, and nothing calls `train()` again."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errtriage.source_check.flow import Flow
from errtriage.source_check.loops import LOOPS, is_optimizer_class, method_calls, reachable, trainings
from errtriage.source_check.module import Module
from errtriage.source_check.rule import Rule, Sighting


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    if any(not call.args or _is_true(call.args[0]) for call in method_calls(module.nodes, "train")):
        return  # somewhere the mode is switched back; from where, one file can not always show
    for training in trainings(module, flow):
        for loop in (training.body, *module.enclosing(training.body, *LOOPS)):
            if not isinstance(loop, LOOPS):
                continue
            trained = _trained(module, flow)
            for call in method_calls(reachable(module, loop), "eval"):
                if isinstance(call.func, ast.Attribute) and _maker(module, flow, call.func.value) in trained:
                    yield Sighting(node=call, seen="leaves the model in eval mode for the rest of the training")


def _is_true(node: ast.expr) -> bool:
    return not (isinstance(node, ast.Constant) and node.value is False)


def _trained(module: Module, flow: Flow) -> set[int]:
    """Return what made the models whose parameters an optimizer is given."""
    optimizers = [call for call in module.calls if is_optimizer_class(module.dotted(call.func))]
    inside = [node for call in optimizers for node in ast.walk(call)]
    return {_maker(module, flow, call.func.value) for call in method_calls(inside, "parameters")} - {0}  # type: ignore[attr-defined]


def _maker(module: Module, flow: Flow, node: ast.expr) -> int:
    made = flow.only(module, node) if not module.dotted(node) else None
    is_model = made is not None and (made.owner is not None or made.dotted.startswith(("torch.nn.", "torchvision.")))
    return id(made.call) if made is not None and is_model else 0


_HEAD = """\
model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
optimizer = torch.optim.Adam(model.parameters())

def validate(net, loader):
    net.eval()
    with torch.no_grad():
        return sum((net(x).argmax(1) == y).sum() for x, y in loader)

for epoch in range(3):
"""
_STEP = """\
    for x, y in []:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
    print(validate(model, []))
"""

RULE = Rule(
    id="train-mode-missing",
    message="call model.train() at the start of every epoch: after eval() dropout is off and batch norm frozen",
    check=_check,
    wrong=(_HEAD + _STEP,),
    right=(
        _HEAD + "    model.train()\n" + _STEP,
        """\
teacher = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5))
model = nn.Linear(4, 8)
optimizer = torch.optim.Adam(model.parameters())
for x in []:
    teacher.eval()
    with torch.no_grad():
        wanted = teacher(x)
    optimizer.zero_grad()
    F.mse_loss(model(x), wanted).backward()
    optimizer.step()
""",
    ),
)
