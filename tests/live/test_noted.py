"""Real remarks that explain nothing: they are known for what they are, and the report counts none of them as a fault.

Lines at a program's head say what is expected: `# notes:` the entries of its warnings, `# expect:` the fault that
stands first beside them; without one nothing is told. With --fixed the warning is gone.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from program_heads import listed
from program_runs import run

from errtriage.cli.kb_trial import hits_of
from errtriage.knowledge import Knowledge, load_knowledge
from errtriage.triage import triage

PROGRAMS = sorted((Path(__file__).parent / "noted").glob("*.py"))
pytestmark = pytest.mark.live


@cache
def knowledge() -> Knowledge:
    return load_knowledge()


def output(program: Path, *arguments: str) -> str:
    return run(program, *arguments).stdout.decode(errors="replace")


def remarks(log: str) -> list[str]:
    """The warnings of a log, each with the line of code that Python quotes below it."""
    lines = log.splitlines()
    starts = [at for at, line in enumerate(lines) if re.search(r":\d+: \w+Warning: ", line)]
    return ["\n".join(lines[at : at + 2]) for at in starts]


@pytest.mark.parametrize("program", [pytest.param(path, id=path.stem) for path in PROGRAMS])
def test_a_remark_is_known_and_not_counted(program: Path) -> None:
    """Each warning is that of its entry, no report tells it, and a fault beside it stands first and by itself."""
    pytest.importorskip("torch")
    noted, wanted = listed(program, "notes"), listed(program, "expect")
    assert noted
    log = output(program)
    assert remarks(log)
    assert all(set(hits_of(remark, knowledge())) & noted for remark in remarks(log)), log
    report = triage(log)
    assert not noted & {one.id for one in report.explanations}
    if wanted:
        assert report.explanations[0].id in wanted
        assert report.explanations[0].explained_by is None
    else:
        assert (report.verdict, report.explanations) == ("clean", ())

    mended = output(program, "--fixed")
    assert not remarks(mended), mended
    assert (triage(mended).verdict, triage(mended).explanations) == ("clean", ())
