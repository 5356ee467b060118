"""The explanation of an exception that no entry knows: its type, message and place, and that nothing more is known."""

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


ENTRY = _entry("en")
# Not faults of the program: the person or the launcher ended it; entries say so where that matters.
_NOT_FAULTS = frozenset({"KeyboardInterrupt", "SystemExit", "GeneratorExit", "StopIteration", ""})


def hits(groups: Sequence[Group], known: Sequence[Hit], lang: str = "en") -> list[Hit]:
    """Return a hit for each group of exceptions that no known hit rests on, its entry in a language."""
    entry = ENTRY if lang == "en" else _entry(lang)
    owned = {id(hit.subject) for hit in known}
    return [
        Hit(entry=entry, subject=group, captures={"first_line": _first_line(group)}, specificity=1.0)
        for group in groups
        if group.event.kind == "exception" and id(group) not in owned and _is_fault(group)
    ]


def _first_line(group: Group) -> str:
    message = group.event.fields.get("message", "").strip()
    return message.splitlines()[0][:200] if message else ""


def _is_fault(group: Group) -> bool:
    fields = group.event.fields
    return fields.get("type", "") not in _NOT_FAULTS and fields.get("ignored") != "yes"
