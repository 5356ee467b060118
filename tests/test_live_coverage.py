"""Every entry is proved by a live program, or the table of the unproved says why one machine can not show it."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIVE = ROOT / "tests" / "live"
sys.path.insert(0, str(LIVE))

from program_heads import listed  # noqa: E402
from unproved import UNPROVED  # noqa: E402

ENTRIES = {path.stem for path in (ROOT / "knowledge").glob("*.yaml")}
LISTED = Counter(entry for entries in UNPROVED.values() for entry in entries)


def proved() -> set[str]:
    """What the heads of all programs name, by `# expect:`, `# told:`, `# notes:`, or by the name of the file."""
    programs = [path for path in LIVE.rglob("*.py") if path.parent != LIVE and ".fixed." not in path.name]
    heads = ("told", "notes")
    return {
        name
        for path in programs
        for name in (listed(path, "expect") or {path.stem}).union(*(listed(path, head) for head in heads))
    }


def test_each_entry_has_a_program_or_a_reason() -> None:
    """No entry lacks both a live program and a line in the table."""
    assert ENTRIES - proved() - set(LISTED) == set()


def test_the_table_holds_nothing_that_is_proved_or_gone() -> None:
    """A line is struck as soon as a program proves its entry, and each line is an entry that there is, once."""
    assert set(LISTED) & proved() == set()
    assert set(LISTED) - ENTRIES == set()
    assert [entry for entry, lines in LISTED.items() if lines > 1] == []


def test_each_group_gives_its_reason_and_stays_sorted() -> None:
    """Whoever strikes or adds a line finds its place."""
    for reason, entries in UNPROVED.items():
        assert reason.endswith(".")
        assert list(entries) == sorted(entries)
