"""`errtriage lint` as people, CI systems and hooks call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from errtriage.cli import run
from errtriage.cli.lint_formats import rules_page

ROOT = Path(__file__).parents[1]
WRONG = """\
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 10), nn.Softmax(dim=1))
loss = nn.CrossEntropyLoss()(model(torch.randn(8, 4)), torch.zeros(8).long())
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "train.py").write_text(WRONG, encoding="utf-8")
    (tmp_path / "sound.py").write_text(WRONG.replace(", nn.Softmax(dim=1)", ""), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_finding_is_one_line_and_exit_status_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The usual form of linters: file, line, column, id, message."""
    assert run(["lint", "train.py"]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("train.py:4:41: softmax-before-cross-entropy ends in Softmax")


def test_a_sound_file_is_silence_and_exit_status_0(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing found prints nothing."""
    assert run(["lint", "sound.py"]) == 0
    assert capsys.readouterr().out == ""


def test_a_folder_is_walked_without_environments(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All Python files below a folder are checked, but not those of a virtual environment in it."""
    inner = folder / ".venv" / "lib"
    inner.mkdir(parents=True)
    (inner / "other.py").write_text(WRONG, encoding="utf-8")
    assert run(["lint"]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_exit_zero_select_and_ignore(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Findings need not fail, and rules can be chosen and left out."""
    assert run(["lint", "train.py", "--exit-zero"]) == 0
    assert run(["lint", "train.py", "--select", "graph-cut"]) == 0
    assert run(["lint", "train.py", "--ignore", "softmax-before-cross-entropy"]) == 0
    assert run(["lint", "train.py", "--select", "softmax-before-cross-entropy"]) == 1


@pytest.mark.parametrize("arguments", [["missing.py"], ["train.py", "--select", "x"], ["train.py", "-f", "x"]])
def test_what_is_not_there_is_exit_status_2(
    folder: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing path, an unknown rule and an unknown format are told in one line."""
    assert run(["lint", *arguments]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_json_holds_every_field(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON form is a list of findings."""
    run(["lint", "train.py", "--format", "json"])
    (finding,) = json.loads(capsys.readouterr().out)
    assert (finding["rule"], finding["file"], finding["line"], finding["column"]) == (
        "softmax-before-cross-entropy",
        "train.py",
        4,
        41,
    )
    assert finding["message"]
    assert finding["seen"]


def test_sarif_names_the_rule_and_the_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """SARIF 2.1.0: one run, its rules, a result that points into the file."""
    run(["lint", "train.py", "--format", "sarif"])
    told = json.loads(capsys.readouterr().out)
    (only,) = told["runs"]
    (result,) = only["results"]
    assert told["version"] == "2.1.0"
    assert only["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 4, "startColumn": 41}


def test_github_annotations_are_escaped(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A workflow command for each finding, on one line."""
    run(["lint", "train.py", "--format", "github"])
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("::warning file=train.py,line=4,col=41,title=softmax-before-cross-entropy::")


def test_a_broken_file_is_a_finding(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is no Python is told with its line, and the others are still checked."""
    (folder / "broken.py").write_text("def f(:\n", encoding="utf-8")
    assert run(["lint", "broken.py", "train.py"]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("broken.py:1:7: syntax-error")
    assert "softmax-before-cross-entropy" in second


def test_the_page_of_the_rules_is_current() -> None:
    """docs/lint.md ends with what the rules themselves say."""
    assert (ROOT / "docs" / "lint.md").read_text(encoding="utf-8").endswith("## The rules\n\n" + rules_page())


def test_the_hook_runs_the_command() -> None:
    """The hook of pre-commit starts `errtriage lint` on Python files."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert (hook["entry"], hook["types"]) == ("errtriage lint", ["python"])
