"""Real torch programs under `run`, the pipe, `install()` and a notebook: the right answer, with the tensors in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.live
ERRTRIAGE = [sys.executable, "-m", "errtriage"]

STEP = """
import torch
from torch import nn

def step(model, x, y):
    logits = model(x)
    return nn.functional.cross_entropy(logits, y)

model = nn.Linear(4, 3)
"""
LABELS = STEP + "step(model, torch.randn(8, 4), torch.tensor([1, 2, 3, 1, 2, 3, 1, 2]))\n"
SHAPES = STEP + "step(model, torch.randn(8, 5), torch.zeros(8, dtype=torch.long))\n"
EMBEDDING = STEP + "table = nn.Embedding(10, 4); ids = torch.tensor([[1, 2, 12]]); table(ids)\n"
PROBABILITIES = STEP + "out = torch.tensor([0.5, -2.0, 3.0]); nn.BCELoss()(out, torch.ones(3))\n"
NONFINITE = STEP + "x = torch.tensor([1.0, float('nan')]); torch.distributions.Normal(x, 1.0)\n"
DTYPES = STEP + "x = torch.randn(8, 4, dtype=torch.float64); model(x)\n"

CASES = [
    pytest.param(LABELS, "target-out-of-range", "y.max() is 3, and logits has 3 classes", id="labels"),
    pytest.param(SHAPES, "matmul-shape-mismatch", "(8, 5)", id="shapes"),
    pytest.param(EMBEDDING, "embedding-index-out-of-range", "ids.max() is 12, and", id="embedding"),
    pytest.param(PROBABILITIES, "bce-input-not-probability", "out goes from -2 to 3, not from 0 to 1", id="bce"),
    pytest.param(NONFINITE, "distribution-parameter-invalid", "x holds 1 NaN", id="nan"),
    pytest.param(DTYPES, "dtype-mismatch", "float64", id="dtypes"),
]
SMALL = {"PYTHONUNBUFFERED": "1", "OMP_NUM_THREADS": "1"}


@pytest.fixture(autouse=True)
def _needs_torch() -> None:
    pytest.importorskip("torch")


def finished(command: list[str], **more) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **SMALL}
    return subprocess.run(command, capture_output=True, text=True, timeout=180, check=False, env=environment, **more)


@pytest.mark.parametrize(("code", "entry", "words"), CASES)
def test_install_tells_what_only_the_process_knows(tmp_path: Path, code: str, entry: str, words: str) -> None:
    """The report after the traceback names the fault and the values of this very batch."""
    program = tmp_path / "train.py"
    program.write_text("import errtriage; errtriage.install()\n" + code, encoding="utf-8")
    done = finished([sys.executable, str(program)])
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback (most recent call last):")
    assert f"  {entry} · " in done.stderr
    assert words in done.stderr


@pytest.mark.parametrize(("code", "entry", "words"), CASES)
def test_run_explains_a_program_that_knows_nothing_of_us(tmp_path: Path, code: str, entry: str, words: str) -> None:
    """The same programs under `errtriage run`: the right entry, the line, the exit code."""
    program = tmp_path / "train.py"
    program.write_text(code, encoding="utf-8")
    done = finished([*ERRTRIAGE, "run", "--format=json", "--", sys.executable, str(program)])
    told = json.loads(done.stdout)
    assert told["explanations"][0]["id"] == entry
    assert told["explanations"][0]["where"]["file"] == str(program)
    assert (told["run"]["exit_code"], done.returncode) == (1, 1)


def test_a_program_that_grows_until_it_is_killed_is_told_with_its_memory(tmp_path: Path) -> None:
    """What a run held when it was killed stands in the report of `run`."""
    program = tmp_path / "train.py"
    program.write_text(
        "import os, signal, torch\nx = torch.ones(100_000_000, dtype=torch.uint8)\nimport time; time.sleep(3)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n",
        encoding="utf-8",
    )
    done = finished([*ERRTRIAGE, "run", "--format=json", "--", sys.executable, str(program)])
    told = json.loads(done.stdout)
    assert told["run"]["signal"] == "SIGKILL"
    assert told["run"]["peak_memory"] > 200_000_000
    assert done.returncode == 137


def test_a_good_program_is_left_alone(tmp_path: Path) -> None:
    """A training that ends well prints what it would have printed."""
    program = tmp_path / "train.py"
    program.write_text(
        "import errtriage; errtriage.install()\n"
        + STEP
        + "print(step(model, torch.randn(8, 4), torch.zeros(8).long()) > 0)\n",
        encoding="utf-8",
    )
    done = finished([sys.executable, str(program)])
    assert (done.stdout, done.stderr, done.returncode) == ("tensor(True)\n", "", 0)
    under = finished([*ERRTRIAGE, "run", "--", sys.executable, str(program)])
    assert (under.stdout, under.returncode) == ("tensor(True)\n", 0)


def test_a_subclass_of_tensor_is_not_asked(tmp_path: Path) -> None:
    """A tensor class of the user's own, that raises at every touch, harms neither the traceback nor the report."""
    program = tmp_path / "train.py"
    program.write_text(
        "import errtriage; errtriage.install()\nimport torch\n"
        "class Odd(torch.Tensor):\n"
        "    @classmethod\n"
        "    def __torch_function__(cls, *a, **k):\n"
        "        print('touched'); raise RuntimeError('touched')\n"
        "    def __repr__(self): print('repr'); raise RuntimeError\n"
        "def step():\n"
        "    odd = torch.ones(3).as_subclass(Odd)\n"
        "    raise IndexError('Target 3 is out of bounds.')\n"
        "step()\n",
        encoding="utf-8",
    )
    done = finished([sys.executable, str(program)])
    assert done.stdout == ""
    assert "target-out-of-range" in done.stderr


@pytest.mark.parametrize("first", ["%load_ext errtriage", "import errtriage; errtriage.install()"])
def test_a_notebook_explains_its_cell(first: str) -> None:
    """In a notebook that nbclient executes the cell shows its own traceback, then the report with the values."""
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    nbformat = pytest.importorskip("nbformat")
    cells = [nbformat.v4.new_code_cell(text) for text in (first, LABELS, "print('next')")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", allow_errors=True).execute()
    outputs = notebook.cells[1].outputs
    assert [one.output_type for one in outputs] == ["error", "stream"]
    assert outputs[0].ename == "IndexError"
    assert "target-out-of-range" in outputs[1].text
    assert "y.max() is 3, and logits has 3 classes" in outputs[1].text
    assert notebook.cells[2].outputs[0].text == "next\n"
