"""Translations of entries: `<language>/<id>.yaml` beside the English, checked against it, and put in its place.

A translation holds the texts alone: title, summary, collect, and why, check and fix of each cause under the cause's id.
`sentences.yaml` of the same folder holds the other sentences of entries (why one fault leads to another, what evidence
means) under their English text. What has no translation stays English, entry by entry.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from errtriage.knowledge.checks import LONGEST_TITLE, Trail
from errtriage.knowledge.data import Data
from errtriage.templates import STAND_INS, holes, stray_braces

SENTENCES = "sentences.yaml"
_TEXTS_OF_CAUSE = ("why", "check", "fix")
_CODE = re.compile(r"`([^`\n]+)`")


def check_translation(file: str, data: Any, english: Data) -> list[str]:
    """Return the mistakes of a translation of an entry, as it was read from `file`, each as a trail."""
    top = Trail(file, [])
    if not top.mapping(data):
        return top.mistakes
    collect = english.get("collect", ())
    top.keys(data, ("title", "summary", "causes", *(["collect"] if collect else [])))
    for key in ("title", "summary"):
        if key in data:
            _check_text(top.at(key), data[key], english[key])
    if len(str(data.get("title", ""))) > LONGEST_TITLE or "\n" in str(data.get("title", "")).strip():
        top.at("title").say(f"must be one line of at most {LONGEST_TITLE} characters")
    if collect and "collect" in data:
        told = top.at("collect").listed(data["collect"])
        if len(told) != len(collect):
            top.at("collect").say(f"has {len(told)} texts, the English entry {len(collect)}")
        for (place, text), original in zip(told, collect, strict=False):
            _check_text(place, text, original)
    if "causes" in data:
        _check_causes(top.at("causes"), data["causes"], {cause["id"]: cause for cause in english["causes"]})
    return top.mistakes


def _check_causes(top: Trail, value: Any, english: Mapping[str, Data]) -> None:
    if not top.mapping(value):
        return
    top.keys(value, tuple(english))
    for name, cause in value.items():
        if name in english and top.at(name).mapping(cause):
            there = [key for key in _TEXTS_OF_CAUSE if english[name].get(key)]
            top.at(name).keys(cause, tuple(there))
            for key in there:
                if key in cause:
                    _check_text(top.at(name).at(key), cause[key], english[name][key])


def _check_text(place: Trail, text: Any, english: str) -> None:
    """Check that a text has the placeholders and the code of the English one, and leaves none open that it did not."""
    if not place.text(text):
        return
    if text.startswith("TODO"):
        place.say("still says TODO")
    for brace in stray_braces(text):
        place.say(f"{brace} is no placeholder; write {{{brace}}} for braces")
    ours, theirs = _placeholders(text), _placeholders(english)
    for hole in theirs.keys() - ours.keys():
        place.say(f"the placeholder {{{hole}}} of the English text is missing")
    for hole in ours.keys() - theirs.keys():
        place.say(f"the English text has no placeholder {{{hole}}}")
    for hole in ours.keys() & theirs.keys():
        if not ours[hole] and (theirs[hole] or hole in STAND_INS):
            place.say(f"{{{hole}}} is not always known: put it in [brackets]")
    for code in _CODE.findall(english):
        if f"`{code}`" not in text:
            place.say(f"the code `{code}` of the English text is missing")


def _placeholders(text: str) -> dict[str, bool]:
    """Return the placeholders of a text, each with whether it stands in brackets everywhere."""
    found: dict[str, bool] = {}
    for hole, optional in holes(text):
        name = f"{hole.expression}:{hole.form}" if hole.form else hole.expression
        found[name] = optional and found.get(name, True)
    return found


def read_translations(
    folder: Path, english: Mapping[str, Data], read: Callable[[Path], Any]
) -> tuple[dict[str, Data], dict[str, str], list[str]]:
    """Return the sound translations of a folder by id, its other sentences, and the mistakes.

    `english` holds those of the entries beside the folder that are in use: the translations of others are passed over.
    `read` gives data or raises ValueError.
    """
    found: dict[str, Data] = {}
    sentences: dict[str, str] = {}
    mistakes: list[str] = []
    for path in sorted(folder.glob("*.yaml")):
        file = f"{folder.name}/{path.name}"
        try:
            data = read(path)
        except (OSError, ValueError) as error:
            mistakes.append(f"{file}: {error}")
            continue
        if path.name == SENTENCES:
            sentences, wrong = _sentences(file, data)
        elif path.stem not in english:
            there = (folder.parent / path.name).exists()
            wrong = [] if there else [f"{file}: there is no entry {path.stem!r} beside it"]
        elif not (wrong := check_translation(file, data, english[path.stem])):
            found[path.stem] = data
        mistakes += wrong
    return found, sentences, mistakes


def _sentences(file: str, data: Any) -> tuple[dict[str, str], list[str]]:
    top = Trail(file, [])
    if not top.mapping(data):
        return {}, top.mistakes
    for original, text in data.items():
        _check_text(top.at(original), text, original)
    return ({} if top.mistakes else dict(data)), top.mistakes


def other_sentences(entry: Data) -> list[str]:
    """Return the sentences of an entry that stand outside of its translation: reasons of links and of conditions."""
    found = [link["because"].strip() for link in entry.get("leads_to", ())]
    conditions = [one for cause in entry["causes"] for one in cause.get("when", ())]
    return found + [one["because"] for one in conditions if "because" in one]


def compile_translations(
    folders: Sequence[tuple[Path, Mapping[str, Data]]],
    lang: str,
    read: Callable[[Path], Any],
    dump: Callable[[Any], bytes],
) -> Data:
    """Return the plain form of all translations of a language: entries by id, sentences, and mistakes.

    Each folder comes with those entries of it that are in use, so that no translation is laid over another's entry.
    """
    entries: dict[str, bytes] = {}
    sentences: dict[str, str] = {}
    mistakes: list[str] = []
    for folder, english in folders:
        found, told, wrong = read_translations(folder / lang, english, read)
        entries.update({name: dump(data) for name, data in found.items()})
        sentences.update(told)
        mistakes += wrong
    return {"entries": entries, "sentences": sentences, "mistakes": mistakes}
