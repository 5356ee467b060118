"""The checks of one knowledge entry: shape, closed lists, texts, examples; every mistake is a trail into its file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from errtriage.knowledge.match_checks import Names, check_condition, check_match
from errtriage.model import ACTIONS, ROLES, SEVERITIES
from errtriage.templates import holes, stray_braces
from errtriage.values import dataclass
from errtriage.vocabulary import LINK_ORDER, LINK_SAME, TAGS

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_VERSIONS = re.compile(r"(?:>=|<=|==|!=|<|>)\s*\d+(?:\.\d+)*(?:\s*,\s*(?:>=|<=|==|!=|<|>)\s*\d+(?:\.\d+)*)*")
LONGEST_TITLE = 120  # characters: a title is one line of a report


@dataclass(frozen=True, slots=True)
class Trail:
    """A place in a file, and the list that mistakes are written to."""

    path: str
    mistakes: list[str]

    def at(self, step: str | int) -> Trail:
        """Return the trail one step further in: a key, or an index of the list that the last key names."""
        return Trail(f"{self.path}[{step}]" if isinstance(step, int) else f"{self.path} > {step}", self.mistakes)

    def say(self, mistake: str) -> None:
        """Note a mistake at this place."""
        self.mistakes.append(f"{self.path}: {mistake}")

    def choice(self, value: Any, allowed: tuple[str, ...]) -> None:
        """Note a mistake where a value is none of the allowed ones."""
        if value not in allowed:
            self.say(f"{value!r} is not one of {', '.join(allowed)}")

    def keys(self, value: Mapping[str, Any], must: tuple[str, ...], may: tuple[str, ...] = ()) -> None:
        """Note missing and unknown keys."""
        for key in must:
            if key not in value:
                self.say(f"the key {key!r} is missing")
        for key in value:
            if key not in must and key not in may:
                split = " (a comma inside {…} splits a text: quote it)" if value[key] is None else ""
                self.say(f"unknown key {key!r}{split}; known are {', '.join((*must, *may))}")

    def text(self, value: Any) -> bool:
        """Return whether a value is text that holds something; note a mistake where it is not."""
        if isinstance(value, str) and value.strip():
            return True
        kind = "nothing" if value in (None, "") else f"{type(value).__name__} {value!r}"
        self.say(f"must be text, not {kind}" + ("" if kind == "nothing" else " (quote it)"))
        return False

    def listed(self, value: Any, *, least: int = 0) -> list[tuple[Trail, Any]]:
        """Return the items of a list with their trails; note a mistake where it is no list, or too short."""
        if not isinstance(value, list):
            self.say(f"must be a list, not {type(value).__name__}")
            return []
        if len(value) < least:
            self.say(f"needs at least {least}, has {len(value)}")
        return [(self.at(index), item) for index, item in enumerate(value)]

    def mapping(self, value: Any) -> bool:
        """Return whether a value is a mapping with text keys; note a mistake where it is not."""
        if isinstance(value, dict) and all(isinstance(key, str) for key in value):
            return True
        self.say(f"must be a mapping, not {type(value).__name__}")
        return False


_MUST = ("id", "title", "summary", "role", "severity", "tags", "match", "causes", "examples")
_MAY = ("leads_to", "collect", "see", "versions", "renamed_from", "action")


def check_entry(file: str, data: Any) -> list[str]:
    """Return the mistakes of one entry, as it was read from `file` (its name alone), each as a trail."""
    top = Trail(file, [])
    if not top.mapping(data):
        return top.mistakes
    top.keys(data, _MUST, _MAY)
    _check_head(top, file, data)
    names = Names()
    for place, item in top.at("match").listed(data.get("match", []), least=1):
        check_match(place, item, names)
    for key in ("title", "summary"):
        if key in data and top.at(key).text(data[key]):
            _check_text(top.at(key), data[key], names)
    if len(str(data.get("title", ""))) > LONGEST_TITLE or "\n" in str(data.get("title", "")).strip():
        top.at("title").say(f"must be one line of at most {LONGEST_TITLE} characters")
    _check_causes(top.at("causes"), data.get("causes", []), names)
    for place, item in top.at("leads_to").listed(data.get("leads_to", [])):
        _check_link(place, item)
    for place, item in top.at("collect").listed(data.get("collect", [])):
        if place.text(item):
            _check_text(place, item, names)
    _check_rest(top, data)
    return top.mistakes


def _check_head(top: Trail, file: str, data: Mapping[str, Any]) -> None:
    name = file.removesuffix(".yaml")
    if "id" in data and data["id"] != name:
        top.at("id").say(f"{data['id']!r} is not the name of the file")
    if not _ID.fullmatch(name):
        top.at("id").say("must be small letters, digits and single dashes")
    for key, allowed in (("role", ROLES), ("severity", SEVERITIES), ("action", ACTIONS)):
        if key in data:
            top.at(key).choice(data[key], allowed)
    for place, tag in top.at("tags").listed(data.get("tags", []), least=1):
        place.choice(tag, tuple(TAGS))


def _check_text(place: Trail, text: str, names: Names, *, code: bool = False) -> None:
    """Check that each placeholder of a text is known: always where it stands outside of square brackets."""
    if text.startswith("TODO"):
        place.say("still says TODO")
    if not code:
        for brace in stray_braces(text):
            place.say(f"{brace} is no placeholder; write {{{brace}}} for braces")
    for hole, optional in holes(text, clauses=not code):
        for name in hole.names:
            if name not in names.possible:
                place.say(f"unknown placeholder {{{name}}}")
            elif not optional and name not in names.sure:
                cure = "capture it in every match" if code else "capture it in every match, or put it in [brackets]"
                place.say(f"{{{name}}} is not always known: {cure}")


def _check_causes(top: Trail, value: Any, names: Names) -> None:
    seen: set[str] = set()
    for place, cause in top.listed(value, least=1):
        if not place.mapping(cause):
            continue
        place.keys(cause, ("id", "why", "check"), ("fix", "code", "when"))
        if not isinstance(cause.get("id"), str) or not _ID.fullmatch(cause["id"]):
            place.at("id").say("must be small letters, digits and single dashes")
        elif cause["id"] in seen:
            place.at("id").say(f"{cause['id']!r} stands twice")
        else:
            seen.add(cause["id"])
        for key in ("why", "check", "fix", "code"):
            if key in cause and place.at(key).text(cause[key]):
                _check_text(place.at(key), cause[key], names, code=key == "code")
        for inner, condition in place.at("when").listed(cause.get("when", [])):
            check_condition(inner, condition, names)


def _check_link(place: Trail, link: Any) -> None:
    if not place.mapping(link):
        return
    place.keys(link, ("because",), ("entry", "tag", "order", "within", "same"))
    if ("entry" in link) == ("tag" in link):
        place.say("needs either 'entry' or 'tag'")
    if "tag" in link:
        place.at("tag").choice(link["tag"], tuple(TAGS))
    if "because" in link:
        place.at("because").text(link["because"])
    place.at("order").choice(link.get("order", "any"), LINK_ORDER)
    place.at("same").choice(link.get("same", "none"), LINK_SAME)
    within = link.get("within", {"lines": 1})
    numbers = isinstance(within, dict) and len(within) == 1 and set(within) <= {"lines", "seconds"}
    if not numbers or not all(isinstance(n, (int, float)) and n > 0 for n in within.values()):
        place.at("within").say("must be {lines: N} or {seconds: N}")


def _check_rest(top: Trail, data: Mapping[str, Any]) -> None:
    for place, link in top.at("see").listed(data.get("see", [])):
        if not isinstance(link, str) or not re.match(r"https?://\S+\Z", link):
            place.say("must be an http address")
    for place, old in top.at("renamed_from").listed(data.get("renamed_from", [])):
        if not isinstance(old, str) or not _ID.fullmatch(old):
            place.say("must be small letters, digits and single dashes")
    versions = data.get("versions", {})
    if top.at("versions").mapping(versions):
        for package, wanted in versions.items():
            if not isinstance(wanted, str) or not _VERSIONS.fullmatch(wanted):
                top.at("versions").at(package).say("must be a version rule such as '>=2.0' or '>=1.9,<2.1'")
    examples = data.get("examples", {})
    if top.at("examples").mapping(examples):
        top.at("examples").keys(examples, ("match", "ignore"))
        for key, least in (("match", 1), ("ignore", 2)):
            if key in examples:
                for place, item in top.at("examples").at(key).listed(examples[key], least=least):
                    _check_example(place, item)


def _check_example(place: Trail, example: Any) -> None:
    if isinstance(example, list):
        for inner, item in place.listed(example, least=1):
            _check_example(inner, item)
    elif isinstance(example, dict):
        place.keys(example, ("line", "repeat"))
        if "line" in example:
            place.at("line").text(example["line"])
        count = example.get("repeat", 1)
        if not isinstance(count, int) or not 1 <= count <= 20_000:
            place.at("repeat").say("must be a whole number from 1 to 20000")
    else:
        place.text(example)
