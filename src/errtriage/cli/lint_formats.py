"""The formats of `errtriage lint`: lines for people, JSON, SARIF 2.1.0 and GitHub's workflow commands."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from errtriage import __version__
from errtriage.source_check.rule import Finding
from errtriage.source_check.rules import RULES

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def _text(found: Sequence[Finding]) -> str:
    return "".join(f"{_path(one)}:{one.line}:{one.column}: {one.rule} {_message(one)}\n" for one in found)


def _json(found: Sequence[Finding]) -> str:
    told = [
        {
            "rule": one.rule,
            "file": _path(one),
            "line": one.line,
            "column": one.column,
            "message": one.message,
            "seen": one.seen,
        }
        for one in found
    ]
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def _github(found: Sequence[Finding]) -> str:
    return "".join(
        f"::{_level(one)} file={_property(_path(one))},line={one.line},col={one.column},title={_property(one.rule)}"
        f"::{_data(_message(one))}\n"
        for one in found
    )


def _sarif(found: Sequence[Finding]) -> str:
    ids = list(dict.fromkeys([*[rule.id for rule in RULES], *[one.rule for one in found]]))
    messages = {rule.id: rule.message for rule in RULES}
    rules = [{"id": name, "shortDescription": {"text": messages.get(name, name)}} for name in ids]
    results = [
        {
            "ruleId": one.rule,
            "ruleIndex": ids.index(one.rule),
            "level": _level(one),
            "message": {"text": _message(one)},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": _path(one)},
                        "region": {"startLine": one.line, "startColumn": one.column},
                    }
                }
            ],
        }
        for one in found
    ]
    driver = {"name": "errtriage", "version": __version__, "rules": rules}
    whole = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _level(one: Finding) -> str:
    return "warning" if any(rule.id == one.rule for rule in RULES) else "error"


def _message(one: Finding) -> str:
    return one.message if one.message == one.seen else f"{one.seen}: {one.message}"


def _path(one: Finding) -> str:
    """Return a path as it is written from the current folder, with slashes, where it lies below it."""
    path = one.path
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return path.as_posix()


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def list_rules() -> str:
    """Return one line for each rule."""
    return "".join(f"{rule.id:34} {rule.message}\n" for rule in RULES)


def rules_page() -> str:
    """Return the part of docs/lint.md that tells the rules: each with a wrong and a right example."""
    told = []
    for rule in RULES:
        told.append(f"### {rule.id}\n\n{rule.message[0].upper()}{rule.message[1:]}.\n")
        told.append(f"Wrong:\n\n```python\n{rule.wrong[0]}```\n\nRight:\n\n```python\n{rule.right[0]}```\n")
    return "\n".join(told)


FORMATS: Mapping[str, Callable[[Sequence[Finding]], str]] = {
    "text": _text,
    "json": _json,
    "sarif": _sarif,
    "github": _github,
}
