"""Real failed runs with their expected answer, and healthy runs of which nothing may be said."""

from __future__ import annotations

from pathlib import Path

import pytest

from case_files import LOGS, Case, cases
from errtriage.model import Explanation
from errtriage.triage import triage

# Logs that are still answered wrongly: each line is a name, and why. One that is answered rightly must leave the list.
MISSES = {
    line.split(":", 1)[0].strip()
    for line in (LOGS / "misses.txt").read_text(encoding="utf-8").splitlines()
    if line.strip() and not line.startswith("#")
}


def names(explanation: Explanation) -> set[str]:
    """An explanation counts under its entry's id and under the id of its likeliest cause."""
    return {explanation.id, *(cause.id for cause in explanation.causes[:1])}


def right(case: Case) -> bool:
    report = triage(Path(case.log))
    told = report.explanations
    if not case.accept:
        return report.verdict == "clean" and not told
    return bool(told) and bool(names(told[0]) & set(case.accept)) and told[0].id not in case.reject


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in cases() if case.name not in MISSES])
def test_the_first_answer_is_right(case: Case) -> None:
    """The first explanation of a log with a known answer is an accepted one; a healthy log has none."""
    assert right(case)


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in cases() if case.name in MISSES])
def test_a_known_miss_is_still_missed(case: Case) -> None:
    """The list of misses holds no log that is answered rightly by now."""
    assert not right(case)
