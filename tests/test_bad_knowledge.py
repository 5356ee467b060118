"""Each mistake that an author can make earns its exact message: one broken file, or folder, for each.

A file says in lines `# says: …` at its top what it earns; `@name@` stands for a closed list of the vocabulary.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from errtriage import vocabulary
from errtriage.errors import KnowledgeError
from errtriage.knowledge import compile_folders, load_knowledge

BROKEN = Path(__file__).parent / "bad_knowledge"
LISTS = {
    "exception": vocabulary.EVENT_FIELDS["exception"],
    "exception sorted": tuple(sorted(vocabulary.EVENT_FIELDS["exception"])),
    "tests": tuple(vocabulary.SERIES_TESTS),
    "derived": tuple(vocabulary.DERIVED),
    "ranged": vocabulary.RANGED_FIELDS,
    "facts": vocabulary.FACTS,
    "rules": vocabulary.LINT_RULES,
    "tags": tuple(vocabulary.TAGS),
}


def said(path: Path) -> list[str]:
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    found = [line.removeprefix("# says: ") for line in lines if line.startswith("# says: ")]
    return [re.sub(r"@([a-z ]+)@", lambda m: ", ".join(LISTS[m[1]]), line) for line in found]


def folder_of(path: Path, tmp_path: Path) -> Path:
    if path.is_dir():
        return path
    shutil.copy(path, tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in sorted(BROKEN.iterdir())])
def test_each_mistake_earns_its_message(path: Path, tmp_path: Path) -> None:
    """A broken user entry is left out, and told by exactly the trails that its file says."""
    compiled = compile_folders([folder_of(path, tmp_path)], builtin=False)
    assert said(path), "a broken file says what it earns"
    assert compiled["problems"] == said(path)
    assert compiled["mistakes"] == []


def test_a_broken_entry_does_not_take_the_sound_ones_with_it() -> None:
    """The sound entry of a folder is there although the one beside it is left out."""
    compiled = compile_folders([BROKEN / "same-match-twice"], builtin=False)
    assert list(compiled["entries"]) == ["widget-broken"]


def test_built_in_mistakes_are_raised_all_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mistakes of several built-in files come in one error, each as a trail."""
    monkeypatch.setattr("errtriage.knowledge._home", lambda: str(BROKEN / "all-mistakes-at-once"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(KnowledgeError) as caught:
        load_knowledge(strict=True)
    assert caught.value.trails == said(BROKEN / "all-mistakes-at-once")
