"""The explanations of what no entry can know: an exception of unknown kind, and a traceback whose end is not there."""

from __future__ import annotations

from collections.abc import Sequence

from errtriage.model import Entry, Group, Hit
from errtriage.sentences import sentence


def _entry(lang: str) -> Entry:
    return Entry(
        id="unrecognised-exception",
        title="{type}[: {first_line}]",
        summary=sentence(lang, "unrecognised"),
        role="cause",
        severity="fatal",
        tags=("python",),
        match=(),
        collect=(sentence(lang, "unrecognised-collect"),),
    )


def _cut_entry(lang: str) -> Entry:
    return Entry(
        id="traceback-cut-off",
        title=sentence(lang, "cut-title"),
        summary=sentence(lang, "cut"),
        role="symptom",
        severity="fatal",
        tags=("python", "aftermath"),
        match=(),
        collect=(sentence(lang, "cut-collect"),),
    )


ENTRY = _entry("en")
CUT = _cut_entry("en")
# The ids of both: what a recognised fault of the same process covers.
IDS = frozenset({ENTRY.id, CUT.id})
# Not faults of the program: the person or the launcher ended it; entries say so where that matters.
_NOT_FAULTS = frozenset({"KeyboardInterrupt", "SystemExit", "GeneratorExit", "StopIteration", ""})


def hits(groups: Sequence[Group], known: Sequence[Hit], lang: str = "en") -> list[Hit]:
    """Return a hit for each group of exceptions that no known hit rests on, its entry in a language."""
    entry, cut = (ENTRY, CUT) if lang == "en" else (_entry(lang), _cut_entry(lang))
    owned = {id(hit.subject) for hit in known}
    made: list[Hit] = []
    for group in groups:
        if group.event.kind != "exception" or id(group) in owned:
            continue
        if _is_fault(group):
            made.append(Hit(entry=entry, subject=group, captures=_captures(group), specificity=1.0))
        elif _is_cut(group):
            made.append(Hit(entry=cut, subject=group, captures={}, specificity=1.0))
    return made


def _captures(group: Group) -> dict[str, str]:
    message = group.event.fields.get("message", "").strip()
    return {"first_line": message.splitlines()[0][:200]} if message else {}


def _is_cut(group: Group) -> bool:
    fields = group.event.fields
    if fields.get("cut") != "yes" or fields.get("type") or fields.get("ignored") == "yes":
        return False
    return any(frame.user for frame in group.event.frames)  # a launcher's own frames say nothing of the program


def _is_fault(group: Group) -> bool:
    fields = group.event.fields
    return fields.get("type", "") not in _NOT_FAULTS and fields.get("ignored") != "yes"
