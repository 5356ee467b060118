"""An optimizer that holds parameters which the model no longer has: it was made before the model's last change."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errtriage.source_check.flow import Flow
from errtriage.source_check.loops import is_optimizer_class
from errtriage.source_check.module import Module, own_nodes
from errtriage.source_check.rule import Rule, Sighting

_MAKE_NEW = frozenset(
    {
        "copy.deepcopy", "torch.load", "torch.jit.load", "torch.distributed.fsdp.FullyShardedDataParallel",
        "torch.distributed.fsdp.fully_sharded_data_parallel.FullyShardedDataParallel",
    }
)  # fmt: skip


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    for call in module.calls:
        statement = module.parents.get(call)
        if not isinstance(statement, ast.Assign) or not is_optimizer_class(module.dotted(call.func)):
            continue
        name = _model_of(module, call)
        if name:
            yield from _changes(module, flow, statement, name)


def _model_of(module: Module, call: ast.Call) -> str:
    """Return the name of the model whose parameters an optimizer is given, "" where it is given anything else."""
    given = call.args[0] if call.args else next((one.value for one in call.keywords if one.arg == "params"), None)
    if isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) and given.func.attr == "parameters":
        return module.chain(given.func.value)
    return ""


def _changes(module: Module, flow: Flow, made: ast.Assign, name: str) -> Iterator[Sighting]:
    """Yield the later changes of the model in the same run of statements, unless the optimizer is made again."""
    optimizer = module.chain(made.targets[0])
    scope = module.scope(made)
    later = [node for node in own_nodes(scope) if isinstance(node, ast.Assign) and node.lineno > made.lineno]
    again = [node.lineno for node in later if any(module.chain(target) == optimizer for target in node.targets)]
    if any(isinstance(node, ast.Attribute) and node.attr == "add_param_group" for node in own_nodes(scope)):
        return
    for node in later:
        if any(line > node.lineno for line in again) or not _same_run(module, made, node):
            continue
        for target in node.targets:
            chain = module.chain(target)
            if chain == name and _is_new(module, flow, node.value):
                yield Sighting(
                    node=node, seen=f"makes {name} anew, after line {made.lineno} gave the optimizer the old one"
                )
            elif chain.startswith(f"{name}.") and _is_layer(module, flow, node.value):
                yield Sighting(
                    node=node, seen=f"gives {name} a new layer, which the optimizer of line {made.lineno} does not hold"
                )


def _same_run(module: Module, made: ast.AST, changed: ast.AST) -> bool:
    """Return whether the change stands in the block of the optimizer, or in one inside of it."""
    return module.parents[made] in set(module.above(changed))


def _is_new(module: Module, flow: Flow, value: ast.expr) -> bool:
    if not isinstance(value, ast.Call):
        return False
    if module.dotted(value.func) in _MAKE_NEW:
        return True
    made = flow.only(module, value)
    if made is None or made.module is not module or not any(node is made.call for node in ast.walk(value)):
        return False  # moved or wrapped: the parameters stay the same objects
    return made.owner is not None or made.dotted.startswith(("torch.nn.", "torchvision.models.", "timm."))


def _is_layer(module: Module, flow: Flow, value: ast.expr) -> bool:
    made = flow.only(module, value) if isinstance(value, ast.Call) else None
    return made is not None and made.dotted.startswith("torch.nn.") and made.dotted[9:10].isupper()


RULE = Rule(
    id="optimizer-before-model",
    message="the optimizer holds the parameters of before: make it after the last change to the model",
    check=_check,
    wrong=(
        """\
model = nn.Linear(4, 2)
optimizer = torch.optim.Adam(model.parameters())
model = nn.Linear(4, 2)
for x, y in []:
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()
    optimizer.step()
""",
        """\
import torchvision
model = torchvision.models.resnet18()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.fc = nn.Linear(512, 3)
""",
        """\
import copy
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model = copy.deepcopy(model)
""",
    ),
    right=(
        """\
model = nn.Linear(4, 2)
model = nn.Sequential(model, nn.ReLU())
optimizer = torch.optim.Adam(model.parameters())
model = torch.compile(model).to("cpu")
""",
        """\
for seed in range(3):
    model = nn.Linear(4, 2)
    optimizer = torch.optim.Adam(model.parameters())
""",
        """\
model = nn.Linear(4, 2)
optimizer = torch.optim.Adam(model.parameters())
model = nn.Linear(4, 3)
optimizer = torch.optim.Adam(model.parameters())
""",
    ),
)
