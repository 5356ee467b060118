"""One entry as a page of Markdown, for `kb show` and for the generated reference."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from errtriage.cli.kb_trial import examples_of
from errtriage.knowledge_data import example_log
from errtriage.model import Cause, Condition, DerivedMatch, Entry, EventMatch, Link, Match, SeriesMatch
from errtriage.templates import fill

if TYPE_CHECKING:
    from errtriage.knowledge import Knowledge

_LONGEST_EXAMPLE = 12  # lines of an example that are shown
_STAND_IN = re.compile(r"<([A-Za-z_][\w +*/()-]*)>")

SEVERITY = {
    "fatal": "ends the run",
    "error": "an error that the run may survive",
    "silent": "raises nothing",
    "warning": "a warning",
    "note": "a note",
}
ROLE = {
    "cause": "a cause",
    "symptom": "a symptom: its cause stands elsewhere",
    "cascade": "a consequence of a failure elsewhere, never the fault itself",
}


def page(entry: Entry, knowledge: Knowledge) -> str:
    """Return the Markdown page of an entry; holes of its texts are written as words."""
    parts = [
        f"# {entry.id}",
        f"**{words(entry.title)}**",
        words(entry.summary),
        f"*{SEVERITY[entry.severity]}; {ROLE[entry.role]}; tags: {', '.join(entry.tags)}.*",
        *_versions(entry),
        "## What the log shows",
        *_seen(entry),
        "## Why, likeliest first",
        *(part for number, cause in enumerate(entry.causes, 1) for part in _cause(number, cause)),
        *_links(entry, knowledge),
    ]
    if entry.collect:
        parts += ["## What to collect", "\n".join(f"- {words(item)}" for item in entry.collect)]
    if entry.see:
        parts += ["## See also", "\n".join(f"- <{link}>" for link in entry.see)]
    if entry.renamed_from:
        parts.append("Once called " + ", ".join(entry.renamed_from) + ".")
    return "\n\n".join(parts) + "\n"


def words(text: str) -> str:
    """Return a text of an entry without a log: clauses that hold values are left out, other holes are named."""
    return _STAND_IN.sub(r"‹\1›", fill(" ".join(text.split()), {}))


def _versions(entry: Entry) -> list[str]:
    rules = ", ".join(f"{package} {rule}" for package, rule in entry.versions.items())
    return [f"Holds for {rules}."] if rules else []


def _seen(entry: Entry) -> Iterator[str]:
    for example in examples_of(entry)[0][:3]:
        lines = example_log(example).rstrip("\n").split("\n")
        more = len(lines) - _LONGEST_EXAMPLE
        shown = lines if more <= 0 else [*lines[: _LONGEST_EXAMPLE - 2], f"… {more + 1} more lines …", lines[-1]]
        yield fenced("\n".join(shown), "text")
    if rules := [_match(item) for item in entry.match if not isinstance(item, EventMatch)]:
        yield "Found in: " + "; ".join(rules) + "."


def fenced(text: str, language: str) -> str:
    """Return a fenced block whose fence is longer than any run of backquotes in the text."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _match(item: Match) -> str:
    if isinstance(item, SeriesMatch):
        return f"the metric `{item.metric}` ({item.test.replace('_', ' ')})"
    if isinstance(item, DerivedMatch):
        return f"what the ranks together show ({item.derived.replace('_', ' ')})"
    return f"the source ({getattr(item, 'source', '')})"


def _cause(number: int, cause: Cause) -> Iterator[str]:
    yield f"### {number}. {words(cause.why)}"
    if cause.check:
        yield f"**Check:** {words(cause.check)}"
    if cause.fix:
        yield f"**Fix:** {words(cause.fix)}"
    if cause.code:
        yield fenced(fill(cause.code, {}, clauses=False), "python")
    if cause.when:
        reasons = "\n".join(f"- {words(one.because) if one.because else _condition(one)}" for one in cause.when)
        yield f"More likely where\n\n{reasons}"


def _condition(one: Condition) -> str:
    return _CONDITIONS[one.kind](one.value)


def _pairs(value: Mapping[str, Any], sign: str) -> str:
    return " and ".join(f"{name}{sign}{code(str(wanted))}" for name, wanted in value.items())


def code(text: str) -> str:
    """Return a text as inline code, whatever backquotes it holds."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    if not longest:
        return f"`{text}`"
    fence = "`" * (longest + 1)
    return f"{fence} {text} {fence}"


def _range(value: Mapping[str, Mapping[str, Any]]) -> str:
    rules = [
        f"{field}: {bound.replace('_', ' ')} {limit}"
        for field, bounds in value.items()
        for bound, limit in bounds.items()
    ]
    return "; ".join(rules)


_CONDITIONS: Mapping[str, Callable[[Any], str]] = {
    "field": lambda value: "the " + _pairs(value, " matches "),
    "compare": lambda value: f"{value['left']} {value['op']} {value['right']}",
    "frame": lambda value: f"a quoted code line, its function or its file matches {code(value)}",
    "log": lambda value: f"the log holds {code(value)}",
    "entry": lambda value: f"the log also shows [{value}]({value}.md)",
    "range": _range,
    "metric": lambda value: f"the metric `{value['name']}` is seen as: {value['test'].replace('_', ' ')}",
    "fact": lambda value: _pairs(value, " "),
    "lint": lambda value: f"the source shows {value}",
}


def _links(entry: Entry, knowledge: Knowledge) -> Iterator[str]:
    leads = [f"- {_target(link)}: {link.because}" for link in entry.leads_to]
    if leads:
        yield "## Leads to"
        yield "\n".join(leads)
    reasons: dict[str, str] = {}
    for other in knowledge.entries:
        for link in other.leads_to:
            if other.id != entry.id and link.target in (entry.tags if link.tag else (entry.id,)):
                reasons.setdefault(other.id, link.because)
    if reasons:
        yield "## Can follow from"
        yield "\n".join(f"- [{name}]({name}.md): {because}" for name, because in reasons.items())


def _target(link: Link) -> str:
    return f"every entry tagged *{link.target}*" if link.tag else f"[{link.target}]({link.target}.md)"
