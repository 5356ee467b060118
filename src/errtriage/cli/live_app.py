"""The commands `run` and `follow` with their help; their work is done in the modules of those names."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from errtriage.cli.options import OPTIONS, Explain


def _option(name: str) -> object:
    return typer.Option(*OPTIONS[name].flags, help=OPTIONS[name].help)


def run(
    command: Annotated[list[str], typer.Argument(help="The command and its arguments, best after --.")],
    format: Annotated[str | None, _option("format")] = None,
    top: Annotated[int, _option("top")] = 3,
    all: Annotated[bool, _option("all")] = False,
    why: Annotated[bool, _option("why")] = False,
    quiet: Annotated[bool, _option("quiet")] = False,
    raw: Annotated[bool, _option("raw")] = False,
    collapse: Annotated[bool, _option("collapse")] = False,
    log: Annotated[str | None, _option("log")] = None,
    knowledge: Annotated[list[Path] | None, _option("knowledge")] = None,
    source_root: Annotated[str | None, _option("source_root")] = None,
    redact: Annotated[bool, _option("redact")] = False,
    lang: Annotated[str | None, _option("lang")] = None,
    separate: Annotated[
        bool, typer.Option("--separate", help="Keep standard output and standard error apart (pipes, no terminal).")
    ] = False,
    diagnose: Annotated[
        bool, typer.Option("--diagnose", help="Set variables that make PyTorch and NCCL say more; each is told.")
    ] = False,
    rerun_on_assert: Annotated[
        bool,
        typer.Option("--rerun-on-assert", help="After a device-side assertion, run once more with launch blocking."),
    ] = False,
    on_cpu: Annotated[bool, typer.Option("--on-cpu", help="Let that second run go on the CPU.")] = False,
    rerun_limit: Annotated[
        float | None, typer.Option("--rerun-limit", help="Minutes that the second run may take.")
    ] = None,
    on_failure: Annotated[
        str | None, typer.Option("--on-failure", help="A shell command that gets the report (JSON) where it failed.")
    ] = None,
    notify: Annotated[
        list[str] | None,
        typer.Option(
            "--notify",
            envvar="ERRTRIAGE_NOTIFY",
            show_envvar=True,
            help="Send the card, redacted, where it failed or is suspect: an address of Apprise; repeatable.",
        ),
    ] = None,
) -> None:
    """Start a command, pass its output through, and explain it where it fails; its exit status is ours.

    errtriage run -- python train.py --lr 3e-4
    """
    from errtriage.cli.explain import check_format
    from errtriage.cli.run import Run, command_of
    from errtriage.cli.run import run as start

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
        knowledge=list(knowledge or []),
        source_root=source_root,
        redact=redact,
        lang=lang,
    )
    wishes = Run(
        command=command_of(command),
        separate=separate,
        diagnose=diagnose,
        rerun_on_assert=rerun_on_assert,
        on_cpu=on_cpu,
        rerun_limit=rerun_limit,
        on_failure=on_failure,
        notify=tuple(notify or ()),
    )
    raise typer.Exit(start(options, wishes))


def follow(
    paths: Annotated[list[str], typer.Argument(help="Logs, which need not be there yet, or folders of logs.")],
    format: Annotated[str | None, typer.Option("--format", "-f", help="One of terminal, plain, json.")] = None,
    exit_on: Annotated[
        str | None, typer.Option("--exit-on", help="End, with 1, at a finding: fatal, error, silent, warning, stall.")
    ] = None,
    stall: Annotated[
        float | None, typer.Option("--stall", help="Tell when nothing new comes for so many minutes.")
    ] = None,
    knowledge: Annotated[list[Path] | None, _option("knowledge")] = None,
    source_root: Annotated[str | None, _option("source_root")] = None,
    lang: Annotated[str | None, _option("lang")] = None,
) -> None:
    """Follow logs while they are written (as tail -F) and tell each finding once, when it appears."""
    from errtriage.cli.follow import run as start

    folders = list(knowledge or [])
    options = Explain(paths=list(paths), format=format, knowledge=folders, source_root=source_root, lang=lang)
    raise typer.Exit(start(options, exit_on=exit_on, stall=stall))
