"""A plain function on a masked array: it drops the mask, and the fill values are data again."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errtriage.source_check.flow import At, Flow
from errtriage.source_check.module import Module
from errtriage.source_check.rule import Rule, Sighting

# Tried with NumPy 2.4: these return all values, hidden ones included.
_DROPS = frozenset(
    {
        "concatenate", "stack", "vstack", "hstack", "dstack", "column_stack", "append", "block", "array", "asarray",
        "ascontiguousarray", "copy", "pad", "where", "median", "dot", "convolve", "interp", "histogram",
    }
)  # fmt: skip
_TORCH = frozenset({"torch.tensor", "torch.as_tensor", "torch.from_numpy", "torch.Tensor", "torch.FloatTensor"})
_MAKES = frozenset(
    {
        "array", "asarray", "masked_array", "MaskedArray", "masked_where", "masked_equal", "masked_invalid",
        "masked_greater", "masked_less", "masked_outside", "masked_inside", "masked_values", "masked_not_equal",
        "masked_greater_equal", "masked_less_equal", "concatenate", "stack", "vstack", "hstack", "masked_all", "empty",
        "zeros", "ones",
    }
)  # fmt: skip


def _check(module: Module, flow: Flow) -> Iterator[Sighting]:
    for call in module.calls:
        name = module.dotted(call.func)
        plain = name.removeprefix("numpy.")
        if not call.args or not ((name.startswith("numpy.") and plain in _DROPS) or name in _TORCH):
            continue
        if any(_is_masked(module, flow, one) for argument in call.args for one in _parts(argument)):
            yield Sighting(node=call, seen=f"gives a masked array to {'np.' + plain if plain != name else name}")


def _parts(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, (ast.List, ast.Tuple)):
        return list(node.elts)
    return [node.elt] if isinstance(node, (ast.ListComp, ast.GeneratorExp)) else [node]


def _is_masked(module: Module, flow: Flow, node: ast.expr) -> bool:
    found = [at for step in flow.origins(module, node) for at in _elements(flow, step)]
    return bool(found) and all(_makes_masked(flow, at) for at in found)


def _elements(flow: Flow, at: At) -> list[At]:
    """Return what a list that was written out or built by a loop holds."""
    if at.element and isinstance(at.node, (ast.List, ast.Tuple)):
        return [one for element in at.node.elts for one in flow.origins(at.module, element)]
    if isinstance(at.node, ast.ListComp):
        return flow.origins(at.module, at.node.elt)
    if isinstance(at.node, ast.List) and at.node.elts:
        return [one for element in at.node.elts for one in flow.origins(at.module, element)]
    if isinstance(at.node, ast.List):
        return [one for given in _appended(at.module, at.node) for one in flow.origins(at.module, given)]
    return [at]


def _appended(module: Module, empty: ast.List) -> list[ast.expr]:
    statement = module.parents.get(empty)
    names = [target.id for target in getattr(statement, "targets", []) if isinstance(target, ast.Name)]
    return [
        call.args[0]
        for call in module.calls
        if isinstance(call.func, ast.Attribute) and call.func.attr == "append" and call.args
        and module.chain(call.func.value) in names
    ]  # fmt: skip


def _makes_masked(flow: Flow, at: At) -> bool:
    node = at.node
    if isinstance(node, ast.Call):
        name = at.module.dotted(node.func)
        return name.startswith("numpy.ma.") and name.removeprefix("numpy.ma.").removeprefix("core.") in _MAKES
    if not isinstance(node, ast.Subscript) and not isinstance(node, ast.Attribute):
        return False
    return _is_netcdf(flow, at.module, node)


def _is_netcdf(flow: Flow, module: Module, node: ast.AST) -> bool:
    """Return whether a value is read from a variable of a netCDF4 data set, which masks its fill values by itself."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        if isinstance(node, ast.Attribute) and node.attr == "variables":
            made = flow.only(module, node.value)
            return made is not None and made.dotted in ("netCDF4.Dataset", "netCDF4.MFDataset")
        node = node.value
    return False


RULE = Rule(
    id="plain-numpy-on-masked-array",
    message="this drops the mask and brings the fill values back: use the np.ma function, or .filled(value) first",
    check=_check,
    wrong=(
        "a = np.ma.masked_greater(np.array([1.0, 9.97e36]), 1e30)\nb = np.concatenate([a, a])\n",
        """\
import netCDF4
data = netCDF4.Dataset("x.nc")
parts = []
for month in range(12):
    field = data.variables["sst"][month]
    parts.append(field)
x = np.stack(parts)
""",
        "import numpy.ma as ma\na = ma.masked_invalid(np.ones(3))\nx = torch.from_numpy(a)\n",
    ),
    right=(
        "a = np.ma.masked_greater(np.array([1.0, 9.97e36]), 1e30)\nb = np.ma.concatenate([a, a])\nm = np.mean(a)\n",
        "a = np.ma.masked_invalid(np.ones(3)).filled(0.0)\nx = torch.from_numpy(np.concatenate([a, a]))\n",
    ),
)
