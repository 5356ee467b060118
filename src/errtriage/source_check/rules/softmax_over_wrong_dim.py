"""A softmax over the batch: rows of a batch share one sum of 1, so that each sample depends on its neighbours."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errtriage.source_check.calls import argument
from errtriage.source_check.flow import Flow
from errtriage.source_check.losses import LOG_SOFTMAX, SCORES, SOFTMAX, comes_from
from errtriage.source_check.module import FUNCTIONS, Module
from errtriage.source_check.rule import Rule, Sighting

_ALL = SOFTMAX | LOG_SOFTMAX


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    for call in module.calls:
        name = flow.name(module, call)
        if name not in _ALL or name.rpartition(".")[2] == "Softmax2d":
            continue
        given = call.args[0] if call.args else None
        if name.startswith(".") and isinstance(call.func, ast.Attribute):
            given, dim = call.func.value, argument(call, 0, "dim")
        elif name.startswith("torch.nn.") and not name.startswith("torch.nn.functional."):
            layer = flow.layer(module, call)
            dim = argument(layer.call, 0, "dim") if layer is not None else None
        else:
            dim = argument(call, 1, "dim")
        if given is None or not isinstance(dim, ast.Constant) or dim.value != 0 or dim.value is False:
            continue
        if _is_returned(module, call) and _is_scored_batch(module, flow, given):
            yield Sighting(node=call, seen="takes the softmax over the batch (dim=0)")


def _is_returned(module: Module, call: ast.Call) -> bool:
    """Return whether the result is what a `forward` returns, directly or by a name."""
    function = module.function(call)
    if not isinstance(function, FUNCTIONS) or function.name != "forward":
        return False
    parent = module.parents.get(call)
    if isinstance(parent, ast.Return):
        return True
    names = [target.id for target in getattr(parent, "targets", []) if isinstance(target, ast.Name)]
    given = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    return any(isinstance(one, ast.Name) and one.id in names for one in given)


def _is_scored_batch(module: Module, flow: Flow, given: ast.expr) -> bool:
    for at in comes_from(module, flow, given, SCORES):
        outputs = argument(at.node, 1, "out_features") if isinstance(at.node, ast.Call) else None
        # One score for each of several rows is attention over them.
        return not (isinstance(outputs, ast.Constant) and outputs.value == 1)
    return False


RULE = Rule(
    id="softmax-over-wrong-dim",
    message="dim=0 is the batch: use dim=1 or dim=-1 for the classes",
    check=_check,
    wrong=(
        """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 10)

    def forward(self, x):
        return F.log_softmax(self.fc(x), dim=0)
""",
    ),
    right=(
        """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 10)

    def forward(self, x):
        return F.log_softmax(self.fc(x), dim=1)
""",
        """\
class Pool(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(4, 1)

    def forward(self, h):
        weights = F.softmax(self.score(h), dim=0)
        return (weights * h).sum(0)
""",
    ),
)
