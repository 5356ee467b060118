"""Real programs that fail in silence: the log, the source or both tell it; nothing is said of their mended twins."""

from __future__ import annotations

from pathlib import Path

import pytest
from program_heads import header, listed
from program_runs import run

from errtriage.source_check.check import check_paths
from errtriage.triage import triage

BROKEN = sorted((Path(__file__).parent / "silent").glob("*.broken.py"))
pytestmark = pytest.mark.live


def output(program: Path) -> bytes:
    done = run(program)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    return done.stdout


@pytest.mark.parametrize("program", [pytest.param(path, id=path.name.split(".")[0]) for path in BROKEN])
def test_the_broken_program_is_found_and_the_mended_one_is_clean(program: Path) -> None:
    """What the headers promise is found first in the log and in the source; of the twin neither says anything."""
    pytest.importorskip("torch")
    in_log, in_source = listed(program, "expect"), listed(program, "lint")
    assert in_log | in_source
    told = triage(output(program)).explanations
    if in_log:
        assert {told[0].id, *(cause.id for cause in told[0].causes[:1])} & in_log
        assert header(program, "cause") in ("", told[0].causes[0].id)
    else:
        assert not told
    assert in_source == {finding.rule for finding in check_paths([program])}

    twin = program.with_name(program.name.replace(".broken.", ".fixed."))
    report = triage(output(twin))
    assert (report.verdict, report.explanations) == ("clean", ())
    assert check_paths([twin]) == []
