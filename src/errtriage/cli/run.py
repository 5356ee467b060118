"""`errtriage run [OPTIONS] -- COMMAND…`: start it, pass its output through, explain it where it fails."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from errtriage.cli.options import Explain
from errtriage.cli.pipe import REPORT_WAIT, check_options, fold_of, print_text, reports_alone, silence_stdout, work_of
from errtriage.errors import ErrtriageError
from errtriage.live import ending as endings
from errtriage.live.analyser import start
from errtriage.live.analysis import Answer
from errtriage.live.complaints import complain
from errtriage.live.log_file import LogFile
from errtriage.live.outlet import Outlet
from errtriage.live.pipes import fill_standard
from errtriage.live.supervise import Start, Supervisor
from errtriage.values import dataclass

if TYPE_CHECKING:
    from errtriage.knowledge import Knowledge
    from errtriage.model import Report

# Variables that are always set, unless they are already: what they are for.
ALWAYS: Mapping[str, str] = {"PYTHONFAULTHANDLER": "1", "PYTHONUNBUFFERED": "1"}
# Variables that `--diagnose` sets, each with what it brings and costs.
DIAGNOSE: Mapping[str, tuple[str, str]] = {
    "CUDA_LAUNCH_BLOCKING": ("1", "kernels run one at a time, so that tracebacks show the true line; slower"),
    "HIP_LAUNCH_BLOCKING": ("1", "the same on AMD GPUs"),
    "TORCH_SHOW_CPP_STACKTRACES": ("1", "errors from C++ carry their C++ frames"),
    "TORCH_DISTRIBUTED_DEBUG": ("DETAIL", "collectives are compared over the ranks; slower"),
    "TORCH_NCCL_TRACE_BUFFER_SIZE": ("2000", "a hang leaves a record of the last collectives"),
    "TORCH_NCCL_DUMP_ON_TIMEOUT": ("1", "that record is written at a timeout"),
    "NCCL_DEBUG": ("WARN", "NCCL says why it fails"),
}
_ON_FAILURE_SECONDS = 60.0
_BLOCKING = {"CUDA_LAUNCH_BLOCKING": "1", "HIP_LAUNCH_BLOCKING": "1"}
_CPU = {"CUDA_VISIBLE_DEVICES": "", "HIP_VISIBLE_DEVICES": ""}


@dataclass(slots=True, kw_only=True)
class Run:
    """The parsed options of `run` alone; `rerun_limit` is in minutes."""

    command: list[str]
    separate: bool = False
    diagnose: bool = False
    rerun_on_assert: bool = False
    on_cpu: bool = False
    rerun_limit: float | None = None
    on_failure: str | None = None
    notify: tuple[str, ...] = ()


def run(options: Explain, wishes: Run) -> int:
    """Run the command, report on it, and return its exit status."""
    if not wishes.command:
        raise ErrtriageError("run needs a command: errtriage run -- python train.py")
    check_options(options)
    fill_standard()
    log = LogFile(options.log) if options.log else None
    try:
        return _Runs(options, wishes, log).all()
    except BrokenPipeError:
        silence_stdout()
        return 0
    finally:
        if log is not None:
            log.close()


class _Runs:
    """The run, and the second one after a device-side assertion where it is wanted."""

    def __init__(self, options: Explain, wishes: Run, log: LogFile | None) -> None:
        self._options, self._wishes, self._log = options, wishes, log
        self._alone = reports_alone(options)
        self._shown = False

    def all(self) -> int:
        extra = _environment(os.environ, self._wishes)
        first, answer = self._once(extra, None, "<run>")
        if self._wishes.rerun_on_assert and first.status and answer.get("late") and not _is_exact(extra):
            self._again(extra, first, answer)
        elif not self._shown and (first.status or self._alone or answer.get("verdict") in ("failed", "suspect")):
            self._show(answer)
        if first.status and self._wishes.on_failure:
            _tell(self._wishes.on_failure, answer)
        if self._wishes.notify and (first.status or answer.get("verdict") in ("failed", "suspect")):
            _notify(self._wishes.notify, first.status, answer)
        return first.status

    def _again(self, extra: Mapping[str, str], first: endings.Ending, answer: Answer) -> None:
        changed = _CPU if self._wishes.on_cpu else _BLOCKING
        how = "on the CPU" if self._wishes.on_cpu else "with CUDA_LAUNCH_BLOCKING=1"
        minutes = self._wishes.rerun_limit
        limit = 60 * minutes if minutes is not None else 3 * first.seconds + 60
        complain(f"a device-side assertion; running once more {how}, for {endings.duration(limit)} at most")
        before = pickle.loads(answer["report"])  # made by our own child, a moment ago
        ended, second = self._once({**extra, **changed}, limit, "<second run>", (before, how))
        if ended.stopped:
            complain("the second run did not fail in its time; this is the report of the first")
        elif "trouble" in second:
            complain(f"no report of the second run: {second['trouble']}")
        else:
            answer.update(second)
        self._show(answer)

    def _once(
        self, extra: Mapping[str, str], limit: float | None, name: str, before: tuple[Report, str] | None = None
    ) -> tuple[endings.Ending, Answer]:
        options = self._options
        fork_first = start(work_of(options, name, _After(options, self._wishes, exact=_is_exact(extra), before=before)))
        output = None if self._alone else Outlet(1, fold=fold_of(options))
        errors = None if self._alone else Outlet(2, "standard error")
        how = Start(
            command=self._wishes.command,
            environment=extra,
            terminal=not (self._alone or self._wishes.separate) and sys.stdout.isatty() and hasattr(os, "openpty"),
            separate=self._wishes.separate,
            limit=limit,
        )
        supervisor = Supervisor(how, (output, errors), analyser=fork_first, log=self._log, report=self._show)
        try:
            ended = supervisor.run()
            if supervisor.reader_gone:
                silence_stdout()
                return ended, {}
            told, words = endings.lines(ended), supervisor.last_words()
            supervisor.keep(told)
            answer = fork_first.wait(REPORT_WAIT)
            if ended.status and output is not None:
                output.write((b"\n" if output.in_line else b"") + told.encode())
        finally:
            fork_first.end()
        self._add_ending(answer, endings.to_dict(ended, words))
        return ended, answer

    def _add_ending(self, answer: Answer, ended: Mapping[str, object]) -> None:
        """Put how the command ended into the JSON forms of the report."""
        for key in ("json", *(["text"] if self._options.format == "json" else [])):
            if answer.get(key):
                answer[key] = json.dumps({**json.loads(answer[key]), "run": ended}, indent=1, ensure_ascii=False) + "\n"

    def _show(self, answer: Answer) -> None:
        self._shown = True
        if "trouble" in answer:
            complain(f"no report: {answer['trouble']}")
        else:
            print_text(answer.get("text", ""))


class _After:
    """What is done with a report before it is rendered: places made exact, a first run merged in, more told."""

    def __init__(self, options: Explain, wishes: Run, *, exact: bool, before: tuple[Report, str] | None) -> None:
        self._options, self._wishes, self._exact, self._before = options, wishes, exact, before

    def __call__(self, report: Report, known: Knowledge) -> tuple[Report, Answer]:
        from errtriage.live.rerun import LATE_TAGS, exact, merged

        if self._exact:
            report = exact(report)
        if self._before is not None:
            report = merged(self._before[0], report, self._before[1])
        more: Answer = {}
        if self._wishes.rerun_on_assert:
            tags = {tag for one in report.explanations if one.id in known.by_id for tag in known.entry(one.id).tags}
            more = {"late": bool(tags & LATE_TAGS), "report": pickle.dumps(report)}
        if self._wishes.on_failure:
            from errtriage.cli.explain import rendered

            more["json"] = rendered(report, self._options, "json")
        if self._wishes.notify:
            from errtriage.cli.explain import language_of
            from errtriage.redact import redact_report
            from errtriage.render.words import View
            from errtriage.render.words_card import card_lines

            more["card"] = card_lines(redact_report(report), View(lang=language_of(self._options)))
        return report, more


def _is_exact(extra: Mapping[str, str]) -> bool:
    """Return whether kernels run one at a time, so that no line is reported late."""
    return any({**os.environ, **extra}.get(name) == "1" for name in _BLOCKING)


def _environment(present: Mapping[str, str], wishes: Run) -> dict[str, str]:
    """Return the variables to add, and tell of them."""
    added = {name: value for name, value in ALWAYS.items() if name not in present}
    if wishes.diagnose:
        for name, (value, why) in DIAGNOSE.items():
            if name not in present:
                added[name] = value
                complain(f"sets {name}={value}: {why}")
    told = " ".join(f"{name}={value}" for name, value in added.items() if name in ALWAYS)
    if told:
        complain(f"sets {told}")
    return added


def _tell(command: str, answer: Answer) -> None:
    """Hand the report to the person's own command; whatever becomes of that changes nothing."""
    text = answer.get("json") or json.dumps({"trouble": answer.get("trouble", "no report")})
    try:
        done = subprocess.run(
            command, shell=True, input=text.encode(), stdout=sys.stderr, timeout=_ON_FAILURE_SECONDS, check=False
        )
        if done.returncode:
            complain(f"--on-failure: {command}: exit status {done.returncode}")
    except (OSError, subprocess.SubprocessError) as error:
        complain(f"--on-failure: {error}")


def _notify(urls: Sequence[str], status: int, answer: Answer) -> None:
    """Send the card to the services that were asked for; whatever becomes of that changes nothing."""
    from errtriage.bot.notify import notify

    title = f"errtriage: the command ended with {status}" if status else "errtriage: the run is suspect"
    try:
        notify(urls, title, answer.get("card") or [f"No report: {answer.get('trouble', 'the analysis had no answer')}"])
    except ErrtriageError as error:
        complain(f"--notify: {error}")


def command_of(words: Sequence[str]) -> list[str]:
    """Return the command that was given, without the `--` before it."""
    return list(words[1:] if words[:1] == ["--"] else words)
