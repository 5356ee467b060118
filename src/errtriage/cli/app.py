"""The typer app: every command with its help; each command's work is done in the module of its family."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from errtriage import __version__
from errtriage.cli.options import OPTIONS, Explain

app = typer.Typer(
    name="errtriage",
    help="Reads the log of a training run that died, or learns nothing, and says what went wrong first, and why.",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _option(name: str) -> object:
    return typer.Option(*OPTIONS[name].flags, help=OPTIONS[name].help)


Paths = Annotated[list[str] | None, typer.Argument(help="Logs, folders of logs, or - for standard input.")]
Format = Annotated[str | None, _option("format")]
Top = Annotated[int, _option("top")]
All = Annotated[bool, _option("all")]
Why = Annotated[bool, _option("why")]
Each = Annotated[bool, _option("each")]
Quiet = Annotated[bool, _option("quiet")]
ExitCode = Annotated[bool, _option("exit_code")]
ExitZero = Annotated[bool, _option("exit_zero")]
Knowledge = Annotated[list[Path] | None, _option("knowledge")]
SourceRoot = Annotated[str | None, _option("source_root")]
Redact = Annotated[bool, _option("redact")]
Share = Annotated[bool, _option("share")]
Lang = Annotated[str | None, _option("lang")]
Raw = Annotated[bool, _option("raw")]
Collapse = Annotated[bool, _option("collapse")]
Log = Annotated[str | None, _option("log")]


@app.command("explain")
def explain(
    paths: Paths = None,
    format: Format = None,
    top: Top = 3,
    all: All = False,
    why: Why = False,
    each: Each = False,
    quiet: Quiet = False,
    exit_code: ExitCode = False,
    exit_zero: ExitZero = False,
    knowledge: Knowledge = None,
    source_root: SourceRoot = None,
    redact: Redact = False,
    share: Share = False,
    lang: Lang = None,
) -> None:
    """Explain one or several logs of one job."""
    from errtriage.cli.explain import check_format, run

    check_format(format)
    options = Explain(
        paths=list(paths or []),
        format=format,
        top=top,
        all=all,
        why=why,
        each=each,
        quiet=quiet,
        exit_code=exit_code,
        exit_zero=exit_zero,
        knowledge=list(knowledge or []),
        source_root=source_root,
        redact=redact,
        share=share,
        lang=lang,
    )
    raise typer.Exit(run(options))


@app.callback(invoke_without_command=True)
def pipe(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", "-V", help="Print the version.")] = False,
    format: Format = None,
    top: Top = 3,
    all: All = False,
    why: Why = False,
    quiet: Quiet = False,
    raw: Raw = False,
    collapse: Collapse = False,
    log: Log = None,
    exit_zero: ExitZero = False,
    knowledge: Knowledge = None,
    source_root: SourceRoot = None,
    redact: Redact = False,
    share: Share = False,
    lang: Lang = None,
) -> None:
    """Reads the log of a training run that died, or learns nothing, and says what went wrong first, and why.

    python train.py 2>&1 | errtriage passes the log through and prints the report at its end.
    """
    if version:
        typer.echo(f"errtriage {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is not None:
        return
    if sys.stdin is None or sys.stdin.isatty():
        typer.echo(context.get_help())
        raise typer.Exit(2)
    from errtriage.cli.explain import check_format
    from errtriage.cli.pipe import run

    check_format(format)
    options = Explain(
        format=format,
        top=top,
        all=all,
        why=why,
        quiet=quiet,
        raw=raw,
        collapse=collapse,
        log=log,
        exit_zero=exit_zero,
        knowledge=list(knowledge or []),
        source_root=source_root,
        redact=redact,
        share=share,
        lang=lang,
    )
    raise typer.Exit(run(options))


def _add_families() -> None:
    from errtriage.cli import bot, doctor, kb, lint, live_app

    app.add_typer(kb.app, name="kb")
    app.add_typer(bot.app, name="bot")
    app.command("doctor")(doctor.doctor)
    app.command("lint")(lint.lint)
    app.command("run", context_settings={"allow_interspersed_args": False})(live_app.run)
    app.command("follow")(live_app.follow)


_add_families()


def run_app(argv: list[str]) -> int:
    """Run the typer app and return the exit status."""
    try:
        returned = app(args=argv, prog_name="errtriage", standalone_mode=False)
    except typer.Exit as exited:
        return exited.exit_code
    except typer.Abort:
        return 130
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # click's answer to a reader that went away
            return 0
        raise
    except Exception as error:
        if hasattr(error, "format_message") and hasattr(error, "exit_code"):  # a usage error of click's
            sys.stderr.write(f"errtriage: {error.format_message()} (errtriage --help shows what there is)\n")
            return 2
        raise
    return returned if isinstance(returned, int) else 0
