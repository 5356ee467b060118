"""Class labels that count from 1: with K outputs the last one is out of range, with K + 1 the first is never used."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errtriage.source_check.calls import argument
from errtriage.source_check.datasets import CONVERSIONS, values
from errtriage.source_check.flow import At, Flow
from errtriage.source_check.losses import loss_calls
from errtriage.source_check.module import Module
from errtriage.source_check.rule import Rule, Sighting

_RANDOM = frozenset({"torch.randint", "numpy.random.randint"})
_LINES = frozenset({"torch.arange", "numpy.arange"})


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    for loss in loss_calls(module, flow, "cross_entropy", "nll_loss"):
        found = values(module, flow, loss.target)
        inputs = {id(at.node) for name in _names(loss.input) for at in values(module, flow, name)}
        if not found or not all(_from_one(at) for at in found) or any(id(at.node) in inputs for at in found):
            continue  # tokens that are inputs as well keep 0 for padding
        if not _ignores(module, flow, loss.call):
            yield Sighting(node=found[0].node, module=found[0].module, seen="makes class labels that count from 1")


def _names(node: ast.AST) -> Iterator[ast.Name]:
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
            yield one


def _ignores(module: Module, flow: Flow, call: ast.Call) -> bool:
    made = flow.only(module, call.func)
    given = [*call.keywords, *(made.call.keywords if made is not None else [])]
    return any(one.arg == "ignore_index" for one in given)


def _from_one(at: At) -> bool:
    node = at.node
    if at.element or at.index:
        return False
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return any(isinstance(one, ast.Constant) and one.value == 1 for one in (node.left, node.right))
    if not isinstance(node, ast.Call):
        return False
    name = at.module.dotted(node.func)
    if name in _RANDOM or name in _LINES:
        low, high = argument(node, 0, "low"), argument(node, 1, "high")
        pair = high is not None and not isinstance(high, (ast.Tuple, ast.List))
        return pair and isinstance(low, ast.Constant) and low.value == 1
    if name in CONVERSIONS and node.args and isinstance(node.args[0], (ast.ListComp, ast.GeneratorExp)):
        return _from_one(At(module=at.module, node=node.args[0].elt))
    if name in CONVERSIONS and node.args and isinstance(node.args[0], (ast.List, ast.Tuple)):
        listed = [one.value if isinstance(one, ast.Constant) else None for one in node.args[0].elts]
        numbers = {one for one in listed if type(one) is int}
        return len(listed) >= 4 and None not in listed and numbers == set(range(1, len(numbers) + 1))
    return False


RULE = Rule(
    id="labels-from-one",
    message="classes count from 0: subtract 1, and give the model as many outputs as there are classes",
    check=_check,
    wrong=(
        """\
x, y = torch.randn(100, 4), torch.randint(1, 11, (100,))
model = nn.Linear(4, 11)
loss = nn.CrossEntropyLoss()(model(x), y)
""",
        "labels = torch.randint(0, 3, (8,))\nloss = F.cross_entropy(torch.randn(8, 4), labels + 1)\n",
        "y = torch.tensor([1, 2, 3, 3, 1])\nloss = F.cross_entropy(torch.randn(5, 4), y)\n",
    ),
    right=(
        "y = torch.randint(0, 10, (100,))\nloss = nn.CrossEntropyLoss()(torch.randn(100, 10), y)\n",
        "y = torch.randint(1, 11, (100,)) - 1\nloss = nn.CrossEntropyLoss()(torch.randn(100, 10), y)\n",
        """\
tokens = torch.randint(1, 50, (8, 17))
embed = nn.Embedding(50, 50)
loss = F.cross_entropy(embed(tokens[:, :-1]).reshape(-1, 50), tokens[:, 1:].reshape(-1))
""",
    ),
)
