"""One entry as a page of Markdown, for `kb show` and for the generated reference."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from errtriage.cli.kb_page_words import page_says
from errtriage.cli.kb_trial import examples_of
from errtriage.knowledge.data import example_log
from errtriage.model import Cause, Condition, DerivedMatch, Entry, EventMatch, Link, Match, SeriesMatch
from errtriage.templates import fill

if TYPE_CHECKING:
    from errtriage.knowledge import Knowledge

_LONGEST_EXAMPLE = 12  # lines of an example that are shown
_STAND_IN = re.compile(r"<([A-Za-z_][\w +*/()-]*)>")


def page(entry: Entry, knowledge: Knowledge) -> str:
    """Return the Markdown page of an entry; holes of its texts are written as words."""
    lang = knowledge.lang
    severity, role = page_says(lang, entry.severity), page_says(lang, entry.role)
    parts = [
        f"# {entry.id}",
        f"**{words(entry.title)}**",
        words(entry.summary),
        "*" + page_says(lang, "head", severity=severity, role=role, tags=", ".join(entry.tags)) + "*",
        *_versions(entry, lang),
        f"## {page_says(lang, 'shown')}",
        *_seen(entry, lang),
        f"## {page_says(lang, 'why')}",
        *(part for number, cause in enumerate(entry.causes, 1) for part in _cause(number, cause, lang)),
        *_links(entry, knowledge),
    ]
    if entry.collect:
        parts += [f"## {page_says(lang, 'collect')}", "\n".join(f"- {words(item)}" for item in entry.collect)]
    if entry.see:
        parts += [f"## {page_says(lang, 'see')}", "\n".join(f"- <{link}>" for link in entry.see)]
    if entry.renamed_from:
        parts.append(page_says(lang, "renamed", names=", ".join(entry.renamed_from)))
    return "\n\n".join(parts) + "\n"


def words(text: str) -> str:
    """Return a text of an entry without a log: clauses that hold values are left out, other holes are named."""
    return _STAND_IN.sub(r"‹\1›", fill(" ".join(text.split()), {}))


def _versions(entry: Entry, lang: str) -> list[str]:
    rules = ", ".join(f"{package} {rule}" for package, rule in entry.versions.items())
    return [page_says(lang, "versions", rules=rules)] if rules else []


def _seen(entry: Entry, lang: str) -> Iterator[str]:
    for example in examples_of(entry)[0][:3]:
        lines = example_log(example).rstrip("\n").split("\n")
        more = len(lines) - _LONGEST_EXAMPLE
        if more > 0:
            lines = [*lines[: _LONGEST_EXAMPLE - 2], page_says(lang, "more-lines", count=more + 1), lines[-1]]
        yield fenced("\n".join(lines), "text")
    if rules := [_match(item, lang) for item in entry.match if not isinstance(item, EventMatch)]:
        yield page_says(lang, "found-in", rules="; ".join(rules))


def fenced(text: str, language: str) -> str:
    """Return a fenced block whose fence is longer than any run of backquotes in the text."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _match(item: Match, lang: str) -> str:
    if isinstance(item, SeriesMatch):
        return page_says(lang, "metric", name=item.metric, test=item.test.replace("_", " "))
    if isinstance(item, DerivedMatch):
        return page_says(lang, "derived", name=item.derived.replace("_", " "))
    return page_says(lang, "source", name=getattr(item, "source", ""))


def _cause(number: int, cause: Cause, lang: str) -> Iterator[str]:
    yield f"### {number}. {words(cause.why)}"
    if cause.check:
        yield f"**{page_says(lang, 'check')}** {words(cause.check)}"
    if cause.fix:
        yield f"**{page_says(lang, 'fix')}** {words(cause.fix)}"
    if cause.code:
        yield fenced(fill(cause.code, {}, clauses=False), "python")
    if cause.when:
        reasons = "\n".join(f"- {words(one.because) if one.because else _condition(one, lang)}" for one in cause.when)
        yield f"{page_says(lang, 'likely')}\n\n{reasons}"


def _condition(one: Condition, lang: str) -> str:
    return _CONDITIONS[one.kind](one.value, lang)


def _pairs(value: Mapping[str, Any], sign: str, lang: str) -> str:
    return page_says(lang, "and").join(f"{name}{sign}{code(str(wanted))}" for name, wanted in value.items())


def code(text: str) -> str:
    """Return a text as inline code, whatever backquotes it holds."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    if not longest:
        return f"`{text}`"
    fence = "`" * (longest + 1)
    return f"{fence} {text} {fence}"


def _range(value: Mapping[str, Mapping[str, Any]], _: str) -> str:
    rules = [
        f"{field}: {bound.replace('_', ' ')} {limit}"
        for field, bounds in value.items()
        for bound, limit in bounds.items()
    ]
    return "; ".join(rules)


_CONDITIONS: Mapping[str, Callable[[Any, str], str]] = {
    "field": lambda value, lang: page_says(lang, "if-field", pairs=_pairs(value, page_says(lang, "matches"), lang)),
    "compare": lambda value, _: f"{value['left']} {value['op']} {value['right']}",
    "frame": lambda value, lang: page_says(lang, "if-frame", code=code(value)),
    "log": lambda value, lang: page_says(lang, "if-log", code=code(value)),
    "entry": lambda value, lang: page_says(lang, "if-entry", name=value),
    "range": _range,
    "metric": lambda value, lang: page_says(
        lang, "if-metric", name=value["name"], test=value["test"].replace("_", " ")
    ),
    "fact": lambda value, lang: _pairs(value, " ", lang),
    "lint": lambda value, lang: page_says(lang, "if-lint", name=value),
}


def _links(entry: Entry, knowledge: Knowledge) -> Iterator[str]:
    lang = knowledge.lang
    leads = [f"- {_target(link, lang)}: {link.because}" for link in entry.leads_to]
    if leads:
        yield f"## {page_says(lang, 'leads-to')}"
        yield "\n".join(leads)
    reasons: dict[str, str] = {}
    for other in knowledge.entries:
        for link in other.leads_to:
            if other.id != entry.id and link.target in (entry.tags if link.tag else (entry.id,)):
                reasons.setdefault(other.id, link.because)
    if reasons:
        yield f"## {page_says(lang, 'follows-from')}"
        yield "\n".join(f"- [{name}]({name}.md): {because}" for name, because in reasons.items())


def _target(link: Link, lang: str) -> str:
    return page_says(lang, "every-tagged", tag=link.target) if link.tag else f"[{link.target}]({link.target}.md)"
