"""Reports of pytest: all its traceback styles, as the pytest that runs these tests prints them."""

import subprocess
import sys

import pytest

from errtriage.patterns import pytest_report, python_traceback, python_warning
from events_of import events_of

_PATTERNS = (*pytest_report.PATTERNS, *python_traceback.PATTERNS, *python_warning.PATTERNS)
_TESTS = """
import warnings, pytest

def loss(x):
    raise ValueError("bad value")

def test_fails():
    print("step 3")
    try:
        {}["k"]
    except KeyError as e:
        raise ValueError("bad value") from e

def test_warns():
    warnings.warn("careful", RuntimeWarning)

def test_expects():
    with pytest.raises(ValueError):
        loss(1)
"""


def _report(folder, *options: str) -> str:
    (folder / "test_it.py").write_text(_TESTS)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-c", "/dev/null", *options, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="the empty configuration is a device file")
@pytest.mark.parametrize("style", ["long", "short", "native"])
def test_style(tmp_path, style):
    """Every style gives the failure with its place, its cause, and no other fault."""
    events = [one for one in events_of(_PATTERNS, _report(tmp_path, f"--tb={style}")) if one.frames]
    faults = [one for one in events if one.fields.get("ignored") != "yes"]
    last, first = faults
    assert (last.fields["type"], last.fields["message"]) == ("ValueError", "bad value")
    assert (last.frames[-1].line, last.frames[-1].code) == (12, 'raise ValueError("bad value") from e')
    assert (first.fields["type"], first.parent, first.relation) == ("KeyError", last, "cause")


@pytest.mark.skipif(sys.platform == "win32", reason="the empty configuration is a device file")
def test_passing_run_has_no_fault(tmp_path):
    """A passing run with expected exceptions and a summary of warnings holds ignored warnings alone."""
    events = events_of(_PATTERNS, _report(tmp_path, "-k", "warns or expects"))
    assert [(one.kind, one.fields["ignored"]) for one in events] == [("warning", "yes")]
    assert events[0].fields["message"] == "careful"


def test_summary_line():
    """The summary names the test with its exception."""
    (event,) = events_of(
        pytest_report.PATTERNS, "FAILED tests/test_a.py::test_b - torch.OutOfMemoryError: CUDA out of memory"
    )
    assert (event.fields["module"], event.fields["type"]) == ("torch", "OutOfMemoryError")
    assert event.fields["test"] == "tests/test_a.py::test_b"


def test_lines_alone():
    """The lines that begin with E, pasted alone, are the exception with its further lines."""
    (event,) = events_of(
        pytest_report.PATTERNS, "E       RuntimeError: CUDA error: no kernel image\nE       CUDA kernel errors might be"
    )
    assert (event.fields["message"], event.fields["hint"]) == (
        "CUDA error: no kernel image",
        "CUDA kernel errors might be",
    )


def test_failure_without_an_exception():
    """What pytest.fail and a time limit say is the failure, at the innermost line."""
    (event,) = events_of(
        pytest_report.PATTERNS,
        "____________________ test_join ____________________\n\n    def test_join():\n>       wait()\n\n"
        "test_a.py:13: \n_ _ _ _ _ _\n\n    def wait():\n>       time.sleep(60)\n"
        "E       Failed: Timeout (>3.0s) from pytest-timeout.\n\ntest_a.py:5: Failed",
    )
    assert (event.fields["type"], event.fields["message"]) == ("Failed", "Timeout (>3.0s) from pytest-timeout.")
    assert (event.frames[-1].line, event.frames[-1].code) == (5, "time.sleep(60)")


def test_output_of_tests_that_passed_is_no_fault():
    """What passing tests printed, as -rA shows it, makes no event of a fault; the failures after it do."""
    events = events_of(
        _PATTERNS,
        "================ PASSES ================\n________________ test_logs ________________\n"
        "---------------- Captured log call ----------------\nERROR    root:a.py:1 RuntimeError: expected\n"
        "================ short test summary info ================\nPASSED test_a.py::test_logs\n"
        "FAILED test_a.py::test_b - ValueError: no",
    )
    assert [(one.kind, one.fields.get("type")) for one in events] == [("progress", None), ("exception", "ValueError")]
