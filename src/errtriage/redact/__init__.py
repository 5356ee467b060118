"""Secrets and personal data out of text that leaves the machine: stable placeholders, counted and never shown.

Hidden are tokens and keys (`redact_rules`), passwords, e-mail addresses, the names in home folders, host names and
addresses of IPv4 and IPv6. Equal things get equal placeholders (`<host-1>`), over all texts of one `Redactor`.
What only looks alike stays: versions, commits, addresses of memory, times, places in code, names of C++.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from errtriage.lazy_regex import lazy
from errtriage.model import Report
from errtriage.redact.places import PLACES, in_small, is_host, known_hosts, known_users, lines_with
from errtriage.redact.rules import SECRETS
from errtriage.values import replace

__all__ = ["Redactor", "redact_report", "redact_text"]

_HARMLESS = lazy(
    r"(?i:none|null|true|false|nil|undefined|required|missing|invalid|empty|unset|redacted|hidden|optional|default|str"
    r"|string|bytes|your[_-].*|changeme|example|[*x.#_-]+|\$.*|%.*|<.*|os\.\w.*|self\.\w.*|args\.\w.*"
    r"|(?:cfg|config|settings|env|environ|getenv|options|opt|params|kwargs|request|response)\b.*|\d{1,6}(?:\.\d+)?|\\.*)\Z"
)
_PLACEHOLDER = lazy(r"<[a-z-]{2,24}-\d{1,6}>")
_Holds = Callable[[str, Any], bool]
_IDENTIFIER = lazy(r"[a-z_]+(?:\.[a-z_]+)*\Z")
# Fields of a report whose values are words of ours: ids, roles, names of metrics, hashes.
_OURS = frozenset(
    {
        "id", "role", "severity", "kind", "verdict", "ending", "action", "fingerprint", "knowledge", "see", "leads_to",
        "explained_by", "explanation", "state", "split", "encoding", "engine", "seq", "op", "versions", "ranges", "cut",
    }
)  # fmt: skip


class Redactor:
    """Hides what is secret in any number of texts; what it saw once has the same placeholder everywhere."""

    def __init__(self) -> None:
        """Start without any placeholder."""
        self.count = 0
        self._names: dict[tuple[str, str], str] = {}
        self._numbers: dict[str, int] = {}
        self._hosts: set[str] = set()
        self._users: set[str] = set()

    def learn(self, text: str) -> None:
        """Note the names of hosts and users that a text gives away, so that they are hidden wherever they stand."""
        small = in_small(text)
        self._hosts |= known_hosts(text, small)
        self._users |= known_users(text, small)

    def host(self, name: str) -> str:
        """Return the placeholder of a host's name; where it is no plain word it is hidden in later texts, too."""
        if name.lower() == "localhost" or name.startswith("<"):
            return name
        if is_host(name):
            self._hosts.add(name)
        self.count += 1
        return self._placeholder("ip" if name.replace(".", "").isdigit() else "host", name)

    def redact(self, text: str) -> str:
        """Return a text with placeholders for what is secret or personal."""
        small = in_small(text)
        for rule in SECRETS:
            holds = _is_secret if rule.kind == "secret" else _always
            text, small = self._searched(text, small, () if rule.lines else rule.literals, rule.regex, rule.kind, holds)
        for place in PLACES:
            text, small = self._searched(text, small, place.literals, place.regex, place.kind, place.holds)
        text = self._known(text, self._hosts, "host", r"(?<![\w.-])(?:{})(?![\w-])")
        return self._known(text, self._users, "user", r"(?<=[/\\])(?:{})(?=[/\\])")

    def _searched(
        self, text: str, small: str, literals: tuple[str, ...], regex: Any, kind: str, holds: _Holds
    ) -> tuple[str, str]:
        """Return a text, and it in small letters, after one regex went over the lines that hold its literals."""
        if literals:
            lines = lines_with(text, small, literals)
            found = (match for start, end in lines for match in regex.finditer(text, start, end))
        else:
            found = regex.finditer(text)
        told = self._replaced(text, found, kind, holds)
        return (text, small) if told is text else (told, in_small(told))

    def _known(self, text: str, names: set[str], kind: str, edges: str) -> str:
        """Return a text without the names that were learned."""
        here = sorted((name for name in names if name in text), key=len, reverse=True)
        if not here:
            return text
        regex = re.compile(edges.format("|".join(map(re.escape, here))))
        return self._replaced(text, regex.finditer(text), kind, _always)

    def _replaced(self, text: str, matches: Iterator[Any], kind: str, holds: _Holds) -> str:
        parts: list[str] = []
        done = 0
        for found in matches:
            group = "hide" if "hide" in found.re.groupindex else 0
            if group == "hide" and found["hide"] is None:
                group = "hide2"
            start, end = found.span(group)
            value = text[start:end]
            if start < done or _PLACEHOLDER.search(text[max(start - 1, 0) : end + 1]) or not holds(value, found):
                continue
            parts += [text[done:start], self._placeholder(kind, value)]
            self.count += 1
            done = end
        return "".join(parts) + text[done:] if parts else text

    def _placeholder(self, kind: str, value: str) -> str:
        key = (kind, value.lower() if kind == "host" else value)
        if key not in self._names:
            self._numbers[kind] = self._numbers.get(kind, 0) + 1
            self._names[key] = f"<{kind}-{self._numbers[kind]}>"
        return self._names[key]


def _always(_value: str, _found: Any) -> bool:
    return True


def _is_secret(value: str, found: Any) -> bool:
    """Return whether the value of a named pair is one: not a word of code, a number or a blank.

    A plain word is one all the same where it stands in quotes after a password's name.
    """
    if _HARMLESS.match(value):
        return False
    quoted = found.string[found.start("hide") - 1] in "'\"" if found["hide"] is not None else False
    return not _IDENTIFIER.match(value) or (quoted and "pass" in found[0].lower())


def redact_text(text: str) -> tuple[str, int]:
    """Return a text without what is secret or personal, and how many places were hidden."""
    redactor = Redactor()
    redactor.learn(text)
    return redactor.redact(text), redactor.count


def redact_report(report: Report) -> Report:
    """Return a report without what is secret or personal in any of its texts; `stats.redacted` counts the places."""
    redactor = Redactor()
    redactor.learn("\n".join(_texts(report)))
    explanations = tuple(replace(one, hosts=tuple(map(redactor.host, one.hosts))) for one in report.explanations)
    ranks = tuple(replace(one, host=redactor.host(one.host) if one.host else None) for one in report.ranks)
    hidden: Report = _hidden(replace(report, explanations=explanations, ranks=ranks), redactor)
    return replace(hidden, stats=replace(hidden.stats, redacted=redactor.count))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, tuple):
        for item in value:
            yield from _texts(item)
    else:
        for name in getattr(type(value), "__fields__", ()):
            if name not in _OURS:
                yield from _texts(getattr(value, name))


def _hidden(value: Any, redactor: Redactor) -> Any:
    if isinstance(value, str):
        return redactor.redact(value)
    if isinstance(value, Mapping):
        return {name: _hidden(item, redactor) for name, item in value.items()}
    if isinstance(value, tuple):
        return tuple(_hidden(item, redactor) for item in value)
    fields = [name for name in getattr(type(value), "__fields__", ()) if name not in _OURS]
    return replace(value, **{name: _hidden(getattr(value, name), redactor) for name in fields}) if fields else value
