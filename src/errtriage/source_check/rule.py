"""What a rule of the linter is, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from errtriage.values import dataclass

if TYPE_CHECKING:
    import ast
    from pathlib import Path

    from errtriage.source_check.flow import Flow
    from errtriage.source_check.module import Module

# What the examples of all rules take for granted.
PRELUDE = "import numpy as np\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A place that breaks a rule: the node to point at, its file where it is another one, and what is seen there."""

    node: ast.AST
    seen: str
    module: Module | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One mistake that can be seen in source.

    `message` says what is wrong and what to do, in one line without a full stop; `wrong` and `right` are whole
    programs (behind PRELUDE) that hold the mistake, and that are sound: they are the rule's documentation and tests.
    """

    id: str
    message: str
    check: Callable[[Module, Flow], Iterator[Sighting]]
    wrong: tuple[str, ...]
    right: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A rule that a file breaks: line from 1, column from 1; `seen` says in a few words what stands there."""

    rule: str
    path: Path
    line: int
    column: int
    message: str
    seen: str
