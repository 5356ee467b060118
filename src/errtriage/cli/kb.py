"""The `kb` commands: list, show, search, check, new, coverage, literals, docs. Parse options, call, print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from errtriage.knowledge import Knowledge

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


@app.command("coverage")
def coverage(
    files: Annotated[list[Path], typer.Argument(help="Catalogues: tab-separated lists of message templates.")],
    tier: Annotated[str | None, typer.Option(help="Only rows of this tier.")] = None,
    entries: Annotated[bool, typer.Option("--entries", help="Also count how many rows each entry serves.")] = False,
    limit: Annotated[int, typer.Option(help="How many uncovered rows are shown.")] = 40,
    knowledge: Folders = None,
) -> None:
    """Count which catalogued messages are recognised and explained, and show which are not."""
    from errtriage.cli.kb_coverage import run

    raise typer.Exit(run(files, tier=tier, entries=entries, limit=limit, knowledge=_load(knowledge)))


@app.command("literals")
def literals(knowledge: Folders = None) -> None:
    """Print the literals that pick lines out of a log, one a line, as grep -F -f reads them."""
    from errtriage.triage import wanted

    for literal in wanted(_load(knowledge)).all:
        typer.echo(literal)


def _load(folders: list[Path] | None) -> Knowledge:
    from errtriage.knowledge import configured_folders, load_knowledge

    return load_knowledge([*configured_folders(), *(folders or [])])
