"""A scheduler that steps before the optimizer: the first rate of the schedule is never used."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errtriage.source_check.flow import Flow
from errtriage.source_check.loops import LOOPS, is_scheduler, is_step, reachable
from errtriage.source_check.module import Module
from errtriage.source_check.rule import Rule, Sighting


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    for call in module.calls:
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "step":
            continue
        if not is_scheduler(module, flow, call.func.value):
            continue
        for loop in module.enclosing(call, *LOOPS):
            steps = _steps(module, flow, loop)
            if steps:
                if call.lineno < min(steps) and _is_unconditional(module, call, loop):
                    yield Sighting(node=call, seen=f"steps the scheduler before the optimizer at line {min(steps)}")
                break


def _steps(module: Module, flow: Flow, loop: ast.AST) -> list[int]:
    """Return the lines of the loop at which an optimizer steps, in functions that it calls too."""
    lines = []
    for node in ast.walk(loop):
        if not isinstance(node, ast.Call) or is_scheduler(module, flow, getattr(node.func, "value", node.func)):
            continue
        calls = [node, *[one for one in _called(module, node) if isinstance(one, ast.Call)]]
        if any(is_step(module, flow, one) for one in calls):
            lines.append(node.lineno)
    return lines


def _called(module: Module, call: ast.Call) -> list[ast.AST]:
    if isinstance(call.func, ast.Name) and call.func.id in module.functions:
        return reachable(module, module.functions[call.func.id])
    return []


def _is_unconditional(module: Module, call: ast.Call, loop: ast.AST) -> bool:
    statement = module.parents.get(call)
    return isinstance(statement, ast.Expr) and module.parents.get(statement) is loop


RULE = Rule(
    id="scheduler-before-optimizer",
    message="call scheduler.step() after optimizer.step(): as it is the first rate is skipped",
    check=_check,
    wrong=(
        """\
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
for epoch in range(30):
    scheduler.step()
    for x, y in []:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
""",
    ),
    right=(
        """\
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
for epoch in range(30):
    for x, y in []:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
    scheduler.step()
""",
    ),
)
