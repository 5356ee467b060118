"""Coverage of the sources' own lists of messages: each list has a share that must be recognised and explained."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from errtriage.cli.kb_catalogue import samples_of, traceback
from errtriage.cli.kb_coverage import Covered, cover
from errtriage.cli.kb_fill import filled
from errtriage.errors import SourceError
from errtriage.knowledge import load_knowledge

CATALOGUE = Path(__file__).parent / "catalogue"
# Shares that must be recognised and explained, by list, its parts (none: all) and tier.
FLOORS: tuple[tuple[str, tuple[str, ...], str | None, float, float], ...] = (
    ("torch-device-asserts", (), None, 1.0, 1.0),
    ("numpy-warnings", (), None, 1.0, 1.0),
    ("cuda-errors", (), None, 1.0, 1.0),
    ("nvidia-xid", (), None, 1.0, 1.0),
    ("process-exits", (), None, 1.0, 1.0),
    ("torch-checks", (), "1", 1.0, 1.0),
    ("torch-checks", (), "2", 0.99, 0.52),
)


@cache
def covered(name: str) -> tuple[Covered, ...]:
    return tuple(cover(samples_of(CATALOGUE / f"{name}.tsv"), load_knowledge()))


@pytest.mark.parametrize(("name", "parts", "tier", "recognised", "explained"), FLOORS)
def test_catalogued_messages_are_covered(
    name: str, parts: tuple[str, ...], tier: str | None, recognised: float, explained: float
) -> None:
    """Of each list at least the share of its row is recognised by a pattern and explained by an entry."""
    rows = [one for one in covered(name) if tier in (None, one.sample.tier) and (not parts or one.sample.part in parts)]
    left = [one.sample.template for one in rows if not one.explained]
    assert rows
    assert sum(one.recognised for one in rows) >= recognised * len(rows)
    assert sum(one.explained for one in rows) >= explained * len(rows), left


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("shape '{}' is invalid for input of size {}", "shape '[4, 100]' is invalid for input of size 384"),
        (
            "mat1 and mat2 must have the same dtype, but got {} and {}",
            "mat1 and mat2 must have the same dtype, but got 3 and 3",
        ),
        ("Tried to allocate {}", "Tried to allocate 2.00 GiB"),
        ("line\\n{pid}", "line\n24351"),
        (
            "The node {} has failed to shutdown the rendezvous {} due to an error of type {}.",
            "The node 'node07_24351_0' has failed to shutdown the rendezvous 'node07_24351_0' due to an error of type "
            "RendezvousConnectionError.",
        ),
        ("index out of bounds: {lower} <= {index expr} < {upper}", "index out of bounds: 0 <= tmp4 < 10L"),
    ],
)
def test_templates_are_filled_with_plausible_values(template: str, text: str) -> None:
    """What stands before a hole, or in it, tells what to fill in."""
    assert filled(template) == text


def test_a_file_that_is_no_catalogue_is_named(tmp_path: Path) -> None:
    """A list with unknown columns, or none, is an error with the file's name."""
    (tmp_path / "x.tsv").write_text("a\tb\n1\t2\n", "utf-8")
    with pytest.raises(SourceError, match=r"x\.tsv: no known list of messages"):
        list(samples_of(tmp_path / "x.tsv"))
    with pytest.raises(SourceError, match="No such file"):
        list(samples_of(tmp_path / "gone.tsv"))


def test_samples_look_like_programs_print_them() -> None:
    """A check becomes a traceback with its class."""
    assert traceback("IndexError", "x").endswith("\nIndexError: x\n")
