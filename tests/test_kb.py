"""The kb commands: list, show, search, check, new, coverage, literals, docs."""

from __future__ import annotations

from pathlib import Path

import pytest

from errtriage.cli import run
from errtriage.cli.kb_browse import plain
from errtriage.cli.kb_new import drafted_pattern
from errtriage.cli.kb_page import code, fenced, page
from errtriage.cli.kb_trial import examples_of
from errtriage.knowledge import load_knowledge, read_yaml
from errtriage.knowledge.data import example_log

ROOT = Path(__file__).parents[1]
KNOWLEDGE = load_knowledge()
WIDGETS = Path(__file__).parent / "bad_knowledge" / "same-match-twice"
LOG = """epoch 1
Traceback (most recent call last):
  File "/app/train.py", line 57, in <module>
    turn(x)
acme.errors.WidgetError: widget 'left 3' at /data/x/y.bin has 17 teeth, wanted 16.5
"""


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


def test_list_names_every_entry(capsys: pytest.CaptureFixture[str]) -> None:
    """Each entry has one line that starts with its id."""
    assert run(["kb", "list"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows] == list(KNOWLEDGE.ids)


def test_list_can_be_narrowed(capsys: pytest.CaptureFixture[str]) -> None:
    """A tag, a role and a severity narrow the list."""
    assert run(["kb", "list", "--tag", "gpu-memory", "--role", "cause", "--severity", "fatal"]) == 0
    names = [row.split()[0] for row in capsys.readouterr().out.splitlines()]
    assert "cuda-oom" in names
    assert all("gpu-memory" in KNOWLEDGE.entry(name).tags for name in names)


def test_show_explains_an_entry(capsys: pytest.CaptureFixture[str]) -> None:
    """The page holds title, what the log shows, and each cause with its check and fix, in plain text of the width."""
    assert run(["kb", "show", "target-out-of-range"]) == 0
    out = capsys.readouterr().out
    for heading in (
        "target-out-of-range\n====",
        "What the log shows\n----",
        "Why, likeliest first\n----",
        "Check: ",
        "Fix: ",
    ):
        assert heading in out
    assert "**" not in out
    assert all(len(row) <= 100 for row in out.splitlines() if not row.startswith("    "))


def test_show_names_the_nearest_entries(capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt id is an error of usage that names what was meant."""
    assert run(["kb", "show", "cuda-oomm"]) == 2
    assert "did you mean cuda-oom" in capsys.readouterr().err


@pytest.mark.parametrize("name", KNOWLEDGE.ids)
def test_every_page_can_be_written(name: str) -> None:
    """Each entry gives a page that holds each of its causes, and no hole is left open in its prose."""
    text = page(KNOWLEDGE.entry(name), KNOWLEDGE)
    assert text.count("\n### ") == len(KNOWLEDGE.entry(name).causes)
    assert "".join(plain(text, 80))


@pytest.mark.parametrize(
    ("query", "name"),
    [
        (["softmax", "twice"], "loss-floor-double-softmax"),
        (["IndexError: Target 3 is out of bounds."], "target-out-of-range"),
        (["masked"], "masked-array-mask-lost"),
    ],
)
def test_search_finds_by_words_and_by_a_line(query: list[str], name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Words find the entries that hold all of them, and a line of a log the entry that it hits."""
    assert run(["kb", "search", *query]) == 0
    assert name in [row.split()[0] for row in capsys.readouterr().out.splitlines()]


def test_search_that_finds_nothing_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """Words that no entry holds are told."""
    assert run(["kb", "search", "zyxwv"]) == 2
    assert "zyxwv" in capsys.readouterr().err


def test_check_passes_a_sound_file(capsys: pytest.CaptureFixture[str]) -> None:
    """A built-in file checked alone has no mistakes."""
    assert run(["kb", "check", str(ROOT / "knowledge" / "cuda-oom.yaml")]) == 0
    assert capsys.readouterr().out == "1 entry sound in shape, 0 mistakes\n"


def test_check_tells_mistakes_and_examples_that_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A user's folder is checked with its own examples, and the exit status is 2."""
    text = (WIDGETS / "widget-broken.yaml").read_text("utf-8")
    (tmp_path / "widget-broken.yaml").write_text(text.replace("widget has no teeth", "widget has 3 teeth"), "utf-8")
    (tmp_path / "widget-worn.yaml").write_text(text, "utf-8")
    assert run(["kb", "check", str(tmp_path)]) == 2
    assert capsys.readouterr().out.splitlines() == [
        "widget-worn.yaml > id: 'widget-broken' is not the name of the file",
        "widget-broken.yaml > examples > ignore[0]: is hit",
        "1 entry sound in shape, 2 mistakes",
    ]


def test_new_drafts_match_and_example_from_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The draft matches the line's event, its example is the event's own lines, and `check` lists what is to do."""
    log = tmp_path / "run.log"
    log.write_text(LOG, "utf-8")
    assert run(["kb", "new", "widget-turned", "--from", str(log), "--line", "4", "--folder", str(tmp_path)]) == 0
    data = read_yaml(tmp_path / "widget-turned.yaml")
    assert data["match"][0]["event"] == "exception"
    assert data["match"][0]["where"]["type"] == "^WidgetError$"
    assert data["examples"]["match"] == [LOG.split("\n", 1)[1]]
    capsys.readouterr()
    assert run(["kb", "check", str(tmp_path / "widget-turned.yaml")]) == 2
    out = capsys.readouterr().out
    assert "widget-turned.yaml > title: still says TODO" in out
    assert "widget-turned.yaml > examples > ignore: needs at least 2, has 0" in out
    assert "match[0]" not in out


def test_new_never_overwrites(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is there, a known id and a bad id are refused."""
    (tmp_path / "widget-turned.yaml").write_text("mine", "utf-8")
    assert run(["kb", "new", "widget-turned", "--folder", str(tmp_path)]) == 2
    assert run(["kb", "new", "cuda-oom", "--folder", str(tmp_path)]) == 2
    assert run(["kb", "new", "Widget Turned", "--folder", str(tmp_path)]) == 2
    assert (tmp_path / "widget-turned.yaml").read_text("utf-8") == "mine"
    assert len(capsys.readouterr().err.splitlines()) == 3


def test_new_takes_a_plain_line_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line that no pattern knows becomes a text match; a line that is not there is told."""
    log = tmp_path / "run.log"
    log.write_text("gears ground to a halt after 17 turns\n", "utf-8")
    assert run(["kb", "new", "gears-ground", "--from", str(log), "--line", "1", "--print"]) == 0
    assert r"where: {message: 'gears ground to a halt after \d{1,20} turns'}" in capsys.readouterr().out
    assert run(["kb", "new", "gears-ground", "--from", str(log), "--line", "2", "--print"]) == 2
    assert "run.log ends at line 1; there is no line 2" in capsys.readouterr().err


def test_new_leaves_the_prefixes_of_a_plain_line_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A time stamp and a rank before a text are not part of the drafted match: other logs have others."""
    log = tmp_path / "run.log"
    log.write_text("2026-11-30 18:21:44,107 [rank1]: gears  ground to a halt\n", "utf-8")
    assert run(["kb", "new", "gears-ground", "--from", str(log), "--line", "1", "--print"]) == 0
    assert "where: {message: 'gears +ground to a halt'}" in capsys.readouterr().out


def test_new_tells_which_entry_answers_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A draft from lines that an entry explains already says so, and is made all the same."""
    log = tmp_path / "run.log"
    log.write_text("IndexError: Target 3 is out of bounds.\n", "utf-8")
    assert run(["kb", "new", "label-too-large", "--from", str(log), "--line", "1", "--print"]) == 0
    said = capsys.readouterr()
    assert "target-out-of-range answers these lines" in said.err
    assert said.out.startswith("id: label-too-large")


def test_every_entry_has_near_misses() -> None:
    """Of each shipped entry at least two texts are known that look alike and must not match."""
    texts = {entry.id: {example_log(example) for example in examples_of(entry)[1]} for entry in KNOWLEDGE.entries}
    few = [name for name, near in texts.items() if len(near) < 2]
    assert few == []


def test_drafted_patterns_leave_values_open() -> None:
    """Numbers, paths and quoted words of a message are holes; its words are literal."""
    pattern = drafted_pattern("widget 'left 3' at /data/x/y.bin has 17 of 0x1f (2.5)")
    assert pattern == r"widget '[^']{1,120}' at \S{1,200} has \d{1,20} of 0x[0-9a-fA-F]{1,16} \([\d.]{1,20}\)"


def test_coverage_counts_a_catalogue(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A covered row counts as explained, an uncovered one is listed."""
    rows = ["tier\texception\ttemplate\tsource_file\tkind", "1\tIndexError\tTarget {} is out of bounds.\tx.cpp\traise"]
    (tmp_path / "list.tsv").write_text("\n".join([*rows, "1\tWidgetError\tno {} teeth\tx.py\traise"]), "utf-8")
    assert run(["kb", "coverage", str(tmp_path / "list.tsv"), "--entries"]) == 0
    out = capsys.readouterr().out
    assert "2  recognised     2 (100.0%)  explained     1 ( 50.0%)" in out
    assert "unexplained  list  raise  tier 1  no {} teeth" in out
    assert "1  target-out-of-range" in out


def test_literals_are_one_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    """The literals that pick lines are printed as grep -F reads them."""
    assert run(["kb", "literals"]) == 0
    rows = capsys.readouterr().out.split("\n")[:-1]
    assert "Traceback (most recent call last)" in rows
    assert len(rows) == len(set(rows))
    assert all(rows)


def test_docs_are_written_once_and_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Pages are written where they differ, stale ones go, and a check of a fresh folder finds nothing."""
    (tmp_path / "gone.md").write_text("old", "utf-8")
    assert run(["kb", "docs", str(tmp_path), "--check"]) == 1
    assert run(["kb", "docs", str(tmp_path)]) == 0
    assert not (tmp_path / "gone.md").exists()
    assert run(["kb", "docs", str(tmp_path), "--check"]) == 0
    assert (tmp_path / "cuda-oom.md").read_text("utf-8").startswith("<!-- Generated")
    assert f"{len(KNOWLEDGE.ids) + 1} pages" in capsys.readouterr().out


def test_the_reference_is_up_to_date() -> None:
    """docs/entries is what the knowledge base says now."""
    assert run(["kb", "docs", str(ROOT / "docs" / "entries"), "--check"]) == 0


def test_hostile_examples_break_no_page() -> None:
    """Backquotes of a log end neither a block nor a word of code."""
    assert fenced("a ```` b", "text") == "`````text\na ```` b\n`````"
    assert code("a `b`") == "`` a `b` ``"
