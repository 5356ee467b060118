"""What the whole report says: failed, suspect, clean or unknown; the headline; what to do, and what to collect."""

from __future__ import annotations

from collections.abc import Sequence

from errtriage import TYPE_CHECKING
from errtriage.model import Explanation, RankState, Series, SourceInfo, TimelineItem
from errtriage.sentences import sentence
from errtriage.unrecognised import IDS
from errtriage.values import dataclass, replace

if TYPE_CHECKING:
    from errtriage.reading import Attempt

_LEAST_CONFIDENCE = 0.12  # below it an unlinked explanation is noise rather than help
_EARLIER_TOLD = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What was found in one attempt, before it is judged; as it stands here, of one in which nothing was found."""

    explanations: tuple[Explanation, ...] = ()
    recovered: frozenset[int] = frozenset()  # ids of the groups after which the run went on
    changed: tuple[str, ...] = ()  # a line for each source file that is no longer the one that ran
    timeline: tuple[TimelineItem, ...] = ()
    series: tuple[Series, ...] = ()
    ranks: tuple[RankState, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The judgement of one log."""

    verdict: str
    headline: str
    explanations: tuple[Explanation, ...]
    cause_in_log: bool
    collect: tuple[str, ...]
    action: str
    work_lost: str | None


def judge(
    told: Sequence[Explanation], attempt: Attempt, ended: str, sources: Sequence[SourceInfo], lang: str = "en"
) -> Verdict:
    """Return the verdict over the ranked explanations, in a language; what explains nothing is left out."""
    kept = _kept(told, ended)
    verdict = _verdict(kept, attempt, ended)
    first = kept[0] if kept else None
    in_log = first is None or first.role == "cause" or any(first.id in one.leads_to for one in kept)
    return Verdict(
        verdict=verdict,
        headline=_headline(verdict, ended, first, attempt, sources, lang),
        explanations=kept,
        cause_in_log=in_log,
        collect=first.collect if first is not None and (not in_log or first.id == "unrecognised-exception") else (),
        action=first.action if first is not None else "unknown",
        work_lost=_work_lost(attempt, lang) if ended in ("died", "stopped") else None,
    )


def _kept(told: Sequence[Explanation], ended: str) -> tuple[Explanation, ...]:
    recognised = [one for one in told if one.id not in IDS and one.severity in ("fatal", "error")]
    kept: list[Explanation] = []
    for one in told:
        names = {term.name for term in one.terms}
        over = names & {"recovered", "ignored", "measures-only"}
        if (one.severity == "note" and "raised" not in names) or (over and ended != "died"):
            continue
        if one.id in IDS and (one.explained_by or _covered(one, recognised)):
            continue
        if one.confidence < _LEAST_CONFIDENCE and not one.explained_by and kept:
            continue
        kept.append(one)
    return _led_by(kept, told)


def _led_by(kept: Sequence[Explanation], told: Sequence[Explanation]) -> tuple[Explanation, ...]:
    """Return them with each effect under a cause that is kept: one left out gives way to its own cause, or to none."""
    ids = {one.id for one in kept}
    causes = {one.id: one.explained_by for one in told}

    def kept_cause(one: Explanation) -> str | None:
        cause, seen = one.explained_by, {one.id}
        while cause is not None and cause not in ids and cause not in seen:
            seen.add(cause)
            cause = causes.get(cause)
        return cause if cause in ids and cause != one.id else None

    return tuple(replace(one, explained_by=kept_cause(one)) for one in kept)


def _covered(unknown: Explanation, recognised: Sequence[Explanation]) -> bool:
    """Return whether a recognised fault already explains the failure of the same process."""
    return any(
        one.confidence >= unknown.confidence
        and one.id not in unknown.leads_to
        and (not one.ranks or not unknown.ranks or set(one.ranks) & set(unknown.ranks))
        for one in recognised
    )


def _verdict(kept: Sequence[Explanation], attempt: Attempt, ended: str) -> str:
    if ended == "died" or any(one.severity in ("fatal", "error") for one in kept):
        return "failed"
    if kept:
        return "suspect"
    return "clean" if attempt.progress.seen or attempt.series else "unknown"


def _headline(
    verdict: str,
    ended: str,
    first: Explanation | None,
    attempt: Attempt,
    sources: Sequence[SourceInfo],
    lang: str,
) -> str:
    number = sum(source.lines for source in sources)
    lines = _counted(lang, "line", number)
    if first is not None:
        place = f"{first.where.file}:{first.where.line}" if first.where and first.where.line else ""
        return sentence(lang, "at", title=first.title, place=place) if place else first.title
    if ended == "died":
        return sentence(lang, "died")
    if verdict != "clean":
        return sentence(lang, "nothing", lines=lines)
    step, total = attempt.progress.last_step, attempt.progress.total_steps
    key = "no-fault-stops" if ended == "stopped" else "no-fault"
    return sentence(lang, key, lines=lines, step=step, total=total)


def _work_lost(attempt: Attempt, lang: str) -> str | None:
    last, saved = attempt.progress.last_step, attempt.progress.last_checkpoint
    if last is None:
        return None
    if saved is None:
        return sentence(lang, "lost-all", steps=_counted(lang, "step", last)) if last > 0 else None
    return (
        sentence(lang, "lost-some", steps=_counted(lang, "step", last - saved), saved=saved) if last > saved else None
    )


def _counted(lang: str, noun: str, number: int) -> str:
    return sentence(lang, noun if number == 1 else f"{noun}s", number=f"{number:,}")


def earlier_attempts(attempts: Sequence[Attempt], lang: str = "en") -> tuple[str, ...]:
    """Return a line for each attempt that came before the one that is explained."""
    return tuple(_earlier(attempt, lang) for attempt in attempts[-_EARLIER_TOLD:])


def _earlier(attempt: Attempt, lang: str) -> str:
    faults = [group for group in attempt.groups if group.event.kind == "exception" and group.event.fields.get("type")]
    what = faults[-1].event.text[:160] if faults else sentence(lang, "no-exception")
    if not attempt.groups:
        return sentence(lang, "attempt-empty", number=attempt.number + 1, what=what)
    return sentence(lang, "attempt", number=attempt.number + 1, line=attempt.groups[0].span.first, what=what)
