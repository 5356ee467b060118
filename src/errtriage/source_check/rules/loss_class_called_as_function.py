"""A loss class that is given output and target in place of its options: the result is a module, not a loss."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from errtriage.source_check.calls import canonical
from errtriage.source_check.flow import Flow
from errtriage.source_check.module import Module
from errtriage.source_check.rule import Rule, Sighting

_CLASS = re.compile(r"^torch\.nn\.\w+Loss$")


def _check(module: Module, _: Flow) -> Iterator[Sighting]:
    for call in module.calls:
        name = canonical(module.dotted(call.func))
        if _CLASS.match(name) and len(call.args) >= 2 and not any(_is_option(one) for one in call.args[:2]):
            yield Sighting(node=call, seen=f"calls the class {name.rpartition('.')[2]} with output and target")


def _is_option(node: ast.expr) -> bool:
    return isinstance(node, (ast.Constant, ast.Starred, ast.UnaryOp)) or (
        isinstance(node, (ast.Name, ast.Attribute)) and "weight" in ast.unparse(node)
    )


RULE = Rule(
    id="loss-class-called-as-function",
    message="make the loss first, then call it: nn.CrossEntropyLoss()(output, target)",
    check=_check,
    wrong=("out, y = torch.randn(8, 3), torch.zeros(8).long()\nloss = nn.CrossEntropyLoss(out, y)\n",),
    right=(
        "out, y = torch.randn(8, 3), torch.zeros(8).long()\nloss = nn.CrossEntropyLoss()(out, y)\n",
        "class_weights = torch.ones(3)\ncriterion = nn.CrossEntropyLoss(class_weights, None)\n",
        "criterion = nn.MarginRankingLoss(0.5)\n",
    ),
)
