"""The causes of an entry in the light of one log: ordered by the evidence there is, filled with this run's values."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence

from errtriage import TYPE_CHECKING
from errtriage.link import Graph
from errtriage.model import Cause, CauseReading, Condition, Facts, Frame, Group, Hit, Series
from errtriage.patterns.base import compiled
from errtriage.sentences import sentence
from errtriage.templates import fill
from errtriage.values import dataclass, field

if TYPE_CHECKING:
    from typing import Any


_LONGEST_TEXT = 4096  # characters of one quoted line that evidence is looked for in


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """All that evidence can be found in: the graph, the groups of the attempt, its series, facts and lint findings."""

    graph: Graph
    groups: Sequence[Group]
    series: Sequence[Series] = ()
    facts: Facts = field(default_factory=Facts)
    lint: Mapping[str, str] = field(default_factory=dict)  # by rule what the source shows: `a.py:3 ends in Softmax`
    lang: str = "en"  # of the sentences that evidence is told in


def read_causes(node: int, story: Story, values: Mapping[str, str]) -> tuple[CauseReading, ...]:
    """Return the causes of a node's entry, those with the most evidence first, else in the entry's order."""
    entry = story.graph.nodes[node].entry
    lifted = [(cause, _evidence(cause, node, story, values)) for cause in entry.causes]
    lifted.sort(key=lambda pair: -len(pair[1]))
    return tuple(
        CauseReading(
            id=cause.id,
            why=fill(cause.why, values),
            check=fill(cause.check, values),
            fix=fill(cause.fix, values),
            code=fill(cause.code, values, clauses=False),
            because=tuple(because),
        )
        for cause, because in lifted
    )


def lifted_entries(story: Story) -> frozenset[str]:
    """Return the ids of the entries of which the log holds evidence for at least one cause."""
    found = set()
    for index, node in enumerate(story.graph.nodes):
        values = values_of(node.hits[0], story.facts)
        if any(_evidence(cause, index, story, values) for cause in node.entry.causes):
            found.add(node.entry.id)
    return frozenset(found)


def values_of(hit: Hit, facts: Facts) -> dict[str, str]:
    """Return what placeholders can name: captures first, then fields of the event, then facts."""
    values = {name: value for name, value in facts.versions.items() if value}
    for name in ("world_size", "classes", "batch_size", "last_step", "last_checkpoint"):
        known = getattr(facts, name)
        if known is not None:
            values[name] = str(known)
    if isinstance(hit.subject, Group):
        group = hit.subject
        values.update({name: _first_line(value) for name, value in group.event.fields.items()})
        values["count"] = str(group.count)
        if len(group.ranks) == 1:
            values["rank"] = str(group.ranks[0])
    values.update({name: str(value) for name, value in hit.captures.items()})
    return values


def _first_line(value: str) -> str:
    """The line that stands for a value of several lines, such as a message with its hints below it."""
    return value if "\n" not in value else next((line.strip() for line in value.splitlines() if line.strip()), "")


def _evidence(cause: Cause, node: int, story: Story, values: Mapping[str, str]) -> list[str]:
    found = []
    for condition in cause.when:
        if condition.needs and not _may_hold(condition, node, story):
            continue  # its regex need not even be compiled
        words = CONDITIONS[condition.kind](condition.value, node, story, values)
        if words is not None:
            found.append(fill(condition.because, values) if condition.because else words)
    return list(dict.fromkeys(found))


def _field(value: Mapping[str, str], node: int, story: Story, _: Mapping[str, str]) -> str | None:
    for group in story.graph.nodes[node].groups:
        fields = group.event.fields
        if all(compiled(pattern).search(fields.get(name, "")) for name, pattern in value.items()):
            return _quoted(group, group.event.text, story.lang)
    return None


def _quoted(group: Group, text: str, lang: str) -> str:
    first, last = group.event.span.first, group.event.span.last
    line = str(first) if first == last else f"{first}–{last}"
    return sentence(lang, "line-reads", line=line, text=text.strip().splitlines()[0][:120])


_OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _compare(value: Mapping[str, Any], _: int, story: Story, values: Mapping[str, str]) -> str | None:
    left, right = _number(value["left"], values), _number(value["right"], values)
    if left is None or right is None or not _OPERATORS[value["op"]](left, right):
        return None
    named = {"left": value["left"], "right": value["right"]}
    return sentence(story.lang, "compared", value=f"{left:g}", other=f"{right:g}", **named)


def _number(name: object, values: Mapping[str, str]) -> float | None:
    try:
        return float(values.get(str(name), str(name)).replace(",", ""))
    except ValueError:
        return None


def _may_hold(condition: Condition, node: int, story: Story) -> bool:
    pairs: Iterator[tuple[Any, str]] = _framed(node, story) if condition.kind == "frame" else _logged(story)
    return any(literal in text for _, text in pairs for literal in condition.needs)


def _frame(value: str, node: int, story: Story, _: Mapping[str, str]) -> str | None:
    for frame, text in _framed(node, story):
        if compiled(value).search(text[:_LONGEST_TEXT]):
            place = f"{frame.file}:{frame.line}" if frame.line else frame.file
            return sentence(story.lang, "place-reads", place=place, text=(frame.code or text).strip())
    return None


def _framed(node: int, story: Story) -> Iterator[tuple[Frame, str]]:
    """Yield what the frames around a node hold, its own first, each with its frame."""
    for index in [node, *story.graph.effects_of(node), *story.graph.causes_of(node)]:
        for group in story.graph.nodes[index].groups:
            for frame in reversed(group.event.frames):
                for text in (frame.code, frame.function, frame.file):
                    if text:
                        yield frame, text


def _log(value: str, _: int, story: Story, __: Mapping[str, str]) -> str | None:
    for group, text in _logged(story):
        if compiled(value).search(text[:_LONGEST_TEXT]):
            return _quoted(group, text, story.lang)
    return None


def _logged(story: Story) -> Iterator[tuple[Group, str]]:
    """Yield all that the log's groups hold, each with its group."""
    for group in story.groups:
        event = group.event
        texts = [event.text, event.fields.get("message", ""), event.fields.get("code", "")]
        texts += [frame.code or "" for frame in event.frames]
        texts += [frame.file for frame in event.frames]
        yield from ((group, text) for text in texts if text)


def _entry(value: str, _: int, story: Story, __: Mapping[str, str]) -> str | None:
    for other in story.graph.nodes:
        if other.entry.id == value:
            if not other.groups:
                return sentence(story.lang, "shows", id=value)
            return sentence(story.lang, "shows-at", id=value, line=other.groups[0].span.first)
    return None


def _range(value: Mapping[str, Mapping[str, int]], node: int, story: Story, _: Mapping[str, str]) -> str | None:
    for group in story.graph.nodes[node].groups:
        for name, bounds in value.items():
            known = group.ranges.get(name)
            if known is None:
                continue
            tests = {
                "distinct_at_most": known.distinct <= bounds.get("distinct_at_most", known.distinct),
                "distinct_at_least": known.distinct >= bounds.get("distinct_at_least", known.distinct),
            }
            if all(tests.values()):
                return sentence(story.lang, "distinct", count=known.distinct, name=name)
    return None


def _metric(value: Mapping[str, Any], _: int, story: Story, __: Mapping[str, str]) -> str | None:
    if not story.series:
        return None
    from errtriage.series.tests import gauge

    return gauge(value, story.series, lang=story.lang)


def _fact(value: Mapping[str, str], _: int, story: Story, __: Mapping[str, str]) -> str | None:
    from errtriage.versions import satisfies

    for name, wanted in value.items():
        known = story.facts.versions.get(name) or getattr(story.facts, name, None)
        if known is None or not satisfies(str(known), str(wanted)):
            return None
    facts = ", ".join(f"{name} {wanted}" for name, wanted in value.items())
    return sentence(story.lang, "holds", facts=facts)


def _lint(value: str, _: int, story: Story, __: Mapping[str, str]) -> str | None:
    return f"{story.lint[value]}." if value in story.lint else None


_Test = Callable[["Any", int, Story, Mapping[str, str]], "str | None"]
CONDITIONS: Mapping[str, _Test] = {
    "field": _field,
    "compare": _compare,
    "frame": _frame,
    "log": _log,
    "entry": _entry,
    "range": _range,
    "metric": _metric,
    "fact": _fact,
    "lint": _lint,
}
