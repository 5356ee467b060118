"""Compares a report with the truth of a made-up log: a fast wrong answer fails."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def mistakes(report: bytes, log: Path) -> list[str]:
    """Return what a JSON report of a log says otherwise than the truth that lies beside the log.

    Compared are the number of lines, and how often and from where to where each assertion and each fault was printed.
    Kinds of faults that the report does not cite are passed over; of many at least half must be there.
    """
    if not report:
        return ["no report"]
    found, truth = json.loads(report), json.loads(log.with_suffix(".json").read_text())
    evidence = [one for explanation in found["explanations"] for one in explanation["evidence"]]
    wrong = []
    lines = truth["newlines"] + (truth["bytes"] > 0 and not truth["newlines"])  # one without an end is a line, too
    if found["sources"][0]["lines"] != lines:
        wrong.append(f"{found['sources'][0]['lines']} lines, not {lines}")
    for text, told in truth["asserts"].items():
        wrong += _otherwise(text, evidence, told) or []
    said = [_otherwise(text, evidence, told) for text, told in truth["faults"].items()]
    wrong += [one for those in said if those for one in those]
    if len(said) > 10 and sum(those is None for those in said) > len(said) / 2:
        wrong.append("most faults are not told")
    return wrong


def _otherwise(text: str, evidence: list[Any], told: Mapping[str, int]) -> list[str] | None:
    """Return what is said of the lines that hold a text and is not so; None where nothing is said of them."""
    same = {(one["line"], one["text"]): one for one in evidence if text in one["text"]}.values()
    if not same:
        return None
    count = sum(one["count"] for one in same)
    first, last = min(one["line"] for one in same), max(one["last_line"] for one in same)
    if (count, first, last) == (told["lines"], told["first"], told["last"]):
        return []
    return [f"{text}: {count} from {first} to {last}, not {told['lines']} from {told['first']} to {told['last']}"]
