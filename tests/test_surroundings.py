"""The lines around a piece of evidence, and what is passed on: `--redact` and `--share`."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from errtriage.cli import run
from errtriage.sources import from_bytes, from_file
from errtriage.sources.surroundings import AFTER, BEFORE, with_surroundings
from errtriage.triage import triage

LOG = "".join(f"step {n} loss 0.5\n" for n in range(1, 31)) + (
    "Traceback (most recent call last):\n"
    '  File "/home/jdoe/train.py", line 57, in step\n'
    "    loss = crit(out, y)\n"
    "\x1b[31mIndexError: Target 10 is out of bounds.\x1b[0m\n"
    "10%|#  | 1/10\r20%|## | 2/10\n"
    "srun: error: node037: task 3: Exited with exit code 1\n"
)


def context_of(path: Path) -> dict[int, str]:
    report = with_surroundings(triage(path), [from_file(path)])
    return dict(report.explanations[0].evidence[0].context)


def test_evidence_gets_its_lines(tmp_path: Path) -> None:
    """A traceback, four lines before and three after stand with their numbers, as a terminal would show them."""
    path = tmp_path / "train.log"
    path.write_text(LOG, encoding="utf-8")
    context = context_of(path)
    assert list(context) == [at for at in range(31 - BEFORE, 34 + AFTER + 1) if at <= 36]
    assert context[34] == "IndexError: Target 10 is out of bounds."
    assert context[35] == "20%|## | 2/10"
    assert context[30] == "step 30 loss 0.5"


def test_packed_logs_have_surroundings_too(tmp_path: Path) -> None:
    """A packed file is unpacked the second time as it was the first time."""
    path = tmp_path / "train.log.gz"
    path.write_bytes(gzip.compress(LOG.encode()))
    assert context_of(path)[34] == "IndexError: Target 10 is out of bounds."


def test_a_source_that_is_gone_is_left_out() -> None:
    """Without the log the report stays as it was."""
    report = triage(LOG)
    assert with_surroundings(report, []) == report
    assert with_surroundings(report, [from_bytes("another", b"x\n")]) == report


def test_share_writes_a_redacted_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--share gives one page of HTML in which neither the user nor the node is named."""
    path = tmp_path / "train.log"
    path.write_text(LOG, encoding="utf-8")
    assert run(["explain", "--share", str(path)]) == 0
    page = capsys.readouterr().out
    assert page.startswith("<!DOCTYPE html>")
    assert "Target 10 is out of bounds" in page
    assert "jdoe" not in page
    assert "node037" not in page
    assert "&lt;user-1&gt;" in page


def test_redact_hides_names_in_any_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--redact tells how many places were hidden; without it nothing is."""
    path = tmp_path / "train.log"
    path.write_text(LOG, encoding="utf-8")
    run(["explain", "--redact", "--format", "plain", str(path)])
    hidden = capsys.readouterr().out
    assert "jdoe" not in hidden
    assert "redacted" in hidden
    run(["explain", "--format", "plain", str(path)])
    assert "/home/jdoe/train.py:57" in capsys.readouterr().out
