"""The `kb` commands: list, show, search, check, new, coverage, literals, docs. Parse options, call, print."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from errtriage.cli.options import OPTIONS

if TYPE_CHECKING:
    from errtriage.knowledge import Knowledge

app = typer.Typer(
    help="Look into the knowledge base, check it, and add to it.", no_args_is_help=True, rich_markup_mode=None
)
Folders = Annotated[list[Path] | None, typer.Option("--knowledge", "-k", help="A folder of your own; repeatable.")]


@app.command("list")
def list_entries(
    tag: Annotated[str | None, typer.Option(help="Only entries with this tag.")] = None,
    role: Annotated[str | None, typer.Option(help="Only entries of this role: cause, symptom, cascade.")] = None,
    severity: Annotated[str | None, typer.Option(help="Only entries of this severity.")] = None,
    knowledge: Folders = None,
) -> None:
    """List the entries: id, severity, title."""
    from errtriage.cli.kb_browse import list_entries

    raise typer.Exit(list_entries(_load(knowledge), tag=tag, role=role, severity=severity))


@app.command("show")
def show(
    name: Annotated[str, typer.Argument(metavar="ID", help="The id of an entry.")],
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the page as Markdown.")] = False,
    lang: Annotated[str | None, typer.Option("--lang", help=OPTIONS["lang"].help)] = None,
    knowledge: Folders = None,
) -> None:
    """Explain one fault: what the log shows, why, how to check, how to fix."""
    from errtriage.cli.kb_browse import show
    from errtriage.language import language

    known = _load(knowledge, language(lang, sys.stdout.encoding))
    raise typer.Exit(show(name, known, markdown=markdown))


@app.command("search")
def search(
    words: Annotated[list[str], typer.Argument(help="Words that the entry must hold, or a line of a log.")],
    knowledge: Folders = None,
) -> None:
    """Find entries by words, or by a line of a log."""
    from errtriage.cli.kb_browse import search

    raise typer.Exit(search(words, _load(knowledge)))


@app.command("check")
def check(
    paths: Annotated[list[Path] | None, typer.Argument(help="Folders or files; the built-in entries if none.")] = None,
    examples: Annotated[bool, typer.Option(help="Run each entry's own examples through the engine.")] = True,
    ranked: Annotated[bool, typer.Option("--overlaps", help="Also list overlaps in which one entry wins.")] = False,
) -> None:
    """Check entries: shape, closed lists, regexes and their time, texts, links, examples, overlaps."""
    from errtriage.cli.kb_check import check_paths

    raise typer.Exit(check_paths(paths or [], examples=examples, ranked=ranked))


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
        if literal.decode(errors="replace").encode() == literal:  # not the tail of a character before a number
            typer.echo(literal.decode())


@app.command("new")
def new(
    name: Annotated[str, typer.Argument(metavar="ID", help="The id of the new entry: it names the fault.")],
    log: Annotated[Path | None, typer.Option("--from", help="A log that shows the fault.")] = None,
    line: Annotated[
        int | None, typer.Option(help="The line of the log where it shows (default: the first fault).")
    ] = None,
    folder: Annotated[Path | None, typer.Option(help="Where to write it (default: knowledge/, else here).")] = None,
    printed: Annotated[bool, typer.Option("--print", help="Print it rather than write a file.")] = False,
    knowledge: Folders = None,
) -> None:
    """Write the skeleton of a new entry, drafted from a line of a log."""
    from errtriage.cli.kb_new import new

    raise typer.Exit(new(name, _load(knowledge), log=log, line=line, folder=folder, printed=printed))


@app.command("docs")
def docs(
    folder: Annotated[Path, typer.Argument(help="Where the pages lie, such as docs/entries.")],
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit with 1 where pages are out of date.")
    ] = False,
    knowledge: Folders = None,
) -> None:
    """Write the reference of all entries as Markdown pages."""
    from errtriage.cli.kb_docs import write

    raise typer.Exit(write(folder, _load(knowledge), check=check))


def _load(folders: list[Path] | None, lang: str = "en") -> Knowledge:
    from errtriage.knowledge import configured_folders, load_knowledge

    return load_knowledge([*configured_folders(), *(folders or [])], lang=lang)
