"""An optimizer that holds parameters which the model no longer has: it was made before the model's last change."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errtriage.source_check.flow import Flow
from errtriage.source_check.loops import is_optimizer_class
from errtriage.source_check.module import FUNCTIONS, Module, own_nodes
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
    models = {
        module.chain(one.func.value)
        for one in (ast.walk(given) if given is not None else ())
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr == "parameters"
    }
    return models.pop() if len(models) == 1 else ""


def _changes(module: Module, flow: Flow, made: ast.Assign, name: str) -> Iterator[Sighting]:
    """Yield the later changes of the model in the same run of statements, unless the optimizer is made again."""
    optimizer = module.chain(made.targets[0])
    scope = module.scope(made)
    later = [node for node in own_nodes(scope) if isinstance(node, ast.Assign) and node.lineno > made.lineno]
    for node in own_nodes(scope):
        if isinstance(node, ast.Call) and node.lineno > made.lineno and _rebuilds(module, flow, node, name):
            yield Sighting(node=node, seen=f"gives {name} new layers, which the optimizer of line {made.lineno} lacks")
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
    if isinstance(value.func, ast.Attribute) and value.func.attr in ("from_pretrained", "load_from_checkpoint"):
        return True
    made = flow.only(module, value)
    if made is None:
        return False
    if not any(node is made.call for node in ast.walk(value)) and not _is_made_by_function(module, value):
        return False  # moved or wrapped: the parameters stay the same objects
    return made.owner is not None or made.dotted.startswith(("torch.nn.", "torchvision.models.", "timm."))


def _is_made_by_function(module: Module, value: ast.Call) -> bool:
    """Return whether a function of this file makes the object anew, from nothing that is a model already."""
    innermost: ast.expr = value
    while isinstance(innermost, ast.Call) and isinstance(innermost.func, ast.Attribute):
        innermost = innermost.func.value
    if not isinstance(innermost, ast.Call) or not isinstance(innermost.func, ast.Name):
        return False
    plain = all(isinstance(one, (ast.Constant, ast.BinOp)) for one in innermost.args)
    return innermost.func.id in module.functions and plain


def _rebuilds(module: Module, flow: Flow, call: ast.Call, name: str) -> bool:
    """Return whether a call is one of a method of the model which assigns new layers to it."""
    if not isinstance(call.func, ast.Attribute) or module.chain(call.func.value) != name:
        return False
    made = flow.only(module, call.func.value)
    if made is None or made.owner is None or made.home is not module:
        return False
    methods = [one for one in made.owner.body if isinstance(one, FUNCTIONS) and one.name == call.func.attr]
    return any(
        isinstance(node, ast.Assign)
        and any(module.chain(target).startswith("self.") for target in node.targets)
        and _is_layer(module, flow, node.value)
        for method in methods
        for node in ast.walk(method)
    )


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
def build(width):
    return nn.Sequential(nn.Linear(4, width), nn.Linear(width, 2))

model = build(8)
optimizer = torch.optim.SGD(list(model.parameters()), lr=0.1)
model = build(16).to("cpu")
""",
        """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 2)

    def grow(self):
        self.head = nn.Linear(4, 3)

net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net.grow()
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
