"""The `kb` commands: list, show, search, check, new, coverage, literals, docs. Parse options, call, print."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    help="Look into the knowledge base, check it, and add to it.", no_args_is_help=True, rich_markup_mode=None
)
Folders = Annotated[list[Path] | None, typer.Option("--knowledge", "-k", help="A folder of your own; repeatable.")]


@app.command("check")
def check(
    paths: Annotated[list[Path] | None, typer.Argument(help="Folders or files; the built-in entries if none.")] = None,
    examples: Annotated[bool, typer.Option(help="Run each entry's own examples through the engine.")] = True,
) -> None:
    """Check entries: shape, closed lists, regexes and their time, texts, links, examples, overlaps."""
    from errtriage.cli.kb_check import check_paths

    raise typer.Exit(check_paths(paths or [], examples=examples))
