"""An optimizer made before its model is moved: states that it makes at once stay behind on the old device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errtriage.source_check.flow import Flow
from errtriage.source_check.module import Module, own_nodes
from errtriage.source_check.rule import Rule, Sighting

# Only these make their state tensors when they are made, by torch's own sources; others make them at the first step.
_MAKES_STATE = frozenset({"torch.optim.Adagrad"})


def _check(module: Module, _: Flow) -> Iterator[Sighting]:
    for call in module.calls:
        given = call.args[0] if call.args else None
        if module.dotted(call.func) not in _MAKES_STATE or not isinstance(given, ast.Call):
            continue
        if not isinstance(given.func, ast.Attribute) or given.func.attr != "parameters":
            continue
        name = module.chain(given.func.value)
        for node in own_nodes(module.scope(call)):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.lineno <= call.lineno:
                continue
            if node.func.attr in ("to", "cuda") and name and module.chain(node.func.value) == name:
                seen = f"moves {name} away from the states of the optimizer of line {call.lineno}"
                yield Sighting(node=node, seen=seen)


RULE = Rule(
    id="optimizer-before-move",
    message="the optimizer made its states on the old device: move the model first",
    check=_check,
    wrong=(
        """\
model = nn.Linear(4, 2)
optimizer = torch.optim.Adagrad(model.parameters())
model.cuda()
""",
    ),
    right=(
        """\
model = nn.Linear(4, 2)
model.cuda()
optimizer = torch.optim.Adagrad(model.parameters())
""",
        """\
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model = model.cuda()
""",
    ),
)
