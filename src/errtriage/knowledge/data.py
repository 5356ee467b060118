"""Checked plain data of an entry (as YAML gives it) to the frozen `Entry`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from errtriage import TYPE_CHECKING
from errtriage.model import (
    Cause,
    Condition,
    DerivedMatch,
    Entry,
    EventMatch,
    Link,
    Match,
    SeriesMatch,
    SourceMatch,
)

if TYPE_CHECKING:
    from typing import Any

Data = Mapping[str, "Any"]


def entry(data: Data, needs: list[Any], origin: str) -> Entry:
    """Return the entry of checked data; `needs` is what `needs_of` worked out, `origin` the file."""
    examples = data.get("examples", {})
    return Entry(
        id=data["id"],
        title=data["title"].strip(),
        summary=data["summary"].strip(),
        role=data["role"],
        severity=data["severity"],
        tags=tuple(data["tags"]),
        match=tuple(match_of(item, need) for item, need in zip(data["match"], needs, strict=True)),
        leads_to=tuple(_link(item) for item in data.get("leads_to", ())),
        causes=tuple(_cause(item) for item in data["causes"]),
        collect=tuple(data.get("collect", ())),
        see=tuple(data.get("see", ())),
        versions=data.get("versions", {}),
        renamed_from=tuple(data.get("renamed_from", ())),
        action=data.get("action"),
        examples_match=tuple(examples.get("match", ())),
        examples_ignore=tuple(examples.get("ignore", ())),
        origin=origin,
    )


def meets(needs: Iterable[Any], fields: Mapping[str, str]) -> bool:
    """Return whether fields hold what a row needs: of each (field, literals) one of the literals."""
    for field, literals in needs:
        value = fields.get(field, "")
        if not any([literal in value for literal in literals]):  # noqa: C419 - a list is faster here
            return False
    return True


def example_log(example: Any) -> str:
    """Return the log that an example stands for: a text, `{line, repeat}` (with `{n}` counting from 0), or a list."""
    if isinstance(example, (list, tuple)):
        return "\n".join(example_log(item) for item in example)
    if isinstance(example, Mapping):
        from errtriage.templates import fill

        return "\n".join(
            fill(example["line"], {"n": str(number)}, clauses=False) for number in range(example["repeat"])
        )
    return str(example)


def match_of(item: Data, needs: Any) -> Match:
    """Return one item of `match`; `needs` is its part of what `needs_of` worked out."""
    if "event" in item:
        return EventMatch(
            event=item["event"],
            where=item["where"],
            unless=item.get("unless", {}),
            needs=tuple((field, tuple(literals)) for field, literals in needs),
        )
    if "metric" in item:
        parameters = {key: value for key, value in item.items() if key not in ("metric", "test", "with")}
        return SeriesMatch(
            metric=item["metric"], test=item["test"], parameters=parameters, with_metric=item.get("with")
        )
    if "derived" in item:
        return DerivedMatch(derived=item["derived"], where=item.get("where", {}))
    return SourceMatch(source=item["source"])


def _link(item: Data) -> Link:
    within = item.get("within", {})
    return Link(
        target=item.get("entry") or item["tag"],
        tag="tag" in item,
        order=item.get("order", "any"),
        lines=within.get("lines"),
        seconds=within.get("seconds"),
        same=item.get("same", "none"),
        because=item["because"].strip(),
    )


def _cause(item: Data) -> Cause:
    return Cause(
        id=item["id"],
        why=item["why"].strip(),
        check=item.get("check", "").strip(),
        fix=item.get("fix", "").strip(),
        code=item.get("code", "").rstrip(),
        when=tuple(_condition(one) for one in item.get("when", ())),
    )


def _condition(item: Data) -> Condition:
    kind = next(key for key in item if key not in ("because", "needs"))
    needs = tuple(item.get("needs", ()))
    return Condition(kind=kind, value=item[kind], because=item.get("because", ""), needs=needs)


def translated(entry: Data, texts: Data | None, sentences: Mapping[str, str]) -> Data:
    """Return an entry's data with the texts of its translation, and with the sentences that have one."""
    causes = [_translated_cause(cause, (texts or {}).get("causes", {}), sentences) for cause in entry["causes"]]
    links = [
        {**link, "because": sentences.get(link["because"].strip(), link["because"])}
        for link in entry.get("leads_to", ())
    ]
    told = {key: texts[key] for key in ("title", "summary", "collect") if key in texts} if texts else {}
    return {**entry, **told, "causes": causes, "leads_to": links}


def _translated_cause(cause: Data, texts: Mapping[str, Data], sentences: Mapping[str, str]) -> Data:
    told = {**cause, **texts.get(cause["id"], {})}
    if "when" in told:
        told["when"] = [
            {**one, "because": sentences.get(one["because"], one["because"])} if "because" in one else one
            for one in told["when"]
        ]
    return told
