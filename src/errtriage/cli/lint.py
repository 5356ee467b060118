"""`errtriage lint`: the silent mistakes that can be seen in the source of a training program."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from errtriage.source_check.rule import Rule


def lint(
    paths: Annotated[list[Path] | None, typer.Argument(help="Python files, or folders of them; . if none.")] = None,
    format: Annotated[str, typer.Option("--format", "-f", help="One of text, json, sarif, github.")] = "text",
    select: Annotated[list[str] | None, typer.Option(help="Only this rule; repeatable.")] = None,
    ignore: Annotated[list[str] | None, typer.Option(help="Without this rule; repeatable.")] = None,
    rules: Annotated[bool, typer.Option("--rules", help="List the rules.")] = False,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit with 0 even where something is found.")] = False,
) -> None:
    """Look for silent mistakes in training programs; exits with 1 where something is found."""
    from errtriage.cli.lint_formats import FORMATS, list_rules
    from errtriage.errors import ErrtriageError
    from errtriage.source_check.check import check_paths

    if format not in FORMATS:
        raise ErrtriageError(f"there is no format {format!r}; there are {', '.join(FORMATS)}")
    if rules:
        sys.stdout.write(list_rules())
        raise typer.Exit(0)
    given = paths or [Path()]
    for path in given:
        if not path.exists():
            raise ErrtriageError(f"{path}: there is no such file or folder")
    found = check_paths(given, _chosen(select or [], ignore or []))
    sys.stdout.write(FORMATS[format](found))
    raise typer.Exit(1 if found and not exit_zero else 0)


def _chosen(select: list[str], ignore: list[str]) -> tuple[Rule, ...]:
    """Return the rules to run; an unknown id is an error."""
    from errtriage.errors import ErrtriageError
    from errtriage.source_check.rules import RULES

    known = {rule.id for rule in RULES}
    for name in [*select, *ignore]:
        if name not in known:
            raise ErrtriageError(f"there is no rule {name!r} (errtriage lint --rules lists them)")
    return tuple(rule for rule in RULES if (not select or rule.id in select) and rule.id not in ignore)
