"""The rules of the linter on their own examples, on healthy scripts, and on files that are no programs."""

from __future__ import annotations

from pathlib import Path

import pytest

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
