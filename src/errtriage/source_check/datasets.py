"""What a loop over a loader takes: the tensors behind `DataLoader(TensorDataset(x, y))`, `enumerate` and bars."""

from __future__ import annotations

import ast

from errtriage.source_check.calls import argument, canonical, returned
from errtriage.source_check.flow import At, Flow
from errtriage.source_check.module import FUNCTIONS, Module

LOADER = "torch.utils.data.DataLoader"
TENSORS = "torch.utils.data.TensorDataset"
# Calls that make a tensor of the values that they are given.
CONVERSIONS = frozenset(
    {
        "torch.tensor", "torch.as_tensor", "torch.from_numpy", "torch.Tensor", "torch.FloatTensor",
        "torch.LongTensor", "numpy.array", "numpy.asarray",
    }
)  # fmt: skip
_PARTS = frozenset({"torch.utils.data.random_split", "torch.utils.data.Subset"})
_WRITTEN_OUT = (ast.List, ast.Tuple, ast.ListComp, ast.GeneratorExp)
_DEEPEST = 6


def values(module: Module, flow: Flow, node: ast.AST) -> list[At]:
    """Return where values come from: as `Flow.origins`, and through loaders, data sets and conversions as well."""
    found: list[At] = []
    waiting = [(at, 0) for at in flow.origins(module, node)]
    while waiting:
        at, depth = waiting.pop()
        before = _before(flow, at) if depth < _DEEPEST else None
        if before is None:
            found.append(at)
        else:
            waiting += [(one, depth + 1) for step in before for one in flow.origins(step.module, step.node, step.index)]
    return found


def _before(flow: Flow, at: At) -> list[At] | None:
    if at.element:
        return _taken(flow, at)
    if not isinstance(at.node, ast.Call) or not at.node.args or at.index:
        return None
    given = at.node.args[0]
    if canonical(at.module.dotted(at.node.func)) in CONVERSIONS and not isinstance(given, _WRITTEN_OUT):
        return [At(module=at.module, node=given)]
    return None


def _taken(flow: Flow, at: At) -> list[At] | None:
    """Return the tensors that one turn of a loop takes its values from."""
    turn = loader_of(flow, at)
    if turn is None:
        return None
    loader, index = turn
    data = argument(loader.node, 0, "dataset") if isinstance(loader.node, ast.Call) else None
    made = flow.only(loader.module, data) if data is not None else None
    for _ in range(_DEEPEST):  # a part of a data set
        if made is None or made.dotted not in _PARTS or not made.call.args:
            break
        made = flow.only(made.module, made.call.args[0])
    if made is None or not index:
        return None
    if made.owner is not None and made.home is not None:
        return _item(made.home, made.owner, index)
    if made.dotted != TENSORS or index[0] >= len(made.call.args):
        return None
    return [At(module=made.module, node=made.call.args[index[0]], index=index[1:])]


def _item(home: Module, owner: ast.ClassDef, index: tuple[int, ...]) -> list[At] | None:
    """Return the whole of which `__getitem__` returns one piece: `self.y` of `return self.x[i], self.y[i]`."""
    getter = next((one for one in owner.body if isinstance(one, FUNCTIONS) and one.name == "__getitem__"), None)
    given = returned(getter) if getter is not None else []
    found = []
    for one in given:
        if not isinstance(one, ast.Tuple) or index[0] >= len(one.elts):
            return None
        piece = one.elts[index[0]]
        if not isinstance(piece, ast.Subscript) or not isinstance(piece.slice, ast.Name):
            return None
        found.append(At(module=home, node=piece.value, index=index[1:]))
    return found or None


def loader_of(flow: Flow, at: At) -> tuple[At, tuple[int, ...]] | None:
    """Return the call that made the DataLoader which a loop runs over, and which of its values is meant."""
    module, node, index = at.module, at.node, at.index
    for _ in range(_DEEPEST):
        if not isinstance(node, ast.Call):
            break
        name = module.dotted(node.func) or getattr(node.func, "id", "")
        if name == "enumerate" and node.args:
            node, index = node.args[0], index[1:]
        elif name.rpartition(".")[2] in ("tqdm", "trange", "track") and node.args:
            node = node.args[0]
        elif name == "zip" and index and index[0] < len(node.args):
            node, index = node.args[index[0]], index[1:]
        else:
            break
    made = flow.only(module, node)
    if made is None or made.dotted != LOADER:
        return None
    return At(module=made.module, node=made.call), index
