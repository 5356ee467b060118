"""Hand-made reports through every format: what each must hold, and that text of a log can break none."""

from __future__ import annotations

import json

import jsonschema
import pytest

from errtriage.render import FORMATS, renderer
from errtriage.render.json import schema
from errtriage.render.words import REPORT_ENDS, REPORT_STARTS, View, clean, excerpt, numbers
from made_up_reports import HOSTILE, REPORTS


@pytest.mark.parametrize("everything", [False, True])
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("kind", REPORTS)
def test_every_format_renders_every_report(kind: str, name: str, everything: bool) -> None:
    """No report breaks a renderer, and what it returns can be written as UTF-8."""
    text = renderer(name)(REPORTS[kind], View(everything=everything, why=everything))
    assert text.strip()
    assert text.encode("utf-8", "strict")


@pytest.mark.parametrize("name", ["plain", "terminal", "json"])
def test_no_control_sequence_of_a_log_comes_out_alive(name: str) -> None:
    """Escape sequences, bells and direction marks in a log's text are gone from what a terminal shows."""
    text = renderer(name)(REPORTS["hostile"], View(everything=True))
    assert "\x1b[2J" not in text
    assert "\x1b]0" not in text
    assert "\x07" not in text
    if name != "json":
        assert "\u202e" not in text


@pytest.mark.parametrize("kind", REPORTS)
def test_json_keeps_its_contract(kind: str) -> None:
    """What the JSON format prints is valid under the shipped schema."""
    jsonschema.validate(json.loads(renderer("json")(REPORTS[kind], View())), schema())


def test_the_first_screen_of_a_plain_report() -> None:
    """Verdict, fault, place, causes with check and fix, and evidence with its lines stand in that order."""
    text = renderer("plain")(REPORTS["tree"], View())
    wanted = [
        REPORT_STARTS,
        "failed: A label lies outside the outputs",
        "where: train.py:57 in step",
        "loss = crit(out, y)",
        "reports late",
        "ranks 0–2, 5",
        "does not tell these causes apart",
        "1. Labels count from 1.",
        "check: Print y.min().",
        "fix:   Subtract 1.",
        "line 12–4107:",
        "×4,096 [block 0,0,0 … 15,0,0 (16 distinct)]",
        "then: device-side-assert",
        "errtriage kb show target-out-of-range",
        REPORT_ENDS,
    ]
    places = [text.find(piece) for piece in wanted]
    assert -1 not in places, wanted[places.index(-1)]
    assert places == sorted(places)


def test_why_lists_every_term() -> None:
    """With --why each term stands with its points and its reason."""
    assert "+1.00 It can be the cause itself." in renderer("plain")(REPORTS["one"], View(why=True))


def test_words() -> None:
    """Runs of numbers are folded, excerpts keep both ends, and cleaning twice is cleaning once."""
    assert numbers([0, 1, 2, 5, 7, 6]) == "0–2, 5–7"
    cut = excerpt("a" * 200 + "END")
    assert len(cut) <= 160
    assert cut.endswith("END")
    assert clean(clean(HOSTILE)) == clean(HOSTILE)
