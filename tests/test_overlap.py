"""Overlap of all with all: where an example of one entry fits another one, the two are ranked or linked."""

from __future__ import annotations

import pytest

from errtriage.cli.kb_trial import overlaps, undeclared
from errtriage.knowledge import load_knowledge
from errtriage.model import Entry

KNOWLEDGE = load_knowledge()


@pytest.mark.parametrize("entry", [pytest.param(entry, id=entry.id) for entry in KNOWLEDGE.entries])
def test_no_example_fits_two_entries_equally(entry: Entry) -> None:
    """Another entry that fits an example pins down less of it, or one of the two says that it leads to the other."""
    assert [overlap for overlap in overlaps(entry, KNOWLEDGE) if undeclared(overlap, KNOWLEDGE)] == []
