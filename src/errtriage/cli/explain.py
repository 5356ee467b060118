"""`errtriage explain` and the pipe at its simplest: read, triage, render, print."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from errtriage.cli.options import Explain
from errtriage.model import Report
from errtriage.render import renderer
from errtriage.render.words import View


def run(options: Explain) -> int:
    """Explain the given paths (or standard input), print the report, and return the exit status."""
    from errtriage.errors import SourceError
    from errtriage.sources import open_paths
    from errtriage.triage import triage_sources

    known = _knowledge(options)
    root = Path(options.source_root or ".")
    status = 0
    paths = options.paths or ["-"]
    jobs: Iterable[list[str]] = [[path] for path in paths] if options.each else [paths]
    for job in jobs:
        try:
            report = triage_sources(open_paths(job, stdin=sys.stdin.buffer), knowledge=known, source_root=root)
        except SourceError as error:
            complain(str(error))
            status = 2
            continue
        show(report, options)
        if any(source.error and source.bytes == 0 for source in report.sources):
            status = 2
        if options.exit_code and report.verdict in ("failed", "suspect"):
            status = max(status, 1)
    return status


def check_format(name: str | None) -> None:
    """Raise an ErrtriageError where there is no format of that name."""
    from errtriage.errors import ErrtriageError
    from errtriage.render import FORMATS

    if name is not None and name not in FORMATS:
        raise ErrtriageError(f"there is no format {name!r}; there are {', '.join(FORMATS)}")


def _knowledge(options: Explain) -> object:
    from errtriage.knowledge import configured_folders, load_knowledge

    known = load_knowledge([*configured_folders(), *options.knowledge])
    for problem in known.problems:
        complain(f"left out: {problem}")
    return known


def show(report: Report, options: Explain) -> None:
    """Print a report on standard output in the format that was asked for."""
    view = View(top=options.top, everything=options.all, why=options.why, lang=options.lang or "en")
    name = options.format or ("terminal" if wants_colour() else "plain")
    if options.each and name == "json":
        from errtriage.render.json import render_line

        write(render_line(report))
    else:
        write(renderer(name)(report, view))


def wants_colour() -> bool:
    """Return whether standard output is a terminal that a coloured report can be shown on."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


def write(text: str) -> None:
    """Write to standard output; what a legacy code page can not show becomes a backslash escape."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.encode(encoding, "backslashreplace").decode(encoding)
    sys.stdout.write(text)
    sys.stdout.flush()


def complain(text: str) -> None:
    """Write one line to standard error."""
    sys.stderr.write(f"errtriage: {text}\n")
