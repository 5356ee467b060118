"""Which models behave otherwise in train mode than in eval mode."""

from __future__ import annotations

import ast
import re

from errtriage.source_check.calls import canonical
from errtriage.source_check.flow import Flow, Made
from errtriage.source_check.module import Module

_BY_MODE = re.compile(
    r"^torch\.nn\.(?:functional\.(?:\w*dropout\w*|batch_norm)|\w*Dropout\w*|(?:Lazy|Sync)?BatchNorm\w*|Transformer\w*)$"
)
_BY_MODE_PACKAGES = ("torchvision.models.", "timm.", "segmentation_models_pytorch.", "efficientnet_pytorch.")
_DEEPEST = 6


def changes_with_mode(module: Module, flow: Flow, node: ast.expr) -> bool:
    """Return whether an expression is a model that is known to hold dropout, batch norm or the like."""
    made = flow.only(module, node)
    return made is not None and _holds(flow, made, 0)


def _holds(flow: Flow, made: Made, depth: int) -> bool:
    if depth > _DEEPEST:
        return False
    if made.dotted:
        if made.dotted.startswith(_BY_MODE_PACKAGES) or _BY_MODE.match(made.dotted):
            return True
        arguments = made.call.args if made.dotted.startswith("torch.nn.") else []
        return any(_any_call(flow, made.module, one, depth) for one in arguments)
    return made.owner is not None and made.home is not None and _any_call(flow, made.home, made.owner, depth)


def _any_call(flow: Flow, module: Module, body: ast.AST, depth: int) -> bool:
    for node in ast.walk(body):
        if not isinstance(node, ast.Call):
            continue
        if _BY_MODE.match(canonical(module.dotted(node.func))):
            return True
        ours = flow.class_of(module, node.func)
        if ours is not None and ours[1] is not body and depth < _DEEPEST and _any_call(flow, *ours, depth + 1):
            return True
    return False
