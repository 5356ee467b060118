"""What can be said of a tensor's shape from the source alone: how many dimensions, and the size of the last one."""

from __future__ import annotations

import ast

from errtriage.source_check.calls import argument, canonical, returned
from errtriage.source_check.datasets import CONVERSIONS, values
from errtriage.source_check.flow import At, Flow
from errtriage.source_check.module import Module
from errtriage.values import dataclass

_FROM_SIZES = frozenset(
    {f"torch.{name}" for name in ("randn", "rand", "zeros", "ones", "empty")}
    | {"numpy.random.randn", "numpy.random.rand"}
)
_FROM_SHAPE = frozenset({"numpy.zeros", "numpy.ones", "numpy.empty"})
_LINES = frozenset({"torch.arange", "torch.linspace", "numpy.arange", "numpy.linspace"})
_SAME = frozenset(
    {
        "float",
        "double",
        "half",
        "to",
        "cuda",
        "cpu",
        "contiguous",
        "clone",
        "detach",
        "type",
        "astype",
        "abs",
        "exp",
        "log",
        "sin",
        "cos",
        "tanh",
        "sigmoid",
        "relu",
        "sqrt",
        "pow",
        "requires_grad_",
        "numpy",
        "clamp",
    }
)
_DEEPEST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The number of dimensions (at least that many where `least`) and the size of the last one; None: not known."""

    rank: int | None = None
    last: int | None = None

    def words(self) -> str:
        """Return `(N,)`, `(N, 1)` or the like."""
        if self.rank is None:
            return "a tensor"
        names = ["N", *["…"] * max(0, self.rank - 2)]
        if self.rank > 1:
            names.append(str(self.last) if self.last is not None else "M")
        return f"({', '.join(names)}{',' if self.rank == 1 else ''})"


UNKNOWN = Shape()


def shape_of(module: Module, flow: Flow, node: ast.AST, depth: int = 0) -> Shape:
    """Return what is known of the shape of a value; every way in which it can be made must agree."""
    if depth > _DEEPEST:
        return UNKNOWN
    if isinstance(node, ast.Call):
        return _of_call(module, flow, node, depth)
    if isinstance(node, ast.BinOp):
        return _of_operation(module, flow, node, depth)
    if isinstance(node, ast.UnaryOp):
        return shape_of(module, flow, node.operand, depth + 1)
    if isinstance(node, ast.Subscript):
        return _of_part(module, flow, node, depth)
    if isinstance(node, (ast.Name, ast.Attribute)):
        return _of_name(module, flow, node, depth)
    return UNKNOWN


def _of_name(module: Module, flow: Flow, node: ast.Name | ast.Attribute, depth: int) -> Shape:
    if isinstance(node, ast.Attribute) and node.attr == "values" and isinstance(node.value, ast.Subscript):
        return _of_column(node.value)
    bound = module.reaching(node) if isinstance(node, ast.Name) else []
    if len(bound) == 1 and bound[0].kind == "assign" and bound[0].value is not None and not bound[0].index:
        return shape_of(module, flow, bound[0].value, depth + 1)
    if len(bound) == 1 and bound[0].kind == "assign" and isinstance(bound[0].value, ast.Tuple):
        return shape_of(module, flow, bound[0].value.elts[bound[0].index[0]], depth + 1)
    found = {_of_origin(flow, at, depth) for at in values(module, flow, node)}
    return next(iter(found)) if len(found) == 1 else UNKNOWN


def _of_column(node: ast.expr) -> Shape:
    """Return the shape of `frame["price"]`."""
    one = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
    return Shape(rank=1) if one else UNKNOWN


def _of_origin(flow: Flow, at: At, depth: int) -> Shape:
    if at.element or at.index or not isinstance(at.node, (ast.Call, ast.BinOp)):
        return UNKNOWN
    return shape_of(at.module, flow, at.node, depth + 1)


def _of_call(module: Module, flow: Flow, call: ast.Call, depth: int) -> Shape:
    name = canonical(module.dotted(call.func))
    if name in _FROM_SIZES:
        return _of_sizes(call.args)
    if name in _FROM_SHAPE and call.args:
        return _of_sizes([call.args[0]])
    if name in _LINES:
        return Shape(rank=1)
    if name in CONVERSIONS and call.args:
        return _of_literal(module, flow, call.args[0], depth)
    if name.startswith("torch.") and name.rpartition(".")[2] in _SAME and call.args:
        return shape_of(module, flow, call.args[0], depth + 1)
    if isinstance(call.func, ast.Attribute) and not name and flow.only(module, call.func) is None:
        return _of_method(module, flow, call, call.func, depth)
    return _of_layer(module, flow, call, depth)


def _of_layer(module: Module, flow: Flow, call: ast.Call, depth: int) -> Shape:
    layer = flow.layer(module, call)
    if layer is not None and layer.dotted == "torch.nn.Linear":
        outputs = argument(layer.call, 1, "out_features")
        size = outputs.value if isinstance(outputs, ast.Constant) and isinstance(outputs.value, int) else None
        given = shape_of(module, flow, call.args[0], depth + 1) if call.args else UNKNOWN
        return Shape(rank=given.rank or 2, last=size)  # a batch of rows where nothing else is known
    forward = flow.forward(module, call)
    if forward is not None:
        found = {shape_of(forward[0], flow, one, depth + 1) for one in returned(forward[1])}
        return next(iter(found)) if len(found) == 1 else UNKNOWN
    return UNKNOWN


def _of_method(module: Module, flow: Flow, call: ast.Call, method: ast.Attribute, depth: int) -> Shape:
    given, name, arguments = method.value, method.attr, call.args
    if name in ("flatten", "ravel") and not arguments and not call.keywords:
        return Shape(rank=1)
    if name in ("view", "reshape") and arguments:
        return _of_sizes(arguments)
    if name == "to_numpy":
        return _of_column(given)
    if name not in _SAME and name not in ("squeeze", "unsqueeze"):
        return UNKNOWN
    before = shape_of(module, flow, given, depth + 1)
    if name in _SAME or before.rank is None:
        return before
    where = _number(arguments[0] if arguments else next((one.value for one in call.keywords), None))
    if where is None:
        return UNKNOWN
    if name == "unsqueeze":
        return Shape(rank=before.rank + 1, last=1 if where in (-1, before.rank) else before.last)
    return Shape(rank=before.rank - 1) if before.last == 1 and where in (-1, before.rank - 1) else UNKNOWN


def _of_operation(module: Module, flow: Flow, node: ast.BinOp, depth: int) -> Shape:
    left, right = (shape_of(module, flow, one, depth + 1) for one in (node.left, node.right))
    if isinstance(node.op, ast.MatMult):
        if left.rank is None or right.rank is None:
            return UNKNOWN
        rank = left.rank + right.rank - 2
        return Shape(rank=rank, last=right.last if right.rank > 1 else None)
    if isinstance(node.right, ast.Constant):
        return left
    if isinstance(node.left, ast.Constant):
        return right
    if left.rank is None or right.rank is None:
        return UNKNOWN
    if left.rank == right.rank:
        return Shape(
            rank=left.rank, last=left.last if right.last in (1, left.last) else right.last if left.last == 1 else None
        )
    return UNKNOWN


def _of_part(module: Module, flow: Flow, node: ast.Subscript, depth: int) -> Shape:
    """Return the shape of `x[:, 0]` or `x[a:b]`; other indices leave it unknown."""
    before = shape_of(module, flow, node.value, depth + 1)
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if len(parts) == 2 and isinstance(parts[0], ast.Slice) and _number(parts[1]) is not None:
        return Shape(rank=1) if before.rank in (None, 2) and before.rank is not None else UNKNOWN
    if before.rank is not None and all(isinstance(one, ast.Slice) for one in parts):
        return before if len(parts) < before.rank else Shape(rank=before.rank)
    return UNKNOWN


def _of_sizes(sizes: list[ast.expr]) -> Shape:
    if len(sizes) == 1 and isinstance(sizes[0], (ast.Tuple, ast.List)):
        sizes = sizes[0].elts
    elif len(sizes) == 1 and not isinstance(sizes[0], (ast.Constant, ast.UnaryOp)) and not _is_count(sizes[0]):
        return UNKNOWN  # `zeros(shape)`
    if not sizes or any(isinstance(one, ast.Starred) for one in sizes):
        return UNKNOWN
    last = _number(sizes[-1])
    return Shape(rank=len(sizes), last=last if last is not None and last >= 0 else None)


def _is_count(node: ast.expr) -> bool:
    """Return whether an expression is one size: `n`, `len(x)`, `n * 2`; a name in capitals or of one letter."""
    if isinstance(node, ast.Name):
        return len(node.id) == 1 or node.id.isupper() or node.id.startswith(("n_", "num_"))
    return isinstance(node, ast.BinOp) or (
        isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("len", "int")
    )


def _of_literal(module: Module, flow: Flow, node: ast.expr, depth: int) -> Shape:
    rank = 0
    size = 0
    inner: ast.expr = node
    while isinstance(inner, (ast.List, ast.Tuple)) and inner.elts:
        rank, size = rank + 1, len(inner.elts)
        inner = inner.elts[0]
    if not rank:
        return shape_of(module, flow, node, depth + 1)
    if not isinstance(inner, (ast.Constant, ast.UnaryOp)):
        return UNKNOWN
    return Shape(rank=rank, last=size)


def _number(node: ast.expr | None) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _number(node.operand)
        return -value if value is not None else None
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None
