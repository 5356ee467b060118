"""The built wheel, installed alone, holds its knowledge and answers as the checkout does.

Run by .ci/run away from the checkout, beside a copy of tests/logs; skipped elsewhere.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent
pytestmark = pytest.mark.skipif("ERRTRIAGE_WHEEL" not in os.environ, reason="only for a wheel that is installed alone")


def explain(log: Path) -> dict[str, object]:
    command = [str(Path(sys.executable).parent / "errtriage"), "explain", "--format", "json", str(log)]
    done = subprocess.run(command, capture_output=True, timeout=120, check=True)
    assert done.stderr == b""
    told: dict[str, object] = json.loads(done.stdout)
    return told


def test_the_package_is_the_installed_one() -> None:
    """The package comes from site-packages, and its knowledge from inside of it, compiled."""
    import errtriage
    from errtriage.knowledge import knowledge_dir, load_knowledge

    assert "site-packages" in str(errtriage.__file__)
    assert "site-packages" in str(knowledge_dir())
    assert len(load_knowledge(strict=True).entries) > 200


@pytest.mark.parametrize(
    "answer", [pytest.param(path, id=path.stem) for path in sorted(HERE.glob("logs/**/*.yaml"))[::7]]
)
def test_answers_are_those_of_the_checkout(answer: Path) -> None:
    """A sample of the logs with known answers is answered rightly by the wheel."""
    known = yaml.safe_load(answer.read_text(encoding="utf-8"))
    told = explain(answer.with_suffix(".log"))["explanations"]
    assert isinstance(told, list)
    if not known.get("accept"):
        assert told == []
        return
    first = told[0]
    assert {first["id"], *(cause["id"] for cause in first["causes"][:1])} & set(known["accept"])


def test_kb_and_version_work() -> None:
    """The other commands find what they need, too."""
    for words in (["--version"], ["kb", "show", "target-out-of-range"], ["kb", "list"]):
        done = subprocess.run(
            [str(Path(sys.executable).parent / "errtriage"), *words], capture_output=True, timeout=60, check=True
        )
        assert done.stdout
