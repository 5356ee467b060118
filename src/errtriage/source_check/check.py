"""Runs the rules over files: paths in, findings out, without those that the source itself excuses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from errtriage.source_check.flow import Flow
from errtriage.source_check.module import Module
from errtriage.source_check.paths import real_path
from errtriage.source_check.project import Project, read_source
from errtriage.source_check.rule import Finding, Rule
from errtriage.source_check.rules import RULES

SYNTAX_ERROR = "syntax-error"  # the id of the finding that a file is no Python
UNREADABLE = "unreadable"  # the id of the finding that a file can not be read: too long, no permission, not text
_LEFT_OUT = frozenset(
    {
        ".git", ".hg", ".svn", ".venv", "venv", "env", "node_modules", "site-packages", "__pycache__", "build", "dist",
        ".tox", ".nox", ".eggs", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".ipynb_checkpoints",
    }
)  # fmt: skip
_ABOUT = frozenset({"torch", "numpy"})  # a file that imports neither has nothing that a rule is about
_NOQA = re.compile(r"#\s{0,4}noqa\b(?::\s{0,4}(?P<ids>[\w-]+(?:[ ,]{1,4}[\w-]+){0,40}))?", re.IGNORECASE)


def sources_below(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the given files, and the Python files below the given folders (not those of environments and builds)."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        for file in sorted(path.rglob("*.py")):
            if not _LEFT_OUT.intersection(file.relative_to(path).parts[:-1]):
                yield file


def check_paths(paths: Sequence[Path], rules: Sequence[Rule] = RULES) -> list[Finding]:
    """Return what the files, and those below the folders, break, by file and line; imports are followed below them."""
    found: dict[tuple[str, Path, int, int], Finding] = {}
    for given in paths:
        root = given if given.is_dir() else given.parent
        flow = Flow(Project(root))
        for file in sources_below([given]):
            flow = Flow(Project(root)) if flow.project.is_full else flow
            for finding in check_file(file, flow, rules):
                found.setdefault((finding.rule, real_path(finding.path), finding.line, finding.column), finding)
    return sorted(found.values(), key=lambda one: (str(one.path), one.line, one.column, one.rule))


def check_file(path: Path, flow: Flow, rules: Sequence[Rule] = RULES) -> list[Finding]:
    """Return what one file breaks; a file that can not be parsed is one finding of its own."""
    module = flow.project.module(path)
    if module is None:
        return [_unparsed(path)]
    return check_module(module, flow, rules)


def check_module(module: Module, flow: Flow, rules: Sequence[Rule] = RULES) -> list[Finding]:
    """Return what a parsed file breaks, and what it makes a file that it imports break."""
    found: dict[tuple[str, Path, int, int], Finding] = {}
    if not any(name.split(".")[0] in _ABOUT for name in module.imports.values()):
        return []
    for rule in rules:
        try:
            sightings = list(rule.check(module, flow))
        except RecursionError:  # an expression nested deeper than Python itself goes
            continue
        for sighting in sightings:
            home = sighting.module or module
            line, column = getattr(sighting.node, "lineno", 1), getattr(sighting.node, "col_offset", 0) + 1
            if not _excused(home, sighting.node, rule.id):
                one = Finding(
                    rule=rule.id, path=home.path, line=line, column=column, message=rule.message, seen=sighting.seen
                )
                found.setdefault((rule.id, home.path, line, column), one)
    return list(found.values())


def _excused(module: Module, node: ast.AST, rule: str) -> bool:
    """Return whether a line of the node ends in `# noqa`, or in `# noqa: id` with the rule's id."""
    first = getattr(node, "lineno", 1)
    last = getattr(node, "end_lineno", None) or first
    for text in {module.lines[number - 1] for number in (first, last) if 0 < number <= len(module.lines)}:
        noqa = _NOQA.search(text)
        if noqa and (noqa["ids"] is None or rule in re.split(r"[ ,]+", noqa["ids"].lower())):
            return True
    return False


def _unparsed(path: Path) -> Finding:
    text = read_source(path)
    rule, line, column, why = UNREADABLE, 1, 1, "can not be read as Python source"
    if text is not None:
        rule, why = SYNTAX_ERROR, "can not be parsed"
        try:
            ast.parse(text)
        except SyntaxError as error:
            line, column, why = error.lineno or 1, error.offset or 1, error.msg
        except (ValueError, RecursionError, MemoryError) as error:
            why = str(error)
    return Finding(rule=rule, path=path, line=line, column=max(1, column), message=why, seen=why)
