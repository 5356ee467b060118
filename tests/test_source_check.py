"""The rules of the linter on their own examples, on healthy scripts, and on files that are no programs."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errtriage.knowledge import load_knowledge
from errtriage.model import SourceMatch
from errtriage.source_check.check import check_paths
from errtriage.source_check.rule import PRELUDE, Rule
from errtriage.source_check.rules import RULES

WRONG = [pytest.param(rule, text, id=f"{rule.id}-{n}") for rule in RULES for n, text in enumerate(rule.wrong)]
RIGHT = [pytest.param(rule, text, id=f"{rule.id}-{n}") for rule in RULES for n, text in enumerate(rule.right)]


def rules_of(tmp_path: Path, text: str) -> list[str]:
    file = tmp_path / "train.py"
    file.write_text(text, encoding="utf-8")
    return [finding.rule for finding in check_paths([file])]


@pytest.mark.parametrize(("rule", "text"), WRONG)
def test_a_wrong_example_is_found(rule: Rule, text: str, tmp_path: Path) -> None:
    """A rule finds each of its wrong examples."""
    assert rule.id in rules_of(tmp_path, PRELUDE + text)


@pytest.mark.parametrize(("rule", "text"), RIGHT)
def test_a_right_example_is_quiet(rule: Rule, text: str, tmp_path: Path) -> None:
    """No rule finds anything in a right example."""
    assert rules_of(tmp_path, PRELUDE + text) == []


SILENT = sorted((Path(__file__).parent / "live" / "silent").glob("*.broken.py"))


@pytest.mark.parametrize("program", [pytest.param(path, id=path.name.split(".")[0]) for path in SILENT])
def test_a_program_that_fails_in_silence_is_found_and_its_twin_is_quiet(program: Path) -> None:
    """The rule that a broken program names in its `# lint:` line finds it, and no other one; its twin breaks none."""
    wanted = re.findall(r"^# lint: (.+)$", program.read_text(encoding="utf-8"), re.MULTILINE)
    assert {finding.rule for finding in check_paths([program])} == {*wanted}
    assert check_paths([program.with_name(program.name.replace(".broken.", ".fixed."))]) == []


HEALTHY = sorted((Path(__file__).parent / "sources").glob("*.py"))


@pytest.mark.parametrize("script", [pytest.param(path, id=path.stem) for path in HEALTHY])
def test_a_healthy_script_is_quiet(script: Path) -> None:
    """Whole training scripts of many styles, in which nothing is wrong, break no rule."""
    assert check_paths([script]) == []


BROKEN = sorted((Path(__file__).parent / "sources" / "broken").glob("*.py"))


@pytest.mark.parametrize("script", [pytest.param(path, id=path.stem) for path in BROKEN])
def test_a_broken_script_breaks_its_rule_alone(script: Path) -> None:
    """The same mistakes in other words: the rule that gives the file its name finds it, and no other rule speaks."""
    assert {finding.rule for finding in check_paths([script])} == {script.stem.rpartition("-")[0]}


def test_every_rule_has_a_whole_program_or_an_example_of_its_own_name() -> None:
    """Ids are unique, and each rule has its two kinds of examples."""
    assert len({rule.id for rule in RULES}) == len(RULES)
    assert all(rule.wrong and rule.right and not rule.message.endswith(".") for rule in RULES)


@pytest.mark.parametrize(
    ("comment", "rules"),
    [
        ("", ["softmax-before-cross-entropy"]),
        ("  # noqa", []),
        ("  # noqa: softmax-before-cross-entropy", []),
        ("  # noqa: E501, softmax-before-cross-entropy", []),
        ("  # noqa: graph-cut", ["softmax-before-cross-entropy"]),
    ],
)
def test_noqa_excuses_a_line(comment: str, rules: list[str], tmp_path: Path) -> None:
    """A line that ends in noqa, alone or with the rule's id among others, is left alone."""
    text = f"p = torch.softmax(torch.randn(8, 3), 1){comment}\nloss = F.cross_entropy(p, torch.zeros(8).long())\n"
    assert rules_of(tmp_path, PRELUDE + text) == rules


def test_a_model_of_another_file_is_followed(tmp_path: Path) -> None:
    """The finding points into the file that holds the softmax, whichever file holds the loss."""
    (tmp_path / "net.py").write_text(
        PRELUDE + "class Net(nn.Module):\n    def forward(self, x):\n        return torch.softmax(x, dim=1)\n",
        encoding="utf-8",
    )
    train = tmp_path / "train.py"
    train.write_text(PRELUDE + "from net import Net\nloss = nn.CrossEntropyLoss()(Net()(x), y)\n", encoding="utf-8")
    (finding,) = check_paths([train])
    assert (finding.path.name, finding.line) == ("net.py", 7)


def test_imports_are_not_followed_out_of_the_folder(tmp_path: Path) -> None:
    """A link to a file outside of the folder that is checked is not read."""
    outside = tmp_path / "outside.py"
    outside.write_text(
        PRELUDE + "class Net(nn.Module):\n    def forward(self, x):\n        return torch.softmax(x, dim=1)\n",
        encoding="utf-8",
    )
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "net.py").symlink_to(outside)
    (inside / "train.py").write_text(
        PRELUDE + "from net import Net\nloss = nn.CrossEntropyLoss()(Net()(x), y)\n", encoding="utf-8"
    )
    assert check_paths([inside / "train.py"]) == []


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 500 + ")" * 500,
        "x = 1" + " + 1" * 20_000,
        "\x00",
        "\ufeffx = 1\n",
        "# coding: latin-1\nx = 'é'\n",
    ],
    ids=["brackets", "sum", "nul", "mark", "latin"],
)
def test_odd_sources_never_raise(text: str, tmp_path: Path) -> None:
    """A file that Python itself can not parse is one finding, and others none."""
    assert set(rules_of(tmp_path, PRELUDE + text)) <= {"syntax-error", "unreadable"}


@given(st.text(alphabet="abxy=().,:[]+-*/ \n\t'\"#0123456789", max_size=200))
def test_any_text_is_checked_without_an_error(text: str) -> None:
    """Whatever a file holds, checking it returns findings."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.py"
        file.write_text(PRELUDE + text, encoding="utf-8")
        assert all(finding.line >= 1 and finding.column >= 1 for finding in check_paths([file]))


def test_the_rules_that_entries_name_exist() -> None:
    """Every `lint` condition and `source` match of the knowledge names a rule."""
    known = {rule.id for rule in RULES}
    named = set()
    for entry in load_knowledge().entries:
        named |= {row.source for row in entry.match if isinstance(row, SourceMatch)}
        named |= {one.value for cause in entry.causes for one in cause.when if one.kind == "lint"}
    assert named <= known
    assert named
