"""What the README and the documents show is what the tool does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from errtriage.cli.options import OPTIONS
from errtriage.render import FORMATS

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
# A block that a comment marks holds one command and what it prints.
MARKED = re.compile(r"(<!-- printed by the tool -->\n```console\n\$ (errtriage [^\n]*)\n)(.*?)(```\n)", re.DOTALL)


def printed(command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command.split()],
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=60,
        check=True,
    )
    return done.stdout.decode("utf-8")


def test_the_readme_shows_what_the_tool_prints(bless: bool) -> None:
    """Every marked console block of the README is the output of its command."""
    text = README.read_text(encoding="utf-8")
    assert MARKED.search(text), "the README marks at least one block"
    fresh = MARKED.sub(lambda found: found[1] + printed(found[2]) + found[4], text)
    if bless:
        README.write_text(fresh, encoding="utf-8")
    assert fresh == text


@pytest.mark.parametrize("path", [README, *sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md"])
def test_links_to_files_lead_somewhere(path: Path) -> None:
    """Every relative link of a document names a file or folder that exists."""
    for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), f"{path.name} links to {target}"


def test_the_reference_names_every_option_and_format() -> None:
    """docs/reference.md names all options of the table and all formats."""
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    missing = [flag for option in OPTIONS.values() for flag in option.flags[:1] if flag not in text]
    assert not missing
    assert not [name for name in FORMATS if name not in text]


def test_job_scripts_in_documents_set_pipefail() -> None:
    """A documented job script that pipes into errtriage keeps the program's exit status and its output unbuffered."""
    for path in [README, *(ROOT / "docs").glob("*.md")]:
        for block in re.findall(r"```(?:bash|sh)\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL):
            if re.search(r"\| *errtriage\b", block):
                assert "pipefail" in block, path.name
                assert "PYTHONUNBUFFERED=1" in block, path.name
