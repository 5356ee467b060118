"""The prefixes that runners, collectors and loggers put before a line, stripped one by one."""

from __future__ import annotations

from functools import lru_cache

from errtriage import TYPE_CHECKING
from errtriage.lazy_regex import lazy
from errtriage.lines.clock import seconds
from errtriage.lines.styles import IP, LABELLED, PREFIXES, Prefix
from errtriage.regex_store import compiled
from errtriage.values import dataclass, field

if TYPE_CHECKING:
    import re

MOST = 8  # prefixes that are stripped from one line


Known = dict[str, set[str]]  # the kinds of labels that a source uses, by the style of their prefix

_RANK_WITHIN = lazy(r"\brank=(\d{1,6})")  # (Worker rank=1 pid=12)
_NUMBER = lazy(r"\d+")


@dataclass(slots=True)
class Stripped:
    """What the prefixes of one line said, and where its text begins."""

    start: int = 0
    who: list[str] = field(default_factory=list)
    rank: int | None = None
    host: str | None = None
    time: float | None = None
    stream: str | None = None
    used: list[str] = field(default_factory=list)


@lru_cache(maxsize=512)
def _starting_with(character: str) -> tuple[Prefix, ...]:
    """Return the prefixes that can begin with a character."""
    return tuple(
        prefix for prefix in PREFIXES if character in prefix.starts or (prefix.starts == "*" and character.isalnum())
    )


def strip(text: str, known: Known, year: int | None = None) -> Stripped | None:
    """Return what the prefixes of a line say, or None where it has none; `known` are the labels that the source uses.

    A label that the line itself makes certain is added to `known`.
    """
    found: Stripped | None = None
    start = 0
    for _ in range(MOST):
        if start >= len(text):
            break
        for prefix in _starting_with(text[start]):
            if prefix.needs not in text or (prefix.learned and prefix.name not in known):
                continue
            match = compiled(prefix.regex).match(text, start)
            if match is None or (prefix.learned and _kind(match[1]) not in known[prefix.name]):
                continue
            if found is not None and prefix.name in found.used:
                continue  # the same style twice is text
            found = found or Stripped()
            _note(found, prefix, match, year)
            if prefix.teaches:
                known.setdefault(prefix.teaches, set()).add(_kind(match[1]))
            break
        else:
            break
        if prefix.shown:
            break
        start = found.start = match.end()
    return found


def _kind(label: str) -> str:
    """Return a label with its numbers as one sign: node01 and node57 are of one kind."""
    return _NUMBER.sub("0", label)


def _note(found: Stripped, prefix: Prefix, match: re.Match[str], year: int | None) -> None:
    groups = match.groupdict()
    found.used.append(prefix.name)
    who, host, rank, task = groups.get("who"), groups.get("host"), groups.get("rank"), groups.get("task")
    if who and (within := _RANK_WITHIN.search(who)):
        rank = within[1]
    if (told := rank or groups.get("said")) is not None:
        found.rank = int(told)  # before what a task or a local rank made likely
    elif found.rank is None and (task or groups.get("local")) is not None:
        found.rank = int(task or groups["local"])
    if host:
        found.host = found.host or host
        found.who += [host] if host not in (who or "") and host not in found.who else []
    if who:
        found.who.append(who)
    elif task is not None:
        found.who.append(f"task{int(task)}")
    elif groups.get("local") is not None:
        found.who.append(f"local{int(groups['local'])}")
    elif rank is not None and not any("pid=" in part for part in found.who):
        found.who.append(f"rank{int(rank)}")
    if groups.get("kernel") is not None:
        found.who.append("kernel")
    found.stream = found.stream or groups.get("stream")
    if groups.get("time") and found.time is None:
        found.time = seconds(groups["time"], year)


# Styles that only their neighbours make plausible.
_LABELS = {
    "srun --label": rb"(?m)^ {0,5}(\d{1,6}):(?= |\r?$)",
    "pdsh": rf"(?m)^({IP}|{LABELLED}):(?= |\r?$)".encode(),
    "mpiexec -l": rb"(?m)^\[(\d{1,6})\](?= |\r?$)",
    "compose": rb"(?m)^((?=[\w.\-]{0,62}\d)[A-Za-z][\w.\-]{0,62}) {1,40}\|(?= |\r?$)",
}
_SHARE = 0.6  # of the lines that must carry such a prefix
_FEWEST = 4
_LEARNED_FROM = 64 * 1024  # bytes at the start of a source
_YEAR = lazy(rb"(?:^|[\s\[])((?:19|20)\d\d)[-/]\d\d[-/]\d\d[T ]\d\d:\d\d")


def learn(window: bytes) -> tuple[Known, int | None]:
    """Return the ambiguous labels that a source uses, and the year that it names, from its first window."""
    start = window[:_LEARNED_FROM]
    rows = start.count(b"\n") + 1
    known: Known = {}
    for name, regex in _LABELS.items():
        labels = compiled(regex).findall(start)
        if len(labels) >= max(_FEWEST, _SHARE * rows) and len(set(labels)) <= len(labels) / 2:
            known[name] = {_kind(label.decode("ascii")) for label in labels}
    year = _YEAR.search(start)
    return known, int(year[1]) if year else None
