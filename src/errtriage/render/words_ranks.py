"""Ranks and moments in few words, for one rank or for thousands: equal states and repeated moments are folded."""

from __future__ import annotations

from collections.abc import Sequence

from errtriage.model import RankState, Report, TimelineItem
from errtriage.render.phrases import say
from errtriage.render.words import Piece, View, excerpt, flat, ranks, short_names, span
from errtriage.values import dataclass

_ORDER = ("died", "behind", "absent", "waiting", "unknown")
_MOST_ROWS = 6  # of the table of ranks
_MOST_RUNS = 8  # of numbers in one row
_MOST_HOSTS = 3
_FEW_MOMENTS, _ALL_MOMENTS = 5, 24  # lines of the timeline
_MOMENT_TEXT = 90  # characters of a quoted line
_STORY_OF_RANKS = ("died", "behind", "absent", "waiting")
_STORY_OF_ROLES = ("cause", "symptom", "cascade")
_ONE_CLOCK = 30 * 86400.0  # seconds: times that are further apart are of unlike clocks


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRow:
    """Ranks that stand alike at the end of the log."""

    state: str
    ranks: tuple[int, ...]
    hosts: tuple[str, ...] = ()
    op: str | None = None
    seq: int | None = None
    steps: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One line of the story: an item of the timeline with those that repeat it."""

    item: TimelineItem
    ranks: tuple[int, ...]
    count: int
    last_line: int
    role: str  # of the explanation that it belongs to: cause, symptom or cascade
    after: float | None  # seconds since the first moment, where both are of one clock


def is_job_of_ranks(report: Report) -> bool:
    """Return whether the report tells how several ranks stand."""
    return len(report.ranks) > 1 and any(one.state in _STORY_OF_RANKS for one in report.ranks)


def rank_rows(states: Sequence[RankState]) -> list[RankRow]:
    """Return ranks of equal state, operation and sequence number as one row each, six rows at most."""
    rows = _folded(states, by_work=True)
    return rows if len(rows) <= _MOST_ROWS else _folded(states, by_work=False)


def _folded(states: Sequence[RankState], *, by_work: bool) -> list[RankRow]:
    alike: dict[tuple[str, str | None, int | None], list[RankState]] = {}
    for one in states:
        alike.setdefault((one.state, one.op if by_work else None, one.seq if by_work else None), []).append(one)
    rows = [
        RankRow(
            state=state,
            ranks=tuple(one.rank for one in members),
            hosts=tuple(dict.fromkeys(one.host for one in members if one.host)),
            op=op,
            seq=seq,
            steps=tuple(sorted({one.last_step for one in members if one.last_step is not None})),
        )
        for (state, op, seq), members in alike.items()
    ]
    return sorted(rows, key=lambda row: (_ORDER.index(row.state) if row.state in _ORDER else len(_ORDER), row.ranks))


def rank_sentence(row: RankRow, lang: str) -> str:
    """Return `ranks 0–510 waiting in ALLREDUCE seq 812`."""
    told = [ranks(row.ranks, lang, _MOST_RUNS), state_words(row, lang)]
    hosts = [host for host in row.hosts if host != "localhost"]
    if hosts and (row.state != "waiting" or len(hosts) == 1):
        told.append(say(lang, "on", hosts=host_words(hosts, lang)))
    return " ".join(told)


def state_words(row: RankRow, lang: str) -> str:
    """Return `waiting in ALLREDUCE seq 812, last step 40`."""
    told = say(lang, f"state-{row.state}")
    if row.op:
        told += " " + say(lang, "in-op", op=row.op)
    if row.seq is not None:
        told += " " + say(lang, "seq", seq=row.seq)
    if row.steps:
        low, high = row.steps[0], row.steps[-1]
        told += ", " + say(lang, "last-step", step=low if low == high else f"{low}–{high}")
    return told


def host_words(hosts: Sequence[str], lang: str) -> str:
    """Return at most three hosts and how many more there are."""
    told = ", ".join(hosts[:_MOST_HOSTS])
    more = len(hosts) - _MOST_HOSTS
    return f"{told}, {say(lang, 'hosts-more', count=more)}" if more > 0 else told


def moments(report: Report) -> list[Moment]:
    """Return the story in the order of the log; an item that only repeats an earlier one is counted there.

    Takes the report; several sources are ordered by time where all moments have one.
    """
    from errtriage.scrub import scrubbed  # compiles regexes, which a log of one process need not wait for

    roles = {one.id: one.role for one in report.explanations}
    alike: dict[tuple[str | None, str, str], list[TimelineItem]] = {}
    for item in report.timeline:
        alike.setdefault((item.explanation, item.kind, scrubbed(item.text)), []).append(item)
    times = [item.time for item in report.timeline if item.time is not None]
    start = times[0] if times and any(time != times[0] for time in times) else None
    told = [_moment(items, roles, start) for items in alike.values()]
    if len({item.source for item in report.timeline}) > 1:
        # Files have no order of their own: by the clock where all have one, else the cause before its effects.
        timed = all(moment.after is not None for moment in told)
        told.sort(key=lambda moment: moment.after or 0.0 if timed else _STORY_OF_ROLES.index(moment.role))
    return told


def _moment(items: Sequence[TimelineItem], roles: dict[str, str], start: float | None) -> Moment:
    first = items[0]
    after = first.time - start if first.time is not None and start is not None else None
    return Moment(
        item=first,
        ranks=tuple(sorted({rank for item in items for rank in _ranks_of(item)})),
        count=sum(item.count for item in items),
        last_line=max([item.last_line for item in items if item.source == first.source]),
        role=role if (role := roles.get(first.explanation or "", "symptom")) in _STORY_OF_ROLES else "symptom",
        after=after if after is not None and 0 <= after < _ONE_CLOCK else None,
    )


def _ranks_of(item: TimelineItem) -> tuple[int, ...]:
    return item.ranks or (() if item.rank is None else (item.rank,))


def telling(told: Sequence[Moment], most: int) -> list[Moment]:
    """Return at most so many moments in their order: the first of each explanation before any other."""
    seen: set[str | None] = set()
    firsts: list[int] = []
    others: list[int] = []
    for at, moment in enumerate(told):
        (others if moment.item.explanation in seen else firsts).append(at)
        seen.add(moment.item.explanation)
    return [told[at] for at in sorted((firsts + others)[:most])]


def duration(seconds: float) -> str:
    """Return `+0.4 s`, `+12 s`, `+10 min 2 s`, `+3 h 5 min`."""
    if seconds < 10:
        return f"+{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"+{whole} s"
    if whole < 3600:
        return f"+{whole // 60} min {whole % 60} s"
    return f"+{whole // 3600} h {whole % 3600 // 60} min"


def rank_pieces(report: Report, view: View) -> list[Piece]:
    """Return how the ranks stand at the end, equal ones on one line."""
    if not is_job_of_ranks(report):
        return []
    pieces = [Piece(kind="rank", text=flat(rank_sentence(row, view.lang))) for row in rank_rows(report.ranks)]
    if report.explanations and any(term.name == "order-unknown" for term in report.explanations[0].terms):
        pieces.append(Piece(kind="rank", text=say(view.lang, "order-unknown")))
    return pieces


def moment_pieces(report: Report, view: View) -> list[Piece]:
    """Return the story by moments: few of them on a first screen, more in a full report."""
    told = moments(report)
    if len(told) < (2 if view.everything else 3):
        return []
    shown = telling(told, _ALL_MOMENTS if view.everything else _FEW_MOMENTS)
    pieces = [Piece(kind="moment", label=moment_lines(one, report), text=moment_words(one, view.lang)) for one in shown]
    hidden = len(told) - len(shown)
    if hidden:
        pieces.append(Piece(kind="moment", text=say(view.lang, "moments-more", count=hidden)))
    return pieces


def moment_lines(moment: Moment, report: Report) -> str:
    """Return the line numbers of a moment, after the name of its source where there are several."""
    at = span(moment.item.line, moment.last_line if moment.count > 1 else moment.item.line)
    if len(report.sources) < 2:
        return at
    return f"{short_names(report).get(moment.item.source, flat(moment.item.source))}:{at}"


def moment_words(moment: Moment, lang: str) -> str:
    """Return `+10 min 2 s · rank 3 · cuda-oom · the line`."""
    told = [duration(moment.after)] if moment.after is not None else []
    told += [ranks(moment.ranks, lang, _MOST_RUNS)] if moment.ranks else []
    told += [flat(moment.item.explanation)] if moment.item.explanation else []
    times = f" ×{moment.count:,}" if moment.count > 1 else ""
    return " · ".join([*told, excerpt(moment.item.text, _MOMENT_TEXT) + times])
