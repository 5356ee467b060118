"""An evaluation without `eval()`: dropout goes on, and batch norm uses the batch; no_grad stops neither."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from errtriage.source_check.flow import Flow
from errtriage.source_check.loops import LOOPS, method_calls, reachable, trainings
from errtriage.source_check.losses import is_no_grad
from errtriage.source_check.modes import changes_with_mode
from errtriage.source_check.module import FUNCTIONS, Module
from errtriage.source_check.rule import Rule, Sighting

# What tells that a result is an evaluation: the names that surround it.
_EVALUATION = re.compile(
    r"val(?:id|_|s?$|\b)|test|eval|(?:^|_)dev(?:_|$)|acc|correct|metric|predict|infer", re.IGNORECASE
)


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    learns = any(True for _ in trainings(module, flow)) or any(
        True for _ in method_calls(module.nodes, "load_state_dict")
    )
    if not learns:
        return
    for region in _regions(module):
        if _switches(_around(module, region)) or not _is_evaluation(module, region):
            continue
        for call in _first_calls(module, region):
            if changes_with_mode(module, flow, call.func):
                yield Sighting(node=call, seen="evaluates a model that is still in train mode")
                break


def _around(module: Module, region: ast.AST) -> list[ast.AST]:
    """Return where a switch of the mode would stand: the loop that trains and evaluates, else the whole file."""
    function = region if isinstance(region, FUNCTIONS) else module.function(region)
    calls = module.calls_of(function) if isinstance(function, FUNCTIONS) else []
    loops = [loop for place in (region, *calls) for loop in module.enclosing(place, *LOOPS)]
    for loop in reversed(loops):
        nodes = reachable(module, loop)
        if any(True for _ in method_calls(nodes, "backward")):
            before = [node for node in module.nodes if getattr(node, "lineno", 0) < getattr(loop, "lineno", 0)]
            return [*nodes, *before]
    return module.nodes


def _switches(nodes: Iterable[ast.AST]) -> bool:
    """Return whether some node puts anything at all in eval mode."""
    for call in method_calls(nodes, "eval", "train"):
        if isinstance(call.func, ast.Attribute) and (call.func.attr == "eval" or call.args or call.keywords):
            return True
    return False


def _regions(module: Module) -> Iterator[ast.AST]:
    for node in module.nodes:
        if isinstance(node, (ast.With, ast.AsyncWith)):
            if any(is_no_grad(module, item.context_expr) for item in node.items):
                yield node
        elif isinstance(node, FUNCTIONS) and any(is_no_grad(module, one) for one in node.decorator_list):
            yield node


def _is_evaluation(module: Module, region: ast.AST) -> bool:
    function = region if isinstance(region, FUNCTIONS) else module.function(region)
    names = {function.name} if isinstance(function, FUNCTIONS) else set()
    names |= {node.id for node in ast.walk(region) if isinstance(node, ast.Name)}
    return any(_EVALUATION.search(name) for name in names)


def _first_calls(module: Module, region: ast.AST) -> Iterator[ast.Call]:
    calls = [node for node in ast.walk(region) if isinstance(node, ast.Call) and module.chain(node.func)]
    yield from sorted(calls, key=lambda call: (call.lineno, call.col_offset))


_MODEL = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))

    def forward(self, x):
        return self.layers(x)

model = Net()
optimizer = torch.optim.Adam(model.parameters())
"""
_TRAIN = """\
for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
"""

RULE = Rule(
    id="eval-mode-missing",
    message="call model.eval() before the evaluation and model.train() after it: no_grad does not replace it",
    check=_check,
    wrong=(
        _MODEL
        + "train_loader, val_loader = [], []\n"
        + _TRAIN
        + """\
    with torch.no_grad():
        for x, y in val_loader:
            correct = (model(x).argmax(1) == y).sum()
""",
        _MODEL
        + """\
@torch.no_grad()
def evaluate(net, loader):
    return sum(F.cross_entropy(net(x), y).item() for x, y in loader)

train_loader = []
"""
        + _TRAIN
        + "    print(evaluate(model, []))\n",
        _MODEL
        + "train_loader, val_loader, test_loader = [], [], []\n"
        + _TRAIN
        + """\
    with torch.no_grad():
        for x, y in val_loader:
            correct = (model(x).argmax(1) == y).sum()
model.eval()
with torch.no_grad():
    for x, y in test_loader:
        correct = (model(x).argmax(1) == y).sum()
""",
    ),
    right=(
        _MODEL
        + "train_loader, test_loader = [], []\n"
        + _TRAIN
        + """\
model.eval()
with torch.no_grad():
    for x, y in test_loader:
        correct = (model(x).argmax(1) == y).sum()
""",
        _MODEL
        + "train_loader, val_loader = [], []\n"
        + _TRAIN
        + """\
    model.eval()
    with torch.no_grad():
        for x, y in val_loader:
            correct = (model(x).argmax(1) == y).sum()
    model.train()
""",
        """\
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = torch.optim.Adam(model.parameters())
train_loader, val_loader = [], []
"""
        + _TRAIN
        + """\
    with torch.no_grad():
        for x, y in val_loader:
            correct = (model(x).argmax(1) == y).sum()
""",
    ),
)
