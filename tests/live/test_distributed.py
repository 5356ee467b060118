"""Real torchrun jobs: what their ranks and launcher print is explained rightly, and the mended job is clean."""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from program_heads import header, listed

from errtriage.triage import triage

PROGRAMS = Path(__file__).parent / "programs" / "distributed"
MENDED = [path for path in sorted(PROGRAMS.glob("*.py")) if '"--fixed"' in path.read_text(encoding="utf-8")]
NOTHING = "nothing"
pytestmark = pytest.mark.live


def a_port_in_use() -> socket.socket:
    """A socket that listens on a port of its own, as another job would."""
    taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    taken.bind(("0.0.0.0", 0))
    taken.listen(1)
    return taken


def run(program: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command of the program's header with all its output in one pipe, in a session of its own."""
    with closing(a_port_in_use()) as taken:
        said = header(program, "run").format(taken=taken.getsockname()[1])
        assert said, f"{program.name} has no `# run:` line"
        launcher, *options = shlex.split(said)
        module = {"torchrun": ["-m", "torch.distributed.run"], "python": []}[launcher]
        rendezvous = (
            [] if "--master-port" in options or not module else ["--rdzv-backend=c10d", "--rdzv-endpoint=127.0.0.1:0"]
        )
        return subprocess.run(
            [sys.executable, *module, *rendezvous, *options, program.name, *arguments],
            cwd=program.parent,
            env={**os.environ, "PYTHONUNBUFFERED": "1", "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            timeout=180,
            check=False,
        )


def run_well(program: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run a job that has no fault, again where gloo aborts a rank: on a loaded machine it does so as ranks leave."""
    for _ in range(3):
        ended = run(program, *arguments)
        if ended.returncode == 0:
            break
    return ended


@pytest.mark.parametrize("program", [pytest.param(path, id=path.stem) for path in sorted(PROGRAMS.glob("*.py"))])
def test_the_job_is_explained(program: Path) -> None:
    """The first answer for a job of several ranks is the fault of its header; of a healthy job nothing is said."""
    pytest.importorskip("torch")
    wanted = listed(program, "expect")
    assert wanted, f"{program.name} has no `# expect:` line"
    report = triage((run_well if wanted == {NOTHING} else run)(program).stdout)
    if wanted == {NOTHING}:
        assert not report.explanations, report.explanations[0].id
        return
    assert report.explanations, report.headline
    first = report.explanations[0]
    causes = [cause.id for cause in first.causes[:1]]
    assert {first.id, *causes} & wanted
    assert causes == [header(program, "cause")] or not header(program, "cause")
    assert listed(program, "told") <= {one.id for one in report.explanations}


@pytest.mark.parametrize("program", [pytest.param(path, id=path.stem) for path in MENDED])
def test_the_mended_job_is_clean(program: Path) -> None:
    """A job with its fault mended ends well, and nothing is said of it."""
    pytest.importorskip("torch")
    ended = run_well(program, "--fixed")
    assert ended.returncode == 0, ended.stdout.decode(errors="replace")[-2000:]
    assert not triage(ended.stdout).explanations
