"""A log of a softmax or sigmoid: the probability underflows to 0, and the loss is inf and its gradient nan."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errtriage.source_check.flow import Flow
from errtriage.source_check.guards import is_guarded
from errtriage.source_check.losses import SIGMOID, SOFTMAX, comes_from, within_no_grad
from errtriage.source_check.module import Module
from errtriage.source_check.rule import Rule, Sighting

_PROBABILITIES = SOFTMAX | SIGMOID


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    for call in module.calls:
        given = _logged(module, call)
        if given is None or within_no_grad(module, call):
            continue
        if isinstance(given, ast.BinOp) and isinstance(given.op, ast.Sub) and _is_one(given.left):
            given = given.right  # log(1 - p)
        if comes_from(module, flow, given, _PROBABILITIES) and not is_guarded(module, given):
            yield Sighting(node=call, seen="takes the log of a probability that may be 0")


def _logged(module: Module, call: ast.Call) -> ast.expr | None:
    name = module.dotted(call.func)
    if name in ("torch.log", "torch.log2", "torch.log10") and call.args:
        return call.args[0]
    if isinstance(call.func, ast.Attribute) and call.func.attr in ("log", "log2") and not name and not call.args:
        return call.func.value
    return None


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


RULE = Rule(
    id="log-of-probability",
    message="the log of 0 is infinite: use log_softmax or logsigmoid on the scores, or clamp first",
    check=_check,
    wrong=(
        "p = F.softmax(torch.randn(8, 4), dim=1)\nentropy = -(p * torch.log(p)).sum(1)\n",
        "p = torch.sigmoid(torch.randn(8))\nloss = -(1 - p).log().mean()\n",
    ),
    right=(
        "q = F.log_softmax(torch.randn(8, 4), dim=1)\nentropy = -(q.exp() * q).sum(1)\n",
        "p = torch.sigmoid(torch.randn(8)).clamp(1e-7, 1 - 1e-7)\nloss = -torch.log(p).mean()\n",
        "p = torch.sigmoid(torch.randn(8))\nloss = -torch.log(p + 1e-7).mean()\n",
    ),
)
