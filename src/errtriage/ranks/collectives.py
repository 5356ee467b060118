"""Groups to tables of collectives by process group, and the facts that only the comparison of their ranks shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from errtriage.model import Collectives, Derived, Group, RankCollective
from errtriage.patterns.collective_fields import collective_fields
from errtriage.ranks.roles import fault_of_rank, is_beginning
from errtriage.values import dataclass, field

# Phases whose lines say in which work a rank stands.
_STANDING = frozenset({"timeout", "status", "abort", "dump"})
_WHOLE_WORLD = frozenset({"0", "default_pg", ""})  # names of the group of all ranks, whose numbers have no gaps
_MOST_ABSENT = 64  # ranks that are named as absent; more are a log that was cut
_MOST_RANKS = 8192


@dataclass(slots=True)
class _Row:
    """What the lines of one rank say of one process group, the earliest stuck work first."""

    rank: int
    values: dict[str, str] = field(default_factory=dict)
    groups: dict[int, Group] = field(default_factory=dict)

    def take(self, fields: Mapping[str, str], group: Group) -> None:
        seq, known = _number(fields, "seq"), _number(self.values, "seq")
        if seq is not None and known is not None and seq > known:
            return  # work queued behind the one that is stuck times out too
        if seq is not None and known is not None and seq < known:
            self.values.clear()
            self.groups.clear()
        for name in ("seq", "op", "numel_in", "numel_out", "shape", "enqueued", "completed"):
            if name in fields:
                self.values.setdefault(name, fields[name])
        self.groups.setdefault(id(group), group)

    def number(self, name: str) -> int | None:
        return _number(self.values, name)

    def size(self) -> tuple[str | None, str | None, str | None]:
        return self.values.get("numel_in"), self.values.get("numel_out"), self.values.get("shape")


Table = dict[int, _Row]


def _number(fields: Mapping[str, str], name: str) -> int | None:
    value = fields.get(name, "")
    return int(value) if value.lstrip("-").isdigit() and len(value) < 19 else None


def _tables(groups: Iterable[Group]) -> dict[str, Table]:
    """Return the rows of all ranks by process group; a line that names no group is put to its rank's own one."""
    told = [group for group in groups if group.ranks and _stands(group)]
    by_work: dict[tuple[int, str | None], str] = {}
    for group in told:
        if name := group.event.fields.get("group"):
            by_work.update({(rank, group.event.fields.get("seq")): name for rank in group.ranks[:_MOST_RANKS]})
    names = set(by_work.values())
    only = names.pop() if len(names) == 1 else ""
    tables: dict[str, Table] = {}
    for group in told:
        fields = group.event.fields
        for rank in group.ranks[:_MOST_RANKS]:
            name = fields.get("group") or by_work.get((rank, fields.get("seq"))) or only
            tables.setdefault(name, {}).setdefault(rank, _Row(rank)).take(fields, group)
    return tables


def _stands(group: Group) -> bool:
    """Return whether a group says in which work its ranks stand: a watchdog's line, or an exception that timed out."""
    fields = group.event.fields
    if fields.get("op") == "MONITOREDBARRIER":
        return False
    if group.event.kind == "exception":
        return "timeout_ms" in fields and "op" in fields
    standing = group.event.kind == "collective" and fields.get("phase") in _STANDING
    return standing and any(name in fields for name in ("seq", "completed", "op"))


def collectives(groups: Sequence[Group]) -> tuple[Collectives, ...]:
    """Return, for each process group that watchdog lines name, what each of its ranks was waiting in.

    Takes the groups of one attempt. Sequence numbers and element counts are those that torch prints (SeqNum, NumelIn,
    NumelOut, `last enqueued work`, `last completed work`), None where its version does not.
    """
    return tuple(
        Collectives(group=name, ranks=tuple(_rank_collective(table[rank]) for rank in sorted(table)))
        for name, table in _tables(groups).items()
    )


def _rank_collective(row: _Row) -> RankCollective:
    first = next(iter(row.groups.values()))
    return RankCollective(
        rank=row.rank,
        op=row.values.get("op"),
        seq=row.number("seq"),
        numel_in=row.number("numel_in"),
        numel_out=row.number("numel_out"),
        enqueued=row.number("enqueued"),
        completed=row.number("completed"),
        line=first.span.first,
        source=first.event.source,
    )


def derive(groups: Sequence[Group], world_size: int | None = None) -> tuple[Derived, ...]:
    """Return the facts that no single line says; each cites the groups that it rests on.

    collective_mismatch: two ranks wait in unlike collectives (`what`: op, size, or fingerprint where torch said so).
    rank_behind: a rank did not come to the work in which the others wait (`what`: never-joined, other-work, report).
    rank_absent: a rank that others wait for never reported (`what`: died, perhaps-died, alive, silent, barrier).
    """
    facts: list[Derived] = []
    for name, table in _tables(groups).items():
        facts += [*_mismatches(name, table), *_behind(name, table), *_absent(name, table, groups, world_size)]
    return (*facts, *_reported(groups))


def ranks_text(ranks: Iterable[int]) -> str:
    """Return ranks as people write them: `0-2, 5`."""
    runs: list[list[int]] = []
    for rank in sorted(set(ranks)):
        if runs and rank == runs[-1][1] + 1:
            runs[-1][1] = rank
        else:
            runs.append([rank, rank])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)


def _derived(name: str, fields: Mapping[str, str | None], groups: Iterable[Group]) -> Derived:
    cited = sorted({id(g): g for g in groups}.values(), key=lambda g: (g.event.source, g.span.first))
    return Derived(name=name, fields={k: v for k, v in fields.items() if v is not None}, groups=tuple(cited))


def _mismatches(name: str, table: Table) -> list[Derived]:
    """Compare each odd rank with the most common collective of its process group; one fact for each odd collective."""
    rows = [row for row in table.values() if "op" in row.values]
    works = Counter((row.values["op"], row.size()) for row in rows)
    if len(works) < 2:
        return []
    usual = max(works, key=lambda work: (works[work], -min(r.rank for r in rows if (r.values["op"], r.size()) == work)))
    like = next(row for row in rows if (row.values["op"], row.size()) == usual)
    facts = []
    for work in works:
        odd = [row for row in rows if (row.values["op"], row.size()) == work]
        if work == usual or not _differ(work, usual, odd[0], like):
            continue
        fields = {
            "group": name or None,
            "rank": ranks_text(row.rank for row in odd),
            "seq": odd[0].values.get("seq"),
            "op": work[0],
            "numel": work[1][0] or work[1][2],
            "other_rank": ranks_text(row.rank for row in rows if (row.values["op"], row.size()) == usual),
            "other_op": usual[0],
            "other_numel": usual[1][0] or usual[1][2],
            "other_seq": like.values.get("seq"),
            "what": "op" if work[0] != usual[0] else "size",
        }
        cited = [group for row in (*odd, like) for group in row.groups.values()]
        facts.append(_derived("collective_mismatch", fields, cited))
    return facts


# Operations whose ranks may rightly move unlike numbers of elements.
_UNEVEN = frozenset({"ALLTOALL", "ALLTOALL_BASE", "SEND", "RECV", "GATHER", "SCATTER", "ALLGATHER", "REDUCE_SCATTER"})


def _differ(work: tuple[str, object], usual: tuple[str, object], odd: _Row, like: _Row) -> bool:
    """Return whether unlike works are a desync: at one number, or unlike operations at any; point to point never is."""
    if {work[0], usual[0]} & {"SEND", "RECV", "COALESCED"}:
        return False
    if work[0] != usual[0]:
        return True
    same_seq = odd.values.get("seq") == like.values.get("seq")
    return same_seq and work[0] not in _UNEVEN and all(size is not None for size in (odd.size()[0], like.size()[0]))


def _behind(name: str, table: Table) -> list[Derived]:
    seqs = Counter(seq for row in table.values() if (seq := row.number("seq")) is not None and "op" in row.values)
    if not seqs:
        return []
    usual = max(seqs, key=lambda seq: (seqs[seq], seq))
    waiting = [row for row in table.values() if row.number("seq") == usual and "op" in row.values]
    facts = []
    for row in table.values():
        enqueued, seq = row.number("enqueued"), row.number("seq")
        if enqueued is not None and enqueued < usual and (seq is None or seq != usual):
            what = "never-joined"
        elif seq is not None and seq != usual and "op" in row.values:
            what = "other-work"
        else:
            continue
        fields = {
            "group": name or None,
            "rank": str(row.rank),
            "seq": str(enqueued if what == "never-joined" else seq),
            "op": row.values.get("op") or waiting[0].values["op"],
            "others_seq": str(usual),
            "ranks": ranks_text(other.rank for other in waiting),
            "what": what,
        }
        facts.append(_derived("rank_behind", fields, [*row.groups.values(), *waiting[0].groups.values()]))
    return facts if len(facts) < len(table) / 2 or len(facts) == 1 else []


def _absent(name: str, table: Table, groups: Sequence[Group], world_size: int | None) -> list[Derived]:
    """Name the ranks that said nothing while others timed out; in a part of the world only those known to be dead."""
    timed_out = {rank: row for rank, row in table.items() if "op" in row.values}
    if not timed_out:
        return []
    seen = {rank for group in groups for rank in group.ranks[:_MOST_RANKS]}
    top = min(max(max(timed_out), world_size - 1 if world_size else 0, max(seen, default=0)), _MOST_RANKS)
    missing = [rank for rank in range(top + 1) if rank not in table]
    own = {rank: [g for g in groups if rank in g.ranks and fault_of_rank(g)] for rank in missing[:_MOST_ABSENT]}
    if name not in _WHOLE_WORLD:
        missing = [rank for rank in missing if own.get(rank)]
    if not _plausible(missing, timed_out):
        return []
    unsure = any(not group.ranks and group.event.kind != "scheduler" and is_beginning(group) for group in groups)
    told_to_stop = {rank for group in groups if _is_stopped(group) for rank in group.ranks}
    kinds: dict[str, list[int]] = {}
    for rank in missing:
        alive = "alive" if rank in told_to_stop else "silent"
        kinds.setdefault("died" if own[rank] else "perhaps-died" if unsure else alive, []).append(rank)
    waiting = [group for row in timed_out.values() for group in row.groups.values()]
    facts = []
    for what, ranks in kinds.items():
        fields = {
            "group": name or None,
            "rank": ranks_text(ranks),
            "ranks": ranks_text(timed_out),
            "world_size": str(world_size) if world_size else None,
            "what": what,
        }
        facts.append(_derived("rank_absent", fields, [*(g for rank in ranks for g in own[rank]), *waiting]))
    return facts


def _is_stopped(group: Group) -> bool:
    """Return whether the launcher had to stop these ranks, so that they lived until then."""
    fields = group.event.fields
    return fields.get("what") == "child_failed" and fields.get("signal") == "SIGTERM"


def _plausible(missing: Sequence[int], timed_out: Mapping[int, _Row]) -> bool:
    """Return whether missing ranks can be those that the others wait for, not the members of another process group."""
    if not missing or len(missing) > _MOST_ABSENT:
        return False
    one_run = missing[-1] - missing[0] + 1 == len(missing)  # a node's ranks follow one another
    return len(missing) <= max(1, len(timed_out) // 2) or (one_run and len(missing) <= len(timed_out))


def _reported(groups: Sequence[Group]) -> list[Derived]:
    """Return what torch itself found out; lines and exceptions that say the same are one fact."""
    facts: dict[tuple[str, tuple[tuple[str, str | None], ...]], list[Group]] = {}
    for group in groups:
        for name, fact in _report_of(group).items():
            facts.setdefault((name, tuple(fact.items())), []).append(group)
    return [_derived(name, dict(fact), cited) for (name, fact), cited in facts.items()]


def _report_of(group: Group) -> dict[str, dict[str, str | None]]:
    """Return the fact in a group's own text: fingerprints that differ, a barrier not passed, lagging ranks."""
    fields = group.event.fields
    told = collective_fields(fields.get("message", "")) if group.event.kind in ("exception", "cpp_error") else fields
    if "other_op" in told:
        names = ("seq", "rank", "op", "other_rank", "other_op", "other_seq")
        shapes = {"numel": told.get("shape"), "other_numel": told.get("other_shape")}
        return {"collective_mismatch": {**{name: told.get(name) for name in names}, **shapes, "what": "fingerprint"}}
    if "missing" in told:
        return {"rank_absent": {"rank": told["missing"], "ranks": told.get("rank"), "what": "barrier"}}
    if fields.get("phase") == "desync" and fields.get("ranks"):
        seqs = {"seq": fields.get("seq"), "others_seq": fields.get("missed")}
        return {"rank_behind": {"rank": fields["ranks"], **seqs, "what": "report"}}
    return {}
