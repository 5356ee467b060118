"""Groups to what is known of each rank: which failed first, which are only victims, and how each stands at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from errtriage.model import Group, RankState
from errtriage.ranks.collectives import collectives, derive
from errtriage.ranks.roles import HARD_SIGNALS, fault_of_rank, is_beginning, is_victim
from errtriage.values import dataclass

CLOCK_ERROR = 5.0  # seconds by which the clocks of two nodes may differ


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstFailure:
    """Who failed first. `groups` show it; several ranks or hosts stand here where their order can not be told."""

    groups: tuple[Group, ...]
    ranks: tuple[int, ...]
    hosts: tuple[str, ...]
    certain: bool
    because: str


def is_parallel(groups: Sequence[Group]) -> bool:
    """Return whether a log is of several processes: ranks, a launcher or collectives are seen."""
    ranks = {rank for group in groups for rank in group.ranks}
    return len(ranks) > 1 or any(group.event.kind in ("launcher", "collective", "nccl") for group in groups)


def first_failure(groups: Sequence[Group]) -> FirstFailure | None:
    """Return who failed first in a job of several processes, or None where only victims speak.

    Takes the groups of one attempt. What counts, in this order: a fault of its own against waiting for others; a rank
    that its launcher saw end by SIGKILL, SIGSEGV, SIGBUS …; a rank that no other timeout comes from; time, by stamps
    of one clock or of nodes whose clocks agree within 5 s; the order of lines in one source.
    """
    candidates = [group for group in groups if is_beginning(group)]
    if not candidates or not is_parallel(groups):
        return None
    late = {rank for group in groups if is_victim(group) and group.event.kind == "collective" for rank in group.ranks}
    apart = [group for group in candidates if group.ranks and not late.intersection(group.ranks)]
    because = "it failed by itself" if len(candidates) == 1 else "no rank that waited for others printed it"
    pool = apart if apart and late else candidates
    first = [pool[0]]
    certain = True
    for group in pool[1:]:
        order = _order(group, first[0])
        if order is None:
            first.append(group)
            certain = False
        elif order < 0:
            first = [group]
            certain = True
    if len(pool) > 1:
        because = "its stamp is the earliest" if certain else "clocks and order do not tell these apart"
    if certain:
        first += [group for group in pool if group is not first[0] and _same_place(group, first[0])]
    return FirstFailure(
        groups=tuple(first),
        ranks=tuple(sorted({rank for group in first for rank in group.ranks})),
        hosts=tuple(dict.fromkeys(host for group in first for host in group.hosts)),
        certain=certain,
        because=because,
    )


def _order(one: Group, other: Group) -> float | None:
    """Return a negative number where `one` came first, a positive one where `other` did, None where nobody can tell."""
    if one.event.source == other.event.source and not (one.hosts and other.hosts and one.hosts != other.hosts):
        return one.span.first - other.span.first
    gap = _seconds_between(one, other)
    if gap is None:
        return None
    same_clock = bool(one.hosts) and one.hosts == other.hosts
    return gap if same_clock or abs(gap) > CLOCK_ERROR else None


def _seconds_between(one: Group, other: Group) -> float | None:
    first, second = one.event.time, other.event.time
    if first is None or second is None or (first >= 1e9) != (second >= 1e9) or abs(first - second) > 7 * 86400:
        return None  # unlike clocks: since the epoch, or of a year, day or boot
    return first - second


def _same_place(group: Group, first: Group) -> bool:
    """Return whether a fault belongs to the process that failed first."""
    return bool(group.ranks) and group.ranks == first.ranks and group.event.source == first.event.source


def initiators(groups: Sequence[Group]) -> tuple[Group, ...]:
    """Return the groups of the rank that failed first, nothing where it can not be told."""
    first = first_failure(groups)
    return first.groups if first is not None and first.certain else ()


def victims(groups: Sequence[Group]) -> tuple[Group, ...]:
    """Return the groups that only show consequences, nothing where the log holds no fault that began by itself."""
    if not any(is_beginning(group) for group in groups):
        return ()
    return tuple(group for group in groups if is_victim(group))


def unordered(groups: Sequence[Group]) -> tuple[Group, ...]:
    """Return the faults of several ranks that each began by itself, where nobody can tell which came first."""
    first = first_failure(groups)
    return first.groups if first is not None and not first.certain and len(first.ranks) > 1 else ()


def rank_states(groups: Sequence[Group], steps: Mapping[int, int] | None = None) -> tuple[RankState, ...]:
    """Return how each rank that the log speaks of stands at its end, in the order of ranks.

    Takes the groups of one attempt, and the last step of each rank that printed its own.

    died: it failed by itself. behind: it did not come to the collective of the others. absent: others waited for it
    and it said nothing. waiting: it timed out in a collective or was cut off. unknown: none of these is seen.
    """
    told = {rank: one for table in collectives(groups) for one in table.ranks if (rank := one.rank) is not None}
    died = _died(groups)
    behind, absent = _ranks_of(groups, "rank_behind"), _ranks_of(groups, "rank_absent")
    suffered = {
        rank for group in groups if is_victim(group) and group.event.kind == "exception" for rank in group.ranks
    }
    hosts = _hosts(groups)
    ranks = {rank for group in groups for rank in group.ranks} | behind | absent
    states = []
    for rank in sorted(ranks):
        one = told.get(rank)
        waits = rank in suffered or (one is not None and one.op is not None)
        state = (
            "died" if rank in died
            else "behind" if rank in behind
            else "absent" if rank in absent
            else "waiting" if waits
            else "unknown"
        )  # fmt: skip
        seq, op = (one.seq, one.op) if one is not None else (None, None)
        step = (steps or {}).get(rank)
        states.append(RankState(rank=rank, host=hosts.get(rank), last_step=step, state=state, seq=seq, op=op))
    return tuple(states)


def _died(groups: Sequence[Group]) -> set[int]:
    """Return the ranks that failed by themselves; an exit code alone is no proof for one that others cut off."""
    died: set[int] = set()
    ended: set[int] = set()
    suffered: set[int] = set()
    for group in groups:
        if is_victim(group):
            suffered |= set(group.ranks) if group.event.kind in ("exception", "collective") else set()
        elif fault_of_rank(group):
            sure = group.event.kind != "launcher" or group.event.fields.get("signal") in HARD_SIGNALS
            (died if sure else ended).update(group.ranks)
    return died | (ended - suffered)


def _ranks_of(groups: Sequence[Group], name: str) -> set[int]:
    ranks: set[int] = set()
    for fact in derive(groups):
        if fact.name == name and fact.fields.get("what") != "report":
            ranks |= _numbers(fact.fields.get("rank", ""))
    return ranks


def _numbers(text: str) -> set[int]:
    ranks: set[int] = set()
    for part in text.split(","):
        low, _, high = part.strip().partition("-")
        if low.isdigit() and (high or low).isdigit() and int(high or low) - int(low) < 8192:
            ranks |= set(range(int(low), int(high or low) + 1))
    return ranks


def _hosts(groups: Sequence[Group]) -> dict[int, str]:
    """Return the host of each rank: where a group of several ranks is of one host, all of them are on it."""
    hosts: dict[int, str] = {}
    for group in groups:
        if len(group.hosts) == 1:
            for rank in group.ranks:
                hosts.setdefault(rank, group.hosts[0])
    return hosts


__all__ = [
    "CLOCK_ERROR", "FirstFailure", "collectives", "derive", "first_failure", "initiators", "is_parallel", "is_victim",
    "rank_states", "unordered", "victims",
]  # fmt: skip
