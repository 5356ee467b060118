"""What the whole report says: failed, suspect, clean or unknown; the headline; what to do, and what to collect."""

from __future__ import annotations

from collections.abc import Sequence

from errtriage.model import Explanation, SourceInfo
from errtriage.reading import Attempt
from errtriage.values import dataclass

_LEAST_CONFIDENCE = 0.12  # below it an unlinked explanation is noise rather than help
_EARLIER_TOLD = 12


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


def judge(told: Sequence[Explanation], attempt: Attempt, ended: str, sources: Sequence[SourceInfo]) -> Verdict:
    """Return the verdict over the ranked explanations; what explains nothing is left out."""
    kept = _kept(told, ended)
    verdict = _verdict(kept, attempt, ended)
    first = kept[0] if kept else None
    in_log = first is None or first.role == "cause"
    return Verdict(
        verdict=verdict,
        headline=_headline(verdict, ended, first, attempt, sources),
        explanations=kept,
        cause_in_log=in_log,
        collect=first.collect if first is not None and (not in_log or first.id == "unrecognised-exception") else (),
        action=first.action if first is not None else "unknown",
        work_lost=_work_lost(attempt) if ended in ("died", "stopped") else None,
    )


def _kept(told: Sequence[Explanation], ended: str) -> tuple[Explanation, ...]:
    recognised = [one for one in told if one.id != "unrecognised-exception" and one.severity in ("fatal", "error")]
    kept: list[Explanation] = []
    for one in told:
        over = {term.name for term in one.terms} & {"recovered", "ignored", "measures-only"}
        if one.severity == "note" or (over and ended != "died"):
            continue
        if one.id == "unrecognised-exception" and (one.explained_by or _covered(one, recognised)):
            continue
        if one.confidence < _LEAST_CONFIDENCE and not one.explained_by and kept:
            continue
        kept.append(one)
    return tuple(kept)


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
    verdict: str, ended: str, first: Explanation | None, attempt: Attempt, sources: Sequence[SourceInfo]
) -> str:
    lines = sum(source.lines for source in sources)
    if first is not None:
        where = f" at {first.where.file}:{first.where.line}" if first.where and first.where.line else ""
        return f"{first.title}{where}"
    if ended == "died":
        return "The run died, and the log does not say why."
    if verdict == "clean":
        stop = f"; it stops at step {attempt.progress.last_step} of {attempt.progress.total_steps}"
        return f"No fault seen in {lines} lines{stop if ended == 'stopped' else ''}."
    return f"Nothing that tells of a fault, and no progress, in {lines} lines."


def _work_lost(attempt: Attempt) -> str | None:
    last, saved = attempt.progress.last_step, attempt.progress.last_checkpoint
    if last is None:
        return None
    if saved is None:
        return f"{last} steps: the log shows no checkpoint" if last > 0 else None
    return f"{last - saved} steps since the checkpoint at step {saved}" if last > saved else None


def earlier_attempts(attempts: Sequence[Attempt]) -> tuple[str, ...]:
    """Return a line for each attempt that came before the one that is explained."""
    return tuple(_earlier(attempt) for attempt in attempts[-_EARLIER_TOLD:])


def _earlier(attempt: Attempt) -> str:
    faults = [group for group in attempt.groups if group.event.kind == "exception" and group.event.fields.get("type")]
    what = faults[-1].event.text[:160] if faults else "no exception"
    line = f"line {attempt.groups[0].span.first}" if attempt.groups else "no lines"
    return f"Attempt {attempt.number + 1} ({line}): {what}"
