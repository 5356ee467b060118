"""`kb new`: a skeleton of an entry, drafted from a line of a real log where one is given."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from errtriage.errors import ErrtriageError, SourceError
from errtriage.model import Event, Group

if TYPE_CHECKING:
    from errtriage.knowledge import Knowledge

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_EXAMPLE = 40  # lines
_TELLING_FIELDS = ("type", "category", "condition", "what", "phase", "reason", "signal", "level", "tool", "name")
_QUOTED = r"'[^'\n]{1,80}'|\"[^\"\n]{1,80}\""
_NUMBER = r"0x[0-9a-fA-F]+|\d+(?:\.\d+)*"
_PARTS = re.compile(rf"(?P<quoted>{_QUOTED})|(?P<path>(?:/[\w.+-]+){{2,}})|(?P<number>{_NUMBER})|(?P<space>\s{{2,}})")
_LONGEST_PATTERN = 160  # characters of a message that a drafted pattern pins down

_SKELETON = """\
id: {name}                     # names the fault, never the remedy
title: TODO one line, what is wrong
summary: TODO one or two sentences, what happened and why it ends the run.
role: cause                    # cause, symptom or cascade
severity: {severity}
tags: [TODO]                   # `kb check` lists those there are
match:
{match}
causes:                        # likeliest first
  - id: TODO-cause
    why: TODO what the person did or has.
    check: TODO the cheapest experiment that tells this cause from the others.
    fix: TODO what to change.
examples:
  match:
{example}
  ignore: []                   # TODO two near misses at least: texts that look alike and mean something else
"""


def new(
    name: str, knowledge: Knowledge, *, log: Path | None, line: int | None, folder: Path | None, printed: bool
) -> int:
    """Write `<folder>/<name>.yaml`, or print it; return the exit status. Raises ErrtriageError where it can not be."""
    if not _ID.fullmatch(name):
        raise ErrtriageError(f"{name!r} is no id: small letters, digits and single dashes")
    if name in knowledge.by_id:
        raise ErrtriageError(f"there is an entry {name!r} already (errtriage kb show {name})")
    event, example = (None, ["TODO a line of a log"]) if log is None else _drafted(log, line, knowledge)
    if log is not None:
        _tell_who_answers(example, knowledge)
    text = skeleton(name, event, example)
    if printed:
        sys.stdout.write(text)
        return 0
    target = _folder(folder) / f"{name}.yaml"
    try:
        with target.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        raise ErrtriageError(f"{target}: {error.strerror or error}") from None
    sys.stdout.write(f"{target}: fill in what says TODO, then run `errtriage kb check {target}`\n")
    return 0


def skeleton(name: str, event: Event | None, example: Sequence[str]) -> str:
    """Return the text of a new entry for an event (a `text` match where there is none) and the lines that show it."""
    severity = "warning" if event is not None and event.kind == "warning" else "fatal"
    body = "\n".join(f"      {row}" for row in example)
    return _SKELETON.format(name=name, severity=severity, match=_match(event, example), example=f"    - |\n{body}")


def _folder(folder: Path | None) -> Path:
    if folder is not None:
        return folder
    return Path("knowledge") if Path("knowledge").is_dir() else Path()


def _drafted(log: Path, line: int | None, knowledge: Knowledge) -> tuple[Event | None, list[str]]:
    try:
        rows = log.read_text(encoding="utf-8", errors="replace").removesuffix("\n").split("\n")
    except OSError as error:
        raise SourceError(f"{log}: {error.strerror or error}") from None
    groups = _groups(log, knowledge)
    if line is None:
        group = next(iter(sorted(groups, key=_weight)), None)
        if group is None:
            raise ErrtriageError(f"{log}: nothing was recognised; name a line with --line")
    elif not 1 <= line <= len(rows):
        raise ErrtriageError(f"{log} ends at line {len(rows)}; there is no line {line}")
    else:
        around = [one for one in groups if one.event.span.first <= line <= one.event.span.last]
        group = min(around, key=lambda one: one.event.span.last - one.event.span.first, default=None)
    if group is None or group.event.kind == "text":
        return None, [_without_prefixes(rows[_number(group, line) - 1])]
    span = group.event.span
    return group.event, rows[span.first - 1 : span.last][-_LONGEST_EXAMPLE:]


def _number(group: Group | None, line: int | None) -> int:
    return line or (group.event.span.first if group is not None else 1)


def _without_prefixes(row: str) -> str:
    from errtriage.lines import clean_one
    from errtriage.model import Span

    return clean_one(row.encode("utf-8"), Span(first=1, last=1)).text


def _tell_who_answers(example: Sequence[str], knowledge: Knowledge) -> None:
    from errtriage.cli.kb_trial import hits_of

    for known in hits_of("\n".join(example), knowledge):
        told = f"{known} answers these lines (errtriage kb show {known}); better that entry where it means the same"
        sys.stderr.write(f"errtriage: {told}\n")


def _groups(log: Path, knowledge: Knowledge) -> list[Group]:
    from errtriage.reading import read
    from errtriage.sources import open_paths
    from errtriage.triage import wanted

    reading = read(open_paths([log]), wanted(knowledge), knowledge.literals)
    return [group for attempt in reading.attempts for group in attempt.groups]


_WEIGHTS = ("exception", "device_assert", "cuda_error", "cpp_error", "native_crash", "kernel_log", "scheduler")


def _weight(group: Group) -> tuple[int, int]:
    kind = group.event.kind
    return _WEIGHTS.index(kind) if kind in _WEIGHTS else len(_WEIGHTS), group.span.first


def _match(event: Event | None, example: Sequence[str]) -> str:
    if event is None:
        return f"  - event: text\n    where: {{message: {_quote(drafted_pattern(example[0]))}}}"
    where = {name: f"^{re.escape(event.fields[name])}$" for name in _TELLING_FIELDS if event.fields.get(name)}
    message = event.fields.get("message", "").strip().split("\n")[0]
    if message:
        where["message"] = "^" + drafted_pattern(message)
    rows = "".join(f"\n      {name}: {_quote(pattern)}" for name, pattern in where.items())
    return f"  - event: {event.kind}\n    where:{rows}"


def drafted_pattern(message: str) -> str:
    """Return a regex for a message, with its numbers, paths and quoted words left open."""
    pattern = ""
    at = 0
    for found in _PARTS.finditer(message):
        if len(pattern) > _LONGEST_PATTERN:
            return pattern
        pattern += _escaped(message[at : found.start()]) + _open(found)
        at = found.end()
    return pattern + _escaped(message[at:][:_LONGEST_PATTERN])


def _open(found: re.Match[str]) -> str:
    if found["quoted"]:
        mark = found["quoted"][0]
        return f"{mark}[^{mark}]{{1,120}}{mark}"
    if found["path"]:
        return r"\S{1,200}"
    if found["space"]:
        return " +"
    return r"0x[0-9a-fA-F]{1,16}" if "x" in found[0] else r"[\d.]{1,20}" if "." in found[0] else r"\d{1,20}"


def _escaped(text: str) -> str:
    return re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", text)


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
