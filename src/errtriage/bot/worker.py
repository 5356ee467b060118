"""One analysis in a process of its own, with a limit on its time and memory: a hostile log can harm nothing else."""

from __future__ import annotations

import io
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from errtriage.errors import ErrtriageError, TransportError
from errtriage.knowledge import configured_folders, load_knowledge
from errtriage.model import Report
from errtriage.redact import redact_report
from errtriage.sources import from_bytes
from errtriage.sources.surroundings import with_surroundings
from errtriage.triage import triage_sources
from errtriage.values import dataclass

_SECRET_NAMES = ("TOKEN", "SECRET", "PASSWORD", "KEY", "CREDENTIAL")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one analysis may take: wall-clock seconds, and bytes of address space (where the system has such limits)."""

    seconds: float = 60.0
    memory: int = 4 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What one analysis is given: logs as names and bytes, folders of knowledge, redacted or not, the language."""

    logs: tuple[tuple[str, bytes], ...]
    knowledge: tuple[str, ...] = ()
    redact: bool = True
    lang: str = "en"


class AnalysisError(TransportError):
    """An analysis had no answer; `limit` names the limit it reached: time, memory or none."""

    def __init__(self, text: str, limit: str = "none") -> None:
        """Take a text that ends a sentence."""
        super().__init__(text)
        self.limit = limit


def analyse(work: Work, limits: Limits) -> Report:
    """Return the report on some logs, which are one job.

    Raises:
        AnalysisError: It took too long, needed too much memory, or died.
    """
    request = pickle.dumps((work, limits.memory))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "errtriage.bot.worker"],
            input=request,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=limits.seconds,
            env=_environment(),
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise AnalysisError(f"the analysis took more than {limits.seconds:g} seconds", "time") from None
    try:
        answer: Any = pickle.loads(done.stdout)  # made by our own child, a moment ago
    except Exception:
        raise AnalysisError("the analysis ended without an answer, perhaps out of memory", "memory") from None
    if isinstance(answer, Report):
        return answer
    raise AnalysisError(*answer)


def _environment() -> dict[str, str]:
    """Return our variables without those that hold secrets: the analysis needs none."""
    kept = {name: value for name, value in os.environ.items() if not any(word in name for word in _SECRET_NAMES)}
    return {**kept, "PYTHONSAFEPATH": "1"}


def explained(work: Work) -> Report:
    """Return the report on some logs, with the lines around its evidence, in this process and without limits."""

    def sources() -> Sequence[Any]:
        return [from_bytes(name, data) for name, data in work.logs]

    known = load_knowledge([*configured_folders(), *map(Path, work.knowledge)], lang=work.lang)
    report = triage_sources(sources(), knowledge=known)
    if report.explanations:
        report = with_surroundings(report, sources())
    return redact_report(report) if work.redact else report


def _limit_memory(most: int) -> None:
    try:
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard if hard == resource.RLIM_INFINITY or hard > most else most))
    except (ImportError, AttributeError, ValueError, OSError):
        pass  # no such limit on this system: the one on time holds


def main(stdin: io.BufferedIOBase | Any, stdout: io.BufferedIOBase | Any) -> None:
    """Answer one request: a pickled report, or a trouble as text and the limit that was reached."""
    work, memory = pickle.load(stdin)
    _limit_memory(memory)
    answer: Any
    try:
        answer = pickle.dumps(explained(work))
    except (MemoryError, ImportError):  # where no memory is left, a module can not be loaded either
        answer = pickle.dumps(("the analysis needed too much memory", "memory"))
    except ErrtriageError as error:
        answer = pickle.dumps((str(error), "none"))
    except Exception as error:
        answer = pickle.dumps((f"a bug in errtriage ({type(error).__name__})", "none"))
    stdout.write(answer)


if __name__ == "__main__":
    from errtriage.bot import worker  # the pickled classes belong to the module by its full name

    worker.main(sys.stdin.buffer, sys.stdout.buffer)
