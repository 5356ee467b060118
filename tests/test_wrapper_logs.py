"""Recorded output of wrappers around the training loop: the likeliest cause and the place in the user's own program."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from case_files import LOGS
from errtriage.triage import triage

ANSWERS = sorted((LOGS / "wrappers").glob("*.yaml"))
WRAPPERS = (
    "huggingface",
    "lightning",
    "deepspeed",
    "accelerate",
    "ray",
    "ultralytics",
    "mmengine",
    "detectron2",
    "keras",
)


def known(answer: Path) -> dict[str, object]:
    found: dict[str, object] = yaml.safe_load(answer.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("answer", [pytest.param(path, id=path.stem) for path in ANSWERS if known(path).get("where")])
def test_the_place_is_the_users_own_line(answer: Path) -> None:
    """However many frames of the wrapper stand around it, the place is a line of the program that was run."""
    where = triage(answer.with_suffix(".log")).explanations[0].where
    assert where is not None
    assert f"{Path(where.file).name}:{where.line}" == known(answer)["where"]


@pytest.mark.parametrize("answer", [pytest.param(path, id=path.stem) for path in ANSWERS if known(path).get("cause")])
def test_the_likeliest_cause_is_the_one_of_the_program(answer: Path) -> None:
    """Where the program was broken in one way of several that the entry knows, that way is named first."""
    told = triage(answer.with_suffix(".log")).explanations[0]
    assert told.causes[0].id == known(answer)["cause"]


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_each_wrapper_has_failing_and_healthy_runs(wrapper: str) -> None:
    """For each wrapper at least five failures were recorded, and a healthy run."""
    mine = [known(path) for path in ANSWERS if path.stem.startswith(f"{wrapper}-")]
    assert sum(bool(one["accept"]) for one in mine) >= 5
    assert any(not one["accept"] for one in mine)
