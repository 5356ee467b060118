"""Knowledge files to plain checked data: what stands in each, what is wrong with it, and how all fit together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from errtriage.knowledge.checks import check_entry
from errtriage.knowledge.data import Data
from errtriage.knowledge.literals import picking, required, telling
from errtriage.values import dataclass

_TELLING = 3  # characters of a literal that tells fields apart


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeFile:
    """One file: where it lies, its checked data, whether it came with errtriage, and the literals worked out of it."""

    path: Path
    data: Data
    builtin: bool
    needs: Any  # see needs_of
    literals: Any  # see picking_literals


Read = Callable[[Path], Any]


def read_folder(folder: Path, read: Read, *, builtin: bool) -> tuple[list[KnowledgeFile], list[str]]:
    """Return the sound files of a folder, and the mistakes of the others. `read` gives data or raises ValueError."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix in (".yaml", ".yml"))
    except OSError as error:
        return [], [f"{folder}: {error.strerror or error}"]
    files: list[KnowledgeFile] = []
    mistakes: list[str] = []
    for path in paths:
        if path.suffix == ".yml":
            mistakes.append(f"{path.name}: must end in .yaml")
            continue
        try:
            data = read(path)
        except (OSError, ValueError) as error:
            mistakes.append(f"{path.name}: {error}")
            continue
        found = check_entry(path.name, data)
        mistakes += found
        if not found:
            needs, literals = needs_of(data), picking_literals(data)
            files.append(KnowledgeFile(path=path, data=data, builtin=builtin, needs=needs, literals=literals))
    return files, mistakes


def files_of(compiled: Data, folder: Path, load: Callable[[bytes], Any]) -> list[KnowledgeFile]:
    """Return the files that a compiled form of the built-in folder was made from, without reading them again."""
    return [
        KnowledgeFile(path=folder / origin, data=data, builtin=True, needs=needs, literals=literals)
        for data, needs, literals, origin in map(load, compiled["entries"].values())
    ]


def join(
    files: Iterable[KnowledgeFile], broken: Iterable[str] = ()
) -> tuple[dict[str, KnowledgeFile], list[str], list[str]]:
    """Return the entries by id, a later one in place of an earlier one; mistakes of built-in files; of users' files.

    A user's entry that does not fit the others is left out, which may bare another one: until all fit. A built-in
    entry may name a `broken` one, whose own mistakes are told already.
    """
    chosen: dict[str, list[KnowledgeFile]] = {}
    for file in files:
        chosen.setdefault(file.data["id"], []).append(file)
    left_out: list[str] = []
    while True:
        entries = {name: stack[-1] for name, stack in chosen.items() if stack}
        mistakes = _mistakes_between(entries, frozenset(broken))
        users = [file for file in mistakes if not entries[file].builtin]
        if not users:
            return entries, [trail for trails in mistakes.values() for trail in trails], left_out
        for name in users:
            left_out += mistakes[name]
            chosen[name].pop()


def _mistakes_between(entries: Mapping[str, KnowledgeFile], broken: frozenset[str]) -> dict[str, list[str]]:
    """Return by id the dangling links, old ids that are in use, and matches that stand in two entries."""
    known = {*entries, *broken}
    known_tags = {tag for file in entries.values() for tag in file.data["tags"]}
    mistakes: dict[str, list[str]] = {}
    matches: dict[str, str] = {}
    old_ids: dict[str, str] = {}
    for name, file in entries.items():
        found = [*_dangling(file, known, known_tags), *_old_ids(file, entries, old_ids)]
        for index, item in enumerate(file.data["match"]):
            other = matches.setdefault(repr(sorted(item.items(), key=str)), name)
            if other != name:
                found.append(f"{file.path.name} > match[{index}]: the same match stands in {other}.yaml")
        if found:
            mistakes[name] = found
    return mistakes


def _dangling(file: KnowledgeFile, entries: set[str], tags: set[str]) -> list[str]:
    found = []
    for index, link in enumerate(file.data.get("leads_to", ())):
        if "entry" in link and link["entry"] not in entries:
            found.append(f"{file.path.name} > leads_to[{index}] > entry: no entry {link['entry']!r}")
        if "tag" in link and link["tag"] not in tags:
            found.append(f"{file.path.name} > leads_to[{index}] > tag: no entry has the tag {link['tag']!r}")
    for number, cause in enumerate(file.data["causes"]):
        for index, condition in enumerate(cause.get("when", ())):
            if "entry" in condition and condition["entry"] not in entries:
                trail = f"{file.path.name} > causes[{number}] > when[{index}] > entry"
                found.append(f"{trail}: no entry {condition['entry']!r}")
    return found


def _old_ids(file: KnowledgeFile, entries: Mapping[str, Any], seen: dict[str, str]) -> list[str]:
    found = []
    for index, old in enumerate(file.data.get("renamed_from", ())):
        other = old if old in entries else seen.setdefault(old, file.data["id"])
        if other != file.data["id"]:
            found.append(f"{file.path.name} > renamed_from[{index}]: {old!r} is an id of {other}.yaml")
    return found


def picking_literals(data: Data) -> list[str]:
    """Return the literals by which the lines of an entry's `text` matches and `log` conditions are picked."""
    texts = [pattern for item in data["match"] if item.get("event") == "text" for pattern in item["where"].values()]
    conditions = [condition for cause in data["causes"] for condition in cause.get("when", ())]
    found = [literal for pattern in texts for literal in picking(pattern)]
    return found + [literal for one in conditions if "log" in one for literal in telling(one["log"])]


def needs_of(data: Data) -> list[list[tuple[str, tuple[str, ...]]]]:
    """Return for each match of an entry the literals that its fields must hold, as `EventMatch.needs` has them."""
    return [
        [
            (field, literals)
            for field, pattern in item.get("where", {}).items()
            if (literals := required(pattern)) and min(map(len, literals)) >= _TELLING
        ]
        if "event" in item
        else []
        for item in data["match"]
    ]


def compile_files(entries: Mapping[str, KnowledgeFile], dump: Callable[[Any], bytes]) -> Data:
    """Return the plain form that is cached, in parts that are loaded when they are asked for.

    `entries` holds each entry's data; `rows` holds, by kind of event (and by `metric`, `derived`, `source`), the
    matches of all entries: (id, needs, item dumped).
    """
    rows: dict[str, list[Any]] = {}
    for name, file in sorted(entries.items()):
        for item, needs in zip(file.data["match"], file.needs, strict=True):
            kind = item["event"] if "event" in item else next(k for k in ("metric", "derived", "source") if k in item)
            rows.setdefault(kind if "event" in item else f"({kind})", []).append((name, needs, dump(item)))
    return {
        "rows": {kind: dump(found) for kind, found in rows.items()},
        "entries": {
            name: dump((_compiled(file.data), file.needs, file.literals, _origin(file)))
            for name, file in sorted(entries.items())
        },
        "users": [name for name, file in sorted(entries.items()) if not file.builtin],
        "literals": sorted({literal for file in entries.values() for literal in file.literals}),
    }


def _compiled(data: Data) -> Data:
    """Return the data of an entry without its examples; conditions that are regexes get the literals that they need."""
    causes = [
        {**cause, "when": [_with_needs(one) for one in cause["when"]]} if "when" in cause else cause
        for cause in data["causes"]
    ]
    return {**data, "examples": {}, "causes": causes}


def _with_needs(condition: Data) -> Data:
    pattern = condition.get("frame", condition.get("log"))
    needs = required(pattern) if pattern is not None else ()
    return {**condition, "needs": needs} if needs else condition


def _origin(file: KnowledgeFile) -> str:
    """Return where an entry comes from; the name alone for a built-in one, whose folder is another in each install."""
    return file.path.name if file.builtin else str(file.path.absolute())
