"""The knowledge base: every entry answers its own examples and none of its near misses; folders join as they should."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from errtriage import vocabulary
from errtriage.cli.kb_trial import examples_of, mistakes_of_examples
from errtriage.errors import KnowledgeError
from errtriage.knowledge import Knowledge, compile_folders, configured_folders, knowledge_dir, load_knowledge
from errtriage.knowledge.data import example_log
from errtriage.model import Entry, EventMatch
from errtriage.triage import triage

KNOWLEDGE = load_knowledge()
WIDGET = Path(__file__).parent / "bad_knowledge" / "same-match-twice" / "widget-broken.yaml"


def entries() -> list[object]:
    return [pytest.param(entry, id=entry.id) for entry in KNOWLEDGE.entries]


def test_the_shipped_knowledge_holds_no_mistake() -> None:
    """Every built-in file passes every check, and every link between them has its end."""
    assert compile_folders([])["mistakes"] == []


@pytest.mark.parametrize("entry", entries())
def test_examples_are_answered_and_near_misses_are_not(entry: Entry) -> None:
    """Each example of an entry hits it, and none of its near misses does."""
    assert list(mistakes_of_examples(entry, KNOWLEDGE)) == []


@pytest.mark.parametrize("entry", entries())
def test_entries_are_small_and_have_near_misses(entry: Entry) -> None:
    """An entry is one fault: at most 80 lines, one example and two near misses at least, and each cause has a check."""
    found, ignored = examples_of(entry)
    assert Path(entry.origin).read_bytes().count(b"\n") <= 80
    assert len(found) >= 1
    assert len(ignored) >= 2
    assert all(cause.why and cause.check for cause in entry.causes)


@pytest.mark.parametrize("entry", entries())
def test_filled_texts_keep_no_hole(entry: Entry) -> None:
    """In a report on an entry's own example no placeholder of any text is left open."""
    for example in examples_of(entry)[0]:
        report = triage(example_log(example) + "\n", knowledge=KNOWLEDGE)
        for told in report.explanations:
            texts = [told.title, told.summary, *(text for one in told.causes for text in (one.why, one.check, one.fix))]
            for name in (*vocabulary.FACTS, *vocabulary.PLACES):
                assert not any(f"<{name}>" in text for text in texts), told.id


def test_rows_hold_every_match_once() -> None:
    """What the matcher reads by kind is what the entries say."""
    kinds = {item.event for entry in KNOWLEDGE.entries for item in entry.match if isinstance(item, EventMatch)}
    all_kinds = (*kinds, "(metric)", "(derived)", "(source)")
    rows = [row for kind in all_kinds for row in KNOWLEDGE.rows(kind)]
    matches = [(entry.id, item) for entry in KNOWLEDGE.entries for item in entry.match]
    assert sorted(map(repr, rows)) == sorted(map(repr, matches))
    assert KNOWLEDGE.rows("no such kind") == ()


def test_entries_can_be_found_by_id_and_tag() -> None:
    """An entry stands under its id and under each of its tags."""
    for entry in KNOWLEDGE.entries:
        assert KNOWLEDGE.by_id[entry.id] is KNOWLEDGE.entry(entry.id)
        assert all(entry in KNOWLEDGE.tagged(tag) for tag in entry.tags)


def test_every_tag_is_in_use_and_explained() -> None:
    """The closed list of tags holds no tag that no entry bears."""
    assert [tag for tag, meaning in vocabulary.TAGS.items() if not meaning or not KNOWLEDGE.tagged(tag)] == []


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "own"
    made.mkdir()
    shutil.copy(WIDGET, made)
    return made


def test_a_user_can_add_an_entry(folder: Path) -> None:
    """An entry of a user's folder answers beside the built-in ones."""
    knowledge = load_knowledge([folder])
    report = triage("WidgetError: widget has 17 teeth\n", knowledge=knowledge)
    assert report.explanations[0].id == "widget-broken"
    assert "17 teeth" in report.explanations[0].summary
    assert knowledge.users == {"widget-broken"}
    assert len(knowledge.ids) == len(KNOWLEDGE.ids) + 1


def test_a_users_entry_replaces_a_built_in_one(folder: Path) -> None:
    """A user's entry with a known id takes the place of the built-in one."""
    text = WIDGET.read_text(encoding="utf-8").replace("widget-broken", "cuda-oom")
    (folder / "cuda-oom.yaml").write_text(text, encoding="utf-8")
    (folder / "widget-broken.yaml").unlink()
    knowledge = load_knowledge([folder])
    assert knowledge.entry("cuda-oom").title == "A widget has too many teeth"
    assert len(knowledge.ids) == len(KNOWLEDGE.ids)


def test_a_broken_replacement_leaves_the_built_in_entry(folder: Path) -> None:
    """Where a user's entry has mistakes, the built-in entry of that id stays, and the mistake is told."""
    (folder / "cuda-oom.yaml").write_text("id: cuda-oom\n", encoding="utf-8")
    knowledge = load_knowledge([folder])
    assert knowledge.entry("cuda-oom").title == KNOWLEDGE.entry("cuda-oom").title
    assert knowledge.problems[0] == "cuda-oom.yaml: the key 'title' is missing"


def test_what_hangs_on_a_left_out_entry_is_left_out_too(folder: Path) -> None:
    """A user's entry that links to a left-out one dangles, and is told and left out."""
    link = "leads_to: [{entry: gear-broken, because: Teeth break gears.}]\ncauses:"
    sound = WIDGET.read_text(encoding="utf-8")
    (folder / "widget-broken.yaml").write_text(sound.replace("causes:", link), encoding="utf-8")
    (folder / "gear-broken.yaml").write_text("id: gear-broken\n", encoding="utf-8")
    knowledge = load_knowledge([folder])
    assert knowledge.ids == KNOWLEDGE.ids
    assert "widget-broken.yaml > leads_to[0] > entry: no entry 'gear-broken'" in knowledge.problems


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    """A folder that is not there is a problem with a name, not an error."""
    assert load_knowledge([tmp_path / "gone"]).problems == (f"{tmp_path / 'gone'}: No such file or directory",)


def test_old_ids_lead_to_the_entry(folder: Path) -> None:
    """An id that an entry once had still finds it."""
    text = WIDGET.read_text(encoding="utf-8").replace("role:", "renamed_from: [widget-torn]\nrole:")
    (folder / "widget-broken.yaml").write_text(text, encoding="utf-8")
    assert load_knowledge([folder], builtin=False).by_id["widget-torn"].id == "widget-broken"


def test_the_digest_follows_the_content(folder: Path) -> None:
    """The digest is the same for the same entries, and another for others."""
    first = load_knowledge([folder], builtin=False).digest
    assert load_knowledge([folder], builtin=False).digest == first
    file = folder / "widget-broken.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("too many", "too few"), encoding="utf-8")
    assert load_knowledge([folder], builtin=False).digest != first


def test_strict_loading_raises_on_no_mistake_of_a_user(folder: Path) -> None:
    """Only built-in mistakes raise; a user's are told."""
    (folder / "gear-broken.yaml").write_text("id: gear-broken\n", encoding="utf-8")
    try:
        knowledge = load_knowledge([folder], builtin=False, strict=True)
    except KnowledgeError:
        pytest.fail("a user's mistake raised")
    assert knowledge.problems


def test_folders_come_from_the_environment_and_from_pyproject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ERRTRIAGE_KNOWLEDGE is a list of paths; those of pyproject.toml count from its folder."""
    monkeypatch.setenv("ERRTRIAGE_KNOWLEDGE", os.pathsep.join(["/a", "b"]))
    assert configured_folders(tmp_path) == (Path("/a"), Path("b"))
    (tmp_path / "pyproject.toml").write_text('[tool.errtriage]\nknowledge = ["faults", "more"]\n[tool.x]\n', "utf-8")
    assert configured_folders(tmp_path)[2:] == (tmp_path / "faults", tmp_path / "more")
    monkeypatch.setattr("sys.version_info", (3, 10, 0))
    assert configured_folders(tmp_path)[2:] == (tmp_path / "faults", tmp_path / "more")


@pytest.mark.parametrize("text", ["[tool.errtriage", "[tool.errtriage]\nknowledge = 3\n", "[tool]\nerrtriage = 1\n"])
def test_a_broken_pyproject_is_passed_over(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pyproject.toml that says nothing useful names no folder and raises nothing."""
    monkeypatch.delenv("ERRTRIAGE_KNOWLEDGE", raising=False)
    (tmp_path / "pyproject.toml").write_text(text + "# tool.errtriage", "utf-8")
    assert configured_folders(tmp_path) == ()


def test_the_checkout_holds_the_built_in_folder() -> None:
    """In a checkout the entries are read from its own folder."""
    assert knowledge_dir().name in ("knowledge", "_knowledge")
    assert (knowledge_dir() / "cuda-oom.yaml").is_file()


def test_entries_come_back_from_the_cache_as_they_were(folder: Path) -> None:
    """A second load, out of the cache, gives the same entries."""
    first = load_knowledge([folder])
    second = load_knowledge([folder])
    assert isinstance(second, Knowledge)
    assert second.entries == first.entries
    assert second.literals == first.literals
