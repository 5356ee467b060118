"""A training loop that never zeroes its gradients: they add up over all steps."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from errtriage.source_check.flow import Flow
from errtriage.source_check.loops import LOOPS, Training, reachable, trainings
from errtriage.source_check.module import FUNCTIONS, Function, Module
from errtriage.source_check.rule import Rule, Sighting


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    everywhere = _zeroes(module.nodes)
    for training in trainings(module, flow):
        if isinstance(training.body, FUNCTIONS):
            if everywhere or not _runs_in_a_loop(module, training.body):
                continue
        elif _zeroes(reachable(module, training.body)) or _is_lent(training):
            continue
        yield Sighting(node=training.steps[0], seen="steps, and nothing in its loop zeroes the gradients")


def _runs_in_a_loop(module: Module, function: Function) -> bool:
    """Return whether this file calls a function in a loop: a step that others call may be zeroed by them."""
    return any(True for call in module.calls_of(function) for _ in module.enclosing(call, *LOOPS))


def _zeroes(nodes: Iterable[ast.AST]) -> bool:
    """Return whether some node zeroes gradients: `zero_grad`, `grad.zero_()`, `grad = None`, `del p.grad`."""
    for node in nodes:
        if isinstance(node, ast.Attribute) and "zero_grad" in node.attr:
            return True
        if isinstance(node, ast.Name) and "zero_grad" in node.id:
            return True
        if isinstance(node, ast.Attribute) and node.attr == "grad" and isinstance(node.ctx, (ast.Store, ast.Del)):
            return True
        if isinstance(node, ast.Attribute) and node.attr in ("zero_", "fill_") and "grad" in ast.unparse(node.value):
            return True
    return False


def _is_lent(training: Training) -> bool:
    """Return whether another function gets the optimizer, or the loop is one that runs a single time."""
    names = {ast.unparse(step.func.value) for step in training.steps if isinstance(step.func, ast.Attribute)}
    own = {call for step in training.steps for call in ast.walk(step)}
    for node in ast.walk(training.body):
        if isinstance(node, ast.Call) and node not in own and not _is_harmless(node):
            given = [*node.args, *[one.value for one in node.keywords]]
            if any(isinstance(one, (ast.Name, ast.Attribute)) and ast.unparse(one) in names for one in given):
                return True
    return False


def _is_harmless(call: ast.Call) -> bool:
    """Return whether a call that is given an optimizer can not zero its gradients: scalers and printers."""
    return isinstance(call.func, ast.Attribute) and call.func.attr in ("step", "unscale_", "update", "append")


RULE = Rule(
    id="zero-grad-missing",
    message="gradients of all steps add up: call optimizer.zero_grad() once for each step",
    check=_check,
    wrong=(
        """\
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    loss = F.mse_loss(model(torch.randn(8, 4)), torch.ones(8, 1))
    loss.backward()
    optimizer.step()
""",
        """\
def train(model, loader, opt):
    opt.zero_grad()
    for x, y in loader:
        F.cross_entropy(model(x), y).backward()
        opt.step()
""",
        """\
def train_step(model, optimizer, x, y):
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()

def train(model, optimizer, loader):
    for x, y in loader:
        train_step(model, optimizer, x, y)
""",
    ),
    right=(
        """\
class Scaler:
    def __call__(self, loss, optimizer):
        loss.backward()
        optimizer.step()
""",
        """\
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    optimizer.zero_grad()
    F.mse_loss(model(torch.randn(8, 4)), torch.ones(8, 1)).backward()
    optimizer.step()
""",
        """\
def train(model, loader, optimizer, every):
    for number, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / every).backward()
        if (number + 1) % every == 0:
            optimizer.step()
            for p in model.parameters():
                p.grad = None
""",
        """\
def train(model, loader, optimizer):
    for x, y in loader:
        def closure():
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            return loss
        optimizer.step(closure)
""",
    ),
)
