"""The pipe: `python train.py 2>&1 | errtriage` passes the log through and prints the report at its end."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from errtriage import regex_store
from errtriage.cli.options import Explain
from errtriage.errors import ErrtriageError
from errtriage.language import language
from errtriage.live.analyser import start
from errtriage.live.analysis import Answer, Work
from errtriage.live.complaints import complain
from errtriage.live.log_file import LogFile
from errtriage.live.outlet import Outlet
from errtriage.live.pipes import fill_standard, write_all
from errtriage.live.pump import Pump
from errtriage.live.signal_policy import Signals

if TYPE_CHECKING:
    from errtriage.knowledge import Knowledge
    from errtriage.live.fold import Fold
    from errtriage.model import Report

    After: TypeAlias = Callable[[Report, Knowledge], "tuple[Report, Answer]"]

# Formats that stand in the middle of a log; of any other one nothing but the report is printed.
_BESIDE_A_LOG = frozenset({"terminal", "plain", "github"})
REPORT_WAIT = 60.0  # seconds that the report may take after the end of the stream
_HURRIED_WAIT = 10.0  # the same, after a SIGTERM


def run(options: Explain) -> int:
    """Pass standard input through, print the report, and return the exit status."""
    _check_input()
    fill_standard()
    check_options(options)
    log = LogFile(options.log) if options.log else None
    work = work_of(options, "<stdin>")
    outlet = None if reports_alone(options) else Outlet(1, fold=fold_of(options))
    with Signals() as signals:
        analyser = start(work)
        printed = Printed(outlet)
        try:
            pump = Pump({0: outlet}, signals=signals, analyser=analyser, log=log, report=printed)
            pump.run()
            if not pump.reported:
                printed(analyser.wait(_HURRIED_WAIT if signals.terminated_at else REPORT_WAIT))
        except BrokenPipeError:
            silence_stdout()
            return 0
        finally:
            analyser.end()
            if log is not None:
                log.close()
    return _status(printed.answer, options)


def _status(answer: Answer, options: Explain) -> int:
    """Return 1 where the run died, or where `--exit-code` asks for more; never for trouble of our own."""
    suspect = options.exit_code and answer.get("verdict") in ("failed", "suspect")
    return 1 if (answer.get("ending") == "died" or suspect) and not options.exit_zero else 0


def check_options(options: Explain) -> None:
    """Raise an ErrtriageError for mistakes that must be told before a run starts, rather than at its end."""
    for folder in options.knowledge:
        if not folder.is_dir():
            raise ErrtriageError(f"{folder}: no such folder of knowledge")
    language(options.lang)


def reports_alone(options: Explain) -> bool:
    """Return whether nothing but the report is to be printed."""
    return options.quiet or _format_of(options) not in _BESIDE_A_LOG


def _format_of(options: Explain) -> str:
    from errtriage.cli.explain import wants_colour

    usual = "html" if options.share else "terminal" if wants_colour() else "plain"
    return options.format or usual


def fold_of(options: Explain) -> Fold | None:
    """Return how standard output is folded: on a terminal unless `--raw`, elsewhere with `--collapse` alone."""
    on_terminal = sys.stdout.isatty()
    if options.raw or not (on_terminal or options.collapse):
        return None
    from errtriage.live.fold import Fold

    return Fold(live=on_terminal and os.environ.get("TERM") != "dumb")


def work_of(options: Explain, name: str, after: After | None = None) -> Work:
    """Return what an analyser does: triage the stream and render the report.

    `after` may change the report before it is rendered, and say more in the answer.
    """
    format_name = _format_of(options)

    def work(chunks: Iterator[bytes]) -> Answer:
        from pathlib import Path

        from errtriage.cli.explain import knowledge_of, rendered
        from errtriage.sources import from_chunks
        from errtriage.triage import triage_sources

        known, root = knowledge_of(options), Path(options.source_root or ".")
        report = triage_sources([from_chunks(name, chunks)], knowledge=known, source_root=root)
        more: Answer = {}
        if after is not None:
            report, more = after(report, known)
        text = rendered(report, options, format_name)
        regex_store.keep()
        return {"text": text, "ending": report.ending, "verdict": report.verdict, **more}

    return work


# Where launchers tell a task how many there are (srun, Open MPI, MPICH and Intel MPI); a batch script has none of them.
_TASKS = ("SLURM_STEP_NUM_TASKS", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE")


def is_one_of_many() -> bool:
    """Return whether this pipe belongs to one of several ranks, each of which has a pipe of its own."""
    return any(os.environ.get(name, "").isdecimal() and int(os.environ[name]) > 1 for name in _TASKS)


class Printed:
    """Prints answers of the analyser on standard output, and keeps the last one."""

    def __init__(self, outlet: Outlet | None) -> None:
        """Take the outlet that shares standard output, if one does: the report starts on a line of its own."""
        self._outlet = outlet
        self.answer: Answer = {}

    def __call__(self, answer: Answer) -> None:
        """Print an answer; trouble of the analysis goes to standard error and changes nothing else."""
        self.answer = answer
        if "trouble" in answer:
            complain(f"no report: {answer['trouble']}")
        elif answer.get("text") and not (answer.get("verdict") in ("clean", "unknown") and is_one_of_many()):
            start = "\n" if self._outlet is not None and self._outlet.in_line else ""
            print_text(start + answer["text"])


def print_text(text: str) -> None:
    """Write text to standard output, whatever state that is in; what can not be written is lost quietly.

    Raises:
        BrokenPipeError: Who read it has gone.

    """
    encoding = sys.stdout.encoding or "utf-8"
    if os.linesep != "\n":
        text = text.replace("\n", os.linesep)
    try:
        write_all(1, text.encode(encoding, "backslashreplace"))
    except BrokenPipeError:
        raise
    except OSError:
        return  # a closed terminal or a full disk, of which the outlet has spoken


def silence_stdout() -> None:
    """Let nothing be written to a closed pipe any more, not even when the interpreter ends."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.close(sink)


def _check_input() -> None:
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        raise ErrtriageError("standard input is closed") from None
    if stat.S_ISDIR(mode):
        raise ErrtriageError("standard input is a folder; errtriage explain FOLDER reads one")
