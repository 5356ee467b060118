"""`kb coverage`: how many catalogued messages are recognised by a pattern and explained by an entry, and which not."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from errtriage.cli.kb_catalogue import Sample, samples_of
from errtriage.cli.kb_trial import read_log
from errtriage.values import dataclass

if TYPE_CHECKING:
    from errtriage.knowledge import Knowledge


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """What became of one sample: whether every log of it was recognised, and hit an entry; the entries it hit."""

    sample: Sample
    recognised: bool
    explained: bool
    entries: tuple[str, ...]


def cover(samples: Iterable[Sample], knowledge: Knowledge) -> Iterator[Covered]:
    """Run each sample's logs through patterns and entries."""
    for sample in samples:
        seen = [read_log(log, knowledge) for log in sample.logs]
        yield Covered(
            sample=sample,
            recognised=all(kinds - {"text"} or hits for kinds, hits in seen),
            explained=all(hits for _, hits in seen),
            entries=tuple(dict.fromkeys(name for _, hits in seen for name in hits)),
        )


def run(paths: Sequence[Path], *, tier: str | None, entries: bool, limit: int, knowledge: Knowledge) -> int:
    """Print the coverage of catalogues by list, part and tier, then what is not covered; return the exit status 0."""
    missing: list[Covered] = []
    served: Counter[str] = Counter()
    for path in paths:
        found = [one for one in cover(samples_of(path), knowledge) if tier is None or one.sample.tier == tier]
        _print_table(path.stem, found)
        missing += [one for one in found if not one.explained]
        served.update(name for one in found for name in one.entries)
    for one in missing[:limit]:
        state = "unexplained" if one.recognised else "unrecognised"
        head = f"{state}  {one.sample.catalogue}  {one.sample.part}  tier {one.sample.tier}  "
        sys.stdout.write(head + one.sample.template.strip().replace("\n", "\\n")[:200] + "\n")
    if len(missing) > limit:
        sys.stdout.write(f"and {len(missing) - limit} more (--limit)\n")
    if entries:
        for name, count in served.most_common():
            sys.stdout.write(f"{count:6}  {name}\n")
    return 0


def _print_table(name: str, found: Sequence[Covered]) -> None:
    groups: dict[tuple[str, str], list[Covered]] = defaultdict(list)
    for one in found:
        groups[one.sample.tier, "all"].append(one)
        groups[one.sample.tier, one.sample.part].append(one)
    for (tier, part), members in sorted(groups.items(), key=lambda item: (item[0][0], item[0][1] != "all", item[0][1])):
        count = len(members)
        recognised = sum(one.recognised for one in members)
        explained = sum(one.explained for one in members)
        head = f"{name}  tier {tier}" if part == "all" else f"    {part}"
        sys.stdout.write(
            f"{head:48} {count:5}  recognised {recognised:5} ({recognised / count:6.1%})"
            f"  explained {explained:5} ({explained / count:6.1%})\n"
        )
