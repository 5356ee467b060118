"""Explains what failed in a CI run, where it is read there: `python -m errtriage.bot.ci`, for GitHub and GitLab.

The logs are files of this job, or those of the run's failed jobs, fetched from the service. The report goes into the
job's log, its summary, annotations at the user's own lines, and where asked for a comment. It never fails the job.
"""

from __future__ import annotations

import argparse
import glob
import os
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from errtriage.bot.ci_web import GitHub, GitLab, Service
from errtriage.errors import ErrtriageError
from errtriage.knowledge import Knowledge, configured_folders, load_knowledge
from errtriage.model import Report
from errtriage.redact import redact_report
from errtriage.render import renderer
from errtriage.render.markdown import code
from errtriage.render.words import View, excerpt
from errtriage.sources import from_file, open_paths
from errtriage.sources.surroundings import with_surroundings
from errtriage.triage import triage_sources

_MOST_JOBS = 10
_LONGEST_SUMMARY = 900_000  # bytes: GitHub takes 1 MiB of a step
_FILE = re.compile(r"(?<=[ ,]file=)[^,:\n]{1,1000}")
_COLON, _COMMA = "%3A", "%2C"


def main(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Explain the logs that the arguments ask for, and return the exit status: 0, or 2 for wrong arguments."""
    wanted = _parser().parse_args(arguments)
    service = _service(wanted, environment)
    with tempfile.TemporaryDirectory() as folder:
        jobs = _jobs(wanted, service, Path(folder))
        reports = [(name, report) for name, paths in jobs if (report := _report(name, paths, wanted)) is not None]
    if not reports:
        _complain("there was no log to explain")
        return 0
    view = View(lang=wanted.lang)
    told = [(name, renderer("markdown")(report, view)) for name, report in reports]
    for _, report in reports:
        sys.stdout.write(renderer("plain")(report, view))
        if wanted.annotate:
            sys.stdout.write(_annotations(report, view, Path(environment.get("GITHUB_WORKSPACE") or ".")))
    sys.stdout.flush()
    page = "\n".join(f"### {code(name)}\n\n{text}" if name else text for name, text in told)
    _append(environment.get("GITHUB_STEP_SUMMARY"), page[:_LONGEST_SUMMARY] + "\n")
    _append(environment.get("GITHUB_OUTPUT"), _outputs(reports[0][1]))
    _append(wanted.output, page)
    if wanted.comment and service is not None:
        try:
            service.comment(page)
        except ErrtriageError as error:
            _complain(f"no comment: {error}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m errtriage.bot.ci", description=__doc__)
    parser.add_argument("logs", nargs="*", help="logs of this job (patterns); none: those of the run's failed jobs")
    parser.add_argument("--service", choices=["github", "gitlab"], help="where the run is; found out where left out")
    parser.add_argument("--comment", action="store_true", help="comment on the pull or merge request")
    parser.add_argument("--annotate", action="store_true", help="print annotations for GitHub")
    parser.add_argument("--output", help="append the report, as Markdown, to this file")
    parser.add_argument("--no-redact", action="store_true", help="leave secrets, names and hosts as they are")
    parser.add_argument("--lang", default="en", help="en or zh")
    parser.add_argument("--knowledge", action="append", default=[], help="a folder of your own entries")
    return parser


def _service(wanted: argparse.Namespace, environment: Mapping[str, str]) -> Service | None:
    name = wanted.service or ("github" if environment.get("GITHUB_ACTIONS") else None)
    name = name or ("gitlab" if environment.get("GITLAB_CI") else None)
    if name is None:
        return None
    return GitHub(environment) if name == "github" else GitLab(environment)


def _jobs(wanted: argparse.Namespace, service: Service | None, folder: Path) -> list[tuple[str, list[str]]]:
    """Return the jobs to explain: names and the paths of their logs."""
    if wanted.logs:
        paths = [path for pattern in wanted.logs for path in sorted(glob.glob(pattern, recursive=True))]  # noqa: PTH207
        return [("", paths)] if paths else []
    if service is None:
        _complain("give the logs: this is neither a run of GitHub nor of GitLab")
        return []
    try:
        return [(name, [path]) for name, path in service.failed_jobs(folder, _MOST_JOBS)]
    except ErrtriageError as error:
        _complain(f"the logs of the failed jobs could not be fetched: {error}")
        return []


def _report(name: str, paths: Sequence[str], wanted: argparse.Namespace) -> Report | None:
    try:
        report = triage_sources(list(open_paths(paths)), knowledge=_knowledge(wanted), source_root=Path())
        if report.explanations:
            report = with_surroundings(report, [from_file(one.name) for one in report.sources])
    except ErrtriageError as error:
        _complain(f"{name or 'the log'}: {error}")
        return None
    return report if wanted.no_redact else redact_report(report)


def _knowledge(wanted: argparse.Namespace) -> Knowledge:
    folders = [Path(folder) for folder in wanted.knowledge]
    for folder in folders:
        if not folder.is_dir():
            _complain(f"{folder}: no such folder of knowledge")
    known = load_knowledge([*configured_folders(), *folders], lang=wanted.lang)
    for problem in known.problems:
        _complain(f"left out: {problem}")
    return known


def _annotations(report: Report, view: View, workspace: Path) -> str:
    """Return annotations whose files are named as the repository names them, so that they stand beside the code."""
    text = renderer("github")(report, view)
    return _FILE.sub(lambda found: _in_workspace(found[0], workspace), text)


def _in_workspace(path: str, workspace: Path) -> str:
    parts = path.replace(_COLON, ":").replace(_COMMA, ",").split("/")
    for at in range(len(parts)):
        name = "/".join(parts[at:])
        if name and ".." not in parts[at:] and (workspace / name).is_file() and not name.startswith("/"):
            return name.replace(":", _COLON).replace(",", _COMMA)
    return path


def _outputs(report: Report) -> str:
    first = report.explanations[0].id if report.explanations else ""
    return f"verdict={report.verdict}\nid={first}\nheadline={excerpt(report.headline, 300)}\n"


def _append(path: str | None, text: str) -> None:
    if not path:
        return
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        _complain(f"{path}: {error.strerror}")


def _complain(text: str) -> None:
    sys.stderr.write(f"errtriage: {text}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
