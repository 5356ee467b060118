"""Failing programs under the wrappers that people train with: each is explained rightly, and runs when it is mended.

The heads of the programs say what is expected as those of `test_programs` do; `# notes:` names remarks that a cause of
the first explanation rests on, `# run:` options of the interpreter. ERRTRIAGE_WRAPPERS_PYTHON names the interpreter of
the wrappers; a wrapper that it lacks is skipped. Detectron2 may stand on PYTHONPATH.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from program_heads import header, lacking, listed

from errtriage.cli.kb_trial import hits_of
from errtriage.knowledge import load_knowledge
from errtriage.triage import triage

PROGRAMS = Path(__file__).parent / "wrappers"
PYTHON = os.environ.get("ERRTRIAGE_WRAPPERS_PYTHON", sys.executable)
NEEDS = {
    "huggingface": ("transformers", "datasets", "peft", "trl"),
    "lightning": ("lightning",),
    "keras": ("keras", "torch"),
    "nbclient": ("nbclient", "ipykernel"),
    "onnx": ("onnx", "onnxscript", "torch"),
    "pytest": ("pytest", "xdist", "pytest_timeout"),
}
NOTHING = "nothing"
pytestmark = pytest.mark.live


@cache
def has(module: str) -> bool:
    """Whether the interpreter finds a module, without importing it."""
    code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is None)"
    return subprocess.run([PYTHON, "-c", code], check=False, capture_output=True, timeout=60).returncode == 0


def run(program: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run a copy of the program in a folder of its own, by the launcher of its header."""
    shutil.copy(program, folder)
    quiet = {"PYTHONUNBUFFERED": "1", "OMP_NUM_THREADS": "1", "KERAS_BACKEND": "torch", "HF_HUB_OFFLINE": "1"}
    return subprocess.run(
        [PYTHON, *shlex.split(header(program, "run")), program.name, *arguments],
        cwd=folder,
        env={**os.environ, **quiet},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize(
    "program",
    [pytest.param(path, id=f"{path.parent.name}/{path.stem}") for path in sorted(PROGRAMS.glob("*/*.py"))],
)
def test_the_wrapped_fault_is_explained(program: Path, tmp_path: Path) -> None:
    """The program's output is given its id first, and with --fixed it ends well and nothing is said."""
    wrapper = program.parent.name
    modules = {*NEEDS.get(wrapper, (wrapper,)), *listed(program, "modules")}
    if not all(map(has, modules)):
        pytest.skip(f"{PYTHON} has not all of {', '.join(sorted(modules))}")
    if missing := lacking(program):
        pytest.skip(f"no {', '.join(missing)} here")
    broken = run(program, tmp_path)
    told = triage(broken.stdout).explanations
    wanted = listed(program, "expect")
    if wanted == {NOTHING}:
        assert broken.returncode == 0, broken.stdout.decode(errors="replace")[-2000:]
        assert not told
        log = broken.stdout.decode(errors="replace")
        assert not listed(program, "notes") or listed(program, "notes") <= set(hits_of(log, load_knowledge()))
        return
    assert told, broken.stdout.decode(errors="replace")[-2000:]
    likeliest = [cause.id for cause in told[0].causes[:1]]
    assert {told[0].id, *likeliest} & wanted
    assert not header(program, "cause") or likeliest == [header(program, "cause")]
    assert listed(program, "told") <= {one.id for one in told}
    reasons = [why for cause in told[0].causes for why in cause.because]
    assert all(any(name in why for why in reasons) for name in listed(program, "notes"))
    mended_in = tmp_path / "mended"
    mended_in.mkdir()
    mended = run(program, mended_in, "--fixed")
    assert mended.returncode == 0, mended.stdout.decode(errors="replace")[-2000:]
    assert not triage(mended.stdout).explanations
