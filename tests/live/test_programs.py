"""Real failing programs: what they print is explained rightly, and they run when the fix is applied."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from program_heads import listed

from errtriage.triage import triage

PROGRAMS = Path(__file__).parent / "programs"
pytestmark = pytest.mark.live


def run(program: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, program.name, *arguments],
        cwd=program.parent,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=180,
        check=False,
    )


@pytest.mark.parametrize("program", [pytest.param(path, id=path.stem) for path in sorted(PROGRAMS.glob("*.py"))])
def test_the_broken_program_is_explained_and_the_mended_one_runs(program: Path) -> None:
    """The output of a program that fails is given its id first, and with --fixed the program ends well and clean."""
    pytest.importorskip("torch")
    broken = triage(run(program).stdout)
    assert broken.explanations, broken.headline
    first = broken.explanations[0]
    assert {first.id, *(cause.id for cause in first.causes[:1])} & (listed(program, "expect") or {program.stem})

    mended = run(program, "--fixed")
    assert mended.returncode == 0, mended.stdout.decode(errors="replace")[-2000:]
    assert not triage(mended.stdout).explanations
