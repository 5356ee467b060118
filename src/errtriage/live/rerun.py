"""A second run after a device-side assertion, in which the traceback shows the true line; both reports as one."""

from __future__ import annotations

from errtriage.model import Explanation, Report
from errtriage.values import replace

# Entries with these tags are told late by the device, so that the traceback of the first run is not to be trusted.
LATE_TAGS = frozenset({"device-assert", "device-late"})


def exact(report: Report) -> Report:
    """Return the report of a run whose kernels ran one at a time: its places are the true ones."""
    return replace(report, explanations=tuple(_exact(one) for one in report.explanations))


def _exact(one: Explanation) -> Explanation:
    if one.where is None or not one.where.late:
        return one
    return replace(one, where=replace(one.where, late=False))


def merged(first: Report, second: Report, how: str) -> Report:
    """Return one report of a run and of its repetition.

    Args:
        first: The report of the run.
        second: That of the repetition.
        how: What was different in it, as `with CUDA_LAUNCH_BLOCKING=1`.

    Returns:
        Where the repetition failed, its report, with the evidence of the first run behind its own, and what only the
        first run showed after it; else the first report, which says that the repetition did not fail.

    """
    if second.ending != "died" or not second.explanations:
        told = f"Run once more {how}, it did not fail: find out what is not the same in every run (seeds, data order)."
        return replace(first, collect=(told, *first.collect))
    root = second.explanations[0]
    known = {one.id for one in second.explanations}
    evidence = {one.id: one.evidence for one in first.explanations}
    ours = tuple(replace(one, evidence=one.evidence + evidence.get(one.id, ())) for one in second.explanations)
    others = tuple(
        replace(one, explained_by=one.explained_by or root.id) for one in first.explanations if one.id not in known
    )
    place = f" at {root.where.file}:{root.where.line}" if root.where and root.where.line else ""
    return replace(
        second,
        sources=first.sources + second.sources,
        headline=f"{root.title}{place}",
        explanations=ours + others,
        timeline=first.timeline + second.timeline,
        series=first.series + second.series,
        work_lost=first.work_lost,
        facts=first.facts,
    )
