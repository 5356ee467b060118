"""`errtriage explain` and the pipe at its simplest: read, triage, render, print."""

from __future__ import annotations

import os
import sys

from errtriage import TYPE_CHECKING, regex_store
from errtriage.cli.options import Explain
from errtriage.errors import ErrtriageError, SourceError
from errtriage.model import Report
from errtriage.render import renderer
from errtriage.render.words import View, plainer

if TYPE_CHECKING:
    from errtriage.knowledge import Knowledge
    from errtriage.sources import Source

_FOR_PROGRAMS = ("json", "sarif")


def run(options: Explain) -> int:
    """Explain the given paths (or standard input), print the report, and return the exit status."""
    from errtriage.triage import triage_sources

    if sys.stdout is None:
        raise ErrtriageError("standard output is closed")
    known = knowledge_of(options)
    root = options.source_root or "."
    paths = options.paths or ["-"]
    jobs: list[list[str]] = [[path] for path in paths] if options.each else [paths]
    status = 0
    for job in jobs:
        sources, unreadable = _open(job)
        status = 2 if unreadable else status
        if not sources:
            continue
        report = triage_sources(sources, knowledge=known, source_root=root, side_by_side=True)
        show(report, options)
        if any(source.error and source.bytes == 0 for source in report.sources):
            status = 2
        if options.exit_code and report.verdict in ("failed", "suspect"):
            status = max(status, 1)
    regex_store.keep()
    return status


def _open(job: list[str]) -> tuple[list[Source], bool]:
    """Return the sources of a job, and whether some path could not be opened: the rest is reported all the same."""
    from errtriage.sources import open_paths

    sources: list[Source] = []
    unreadable = False
    for path in job:
        try:
            sources += open_paths([path], stdin=getattr(sys.stdin, "buffer", None))
        except SourceError as error:
            complain(_hint(path) or str(error))
            unreadable = True
    return sources, unreadable


def _hint(path: str) -> str | None:
    """Return where to look where what was given is the id of an entry rather than a file."""
    from errtriage.knowledge import load_knowledge

    if path in load_knowledge().by_id:
        return f"{path} is no file but an entry; errtriage kb show {path} tells of it"
    return None


def check_format(name: str | None) -> None:
    """Raise an ErrtriageError where there is no format of that name."""
    from errtriage.render import FORMATS

    if name is not None and name not in FORMATS:
        raise ErrtriageError(f"there is no format {name!r}; there are {', '.join(FORMATS)}")


def knowledge_of(options: Explain) -> Knowledge:
    """Return the knowledge that the options ask for; what is left out of it is told on standard error."""
    from errtriage.knowledge import configured_folders, load_knowledge

    known = load_knowledge([*configured_folders(), *options.knowledge], lang=language_of(options))
    for problem in known.problems:
        complain(f"left out: {problem}")
    return known


def language_of(options: Explain) -> str:
    """Return the language of the report; what is written for programs is in English unless another is asked for."""
    from errtriage.language import language

    asked = options.lang or os.environ.get("ERRTRIAGE_LANG")
    if not asked and options.format in _FOR_PROGRAMS:
        return "en"
    return language(options.lang, sys.stdout.encoding)


def show(report: Report, options: Explain) -> None:
    """Print a report on standard output in the format that was asked for."""
    usual = "html" if options.share else "terminal" if wants_colour() else "plain"
    write(rendered(report, options, options.format or usual))


def rendered(report: Report, options: Explain, name: str) -> str:
    """Return a report in a format, as much of it as the options ask for."""
    report = _prepared(report, options, name)
    if options.each and name == "json":
        from errtriage.render.json import render_line

        return render_line(report)
    view = View(top=options.top, everything=options.all, why=options.why, lang=language_of(options))
    return renderer(name)(report, view)


def _prepared(report: Report, options: Explain, name: str) -> Report:
    """Return the report with the lines around its evidence where a format shows them, and redacted where asked for."""
    if name in ("html", "markdown") and report.explanations:
        from pathlib import Path

        from errtriage.sources import from_file
        from errtriage.sources.surroundings import with_surroundings

        files = [from_file(one.name) for one in report.sources if not one.error and Path(one.name).is_file()]
        report = with_surroundings(report, files)
    if options.redact or options.share:
        from errtriage.redact import redact_report

        report = redact_report(report)
    return report


def wants_colour() -> bool:
    """Return whether standard output is a terminal that a coloured report can be shown on."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


def write(text: str) -> None:
    """Write to standard output; what a legacy code page can not show becomes ASCII."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = plainer(text).encode(encoding, "backslashreplace").decode(encoding)
    sys.stdout.write(text)
    sys.stdout.flush()


def complain(text: str) -> None:
    """Write one line to standard error."""
    sys.stderr.write(f"errtriage: {text}\n")
