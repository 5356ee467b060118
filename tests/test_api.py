"""The Python API: a handful of names, light to import, typed, and the same whatever is imported in which order."""

from __future__ import annotations

import json
import subprocess
import sys
import types
from pathlib import Path

import pytest

import errtriage
from processes import DIED

TEXT = DIED.decode()


def python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, timeout=60, check=True, text=True
    )
    return done.stdout


def test_public_names_are_there() -> None:
    """Every name of __all__ can be had, and dir() tells of it."""
    for name in errtriage.__all__:
        assert getattr(errtriage, name) is not None
        assert name in dir(errtriage)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        errtriage.nonsense  # noqa: B018 (having it is the test)


def test_importing_it_loads_nothing() -> None:
    """`import errtriage` brings nothing that a start is felt by."""
    code = "import sys; before = set(sys.modules); import errtriage; print(sorted(set(sys.modules) - before))"
    assert python(code) == "['__future__', 'errtriage']\n"


@pytest.mark.parametrize(
    "first",
    ["", "import errtriage.triage", "from errtriage.triage import triage_sources", "import errtriage.cli.explain"],
)
def test_triage_is_the_function_always(first: str) -> None:
    """`errtriage.triage` is the function, though a module has that name, in whatever order things are imported."""
    code = f"{first}\nimport errtriage\nfrom errtriage import triage\n"
    code += "print(triage('x').verdict, errtriage.triage is triage)"
    assert python(code) == "unknown True\n"


def lines() -> types.GeneratorType:
    yield from TEXT.splitlines(keepends=True)


@pytest.mark.parametrize("kind", ["text", "bytes", "path", "lines", "generator"])
def test_a_log_may_come_in_any_form(tmp_path: Path, kind: str) -> None:
    """Text, bytes, a path and an iterable of lines of one log give one answer."""
    path = tmp_path / "train.log"
    path.write_text(TEXT, encoding="utf-8")
    log = {"text": TEXT, "bytes": DIED, "path": path, "lines": TEXT.splitlines(), "generator": lines()}[kind]
    report = errtriage.triage(log)
    assert isinstance(report, errtriage.Report)
    assert report.explanations[0].id == "target-out-of-range"
    assert json.loads(json.dumps(report.to_dict()))["schema"] == "errtriage.report/1"


def test_a_log_that_can_not_be_read_is_an_error_of_ours() -> None:
    """A missing path raises an ErrtriageError of one line."""
    with pytest.raises(errtriage.ErrtriageError, match="no such file"):
        errtriage.triage(Path("/nowhere/at/all.log"))
