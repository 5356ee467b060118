"""What the program's own source adds to an explanation, and what it may never add."""

from __future__ import annotations

from pathlib import Path

import pytest

from errtriage.model import Frame
from errtriage.source_check.near import rules_near
from errtriage.triage import triage

MODEL = """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 10)

    def forward(self, x):
        return torch.softmax(self.fc(x), dim=1)
"""
TRAIN = """\
import torch
from torch import nn
from model import Net

model = Net()
criterion = nn.CrossEntropyLoss()
loss = criterion(model(torch.randn(8, 4)), torch.zeros(8).long())
"""
QUOTED = "loss = criterion(model(torch.randn(8, 4)), torch.zeros(8).long())"
FLOOR = "".join(
    f"epoch {n} loss {value} acc {accuracy}\n"
    for n, (value, accuracy) in enumerate(
        zip(
            (2.19, 1.81, 1.62, 1.53, 1.50, 1.491, 1.485, 1.482, 1.479, 1.478),
            (0.31, 0.66, 0.85, 0.94, 0.965, 0.975, 0.98, 0.981, 0.984, 0.985),
            strict=True,
        )
    )
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "model.py").write_text(MODEL, encoding="utf-8")
    (root / "train.py").write_text(TRAIN, encoding="utf-8")
    return root


def frame(file: str, line: int = 7, code: str | None = QUOTED) -> Frame:
    return Frame(file=file, line=line, code=code)


@pytest.mark.parametrize("file", ["train.py", "./train.py", "/home/u/project/train.py", "C:\\work\\train.py"])
def test_a_quoted_file_is_read_wherever_it_was_run(project: Path, file: str) -> None:
    """A path of another machine is found by its end, where the quoted line stands in the file."""
    assert rules_near([frame(file)], None, project).broken == {
        "softmax-before-cross-entropy": (
            "model.py:10 ends in Softmax, and cross entropy at line 7 of train.py applies another"
        )
    }


@pytest.mark.parametrize(
    "command", ["python train.py --epochs 3", "torchrun --nproc_per_node 2 ./train.py", "python -m train"]
)
def test_the_script_of_the_command_is_read(project: Path, command: str) -> None:
    """Where no line is quoted, as in a silent run, the script that the log shows is looked at."""
    assert "softmax-before-cross-entropy" in rules_near([], command, project).broken


def test_a_file_that_changed_lifts_nothing_and_is_told(project: Path) -> None:
    """Where a quoted line is not that of the file, the file is of another run."""
    near = rules_near([frame("train.py", line=6)], "python train.py", project)
    assert near.broken == {}
    assert "train.py" in near.changed[0]


def test_a_frame_without_its_line_lifts_nothing(project: Path) -> None:
    """What can not be compared is not used."""
    assert rules_near([frame("train.py", code=None)], None, project).broken == {}


@pytest.mark.parametrize("file", ["../train.py", "/etc/passwd", "train.txt", "no\x00such.py", "." * 5000 + ".py", ""])
def test_nothing_outside_of_the_root_is_read(project: Path, file: str) -> None:
    """Paths that lead upwards, elsewhere or nowhere find nothing, and raise nothing."""
    inner = project / "inner"
    inner.mkdir()
    assert rules_near([frame(file)], f"python {file}", inner).broken == {}


def test_a_link_out_of_the_root_is_not_followed(project: Path) -> None:
    """Links are resolved before they are judged."""
    inner = project / "inner"
    inner.mkdir()
    (inner / "train.py").symlink_to(project / "train.py")
    (inner / "loop.py").symlink_to(inner / "loop.py")
    assert rules_near([frame("train.py"), frame("loop.py")], "python train.py", inner).broken == {}


def test_a_huge_file_is_left_alone(project: Path) -> None:
    """A source longer than a megabyte is generated, and not read."""
    (project / "train.py").write_text(TRAIN + "# x\n" * 300_000, encoding="utf-8")
    assert rules_near([frame("train.py")], None, project).broken == {}


def test_an_explanation_cites_the_source(project: Path) -> None:
    """The floor in the log and the softmax in the source make one explanation."""
    report = triage(f"$ python train.py\n{FLOOR}", source_root=project)
    first = report.explanations[0]
    assert first.id == "loss-floor-double-softmax"
    assert any(text.startswith("model.py:10 ends in Softmax") for text in first.causes[0].because)


def test_without_a_root_nothing_is_read(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library reads no source unless it is told where."""
    monkeypatch.chdir(project)
    report = triage(f"$ python train.py\n{FLOOR}")
    assert not any("model.py" in text for text in report.explanations[0].causes[0].because)


def test_a_changed_source_is_told_in_the_report(project: Path) -> None:
    """The report asks for the source of the run where the one at hand is another."""
    log = (
        "Traceback (most recent call last):\n"
        '  File "/home/u/train.py", line 7, in <module>\n'
        "    loss = criterion(model(x), y)\n"
        "IndexError: Target 10 is out of bounds.\n"
    )
    report = triage(log, source_root=project)
    assert any("train.py of the run" in text for text in report.collect)
