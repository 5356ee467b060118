"""The closed list of tests on metric series: each says what it saw, with its numbers, or nothing.

Every test names how long a series must be before it may speak, and is silent on a shorter one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from errtriage.lazy_regex import escaped
from errtriage.model import Facts, Series, SeriesMatch
from errtriage.regex_store import compiled
from errtriage.sentences import sentence
from errtriage.series import levels as series_levels
from errtriage.series import motion as series_motion
from errtriage.series import nonfinite as series_nonfinite
from errtriage.series.view import Around, Parameters, Seen, Test
from errtriage.values import dataclass, replace

TESTS: Mapping[str, Test] = {
    "nonfinite": series_nonfinite.nonfinite,
    "nonfinite_beside": series_nonfinite.nonfinite_beside,
    "zero_hides_nan": series_nonfinite.zero_hides_nan,
    "sudden": series_nonfinite.sudden,
    "at_minimum": series_nonfinite.at_minimum,
    "double_softmax_floor": series_levels.double_softmax_floor,
    "chance": series_levels.chance,
    "constant": series_levels.constant,
    "plateau": series_levels.plateau,
    "near": series_levels.near,
    "zero": series_levels.zero,
    "negative": series_motion.negative,
    "diverging": series_motion.diverging,
    "rising": series_motion.rising,
    "spike": series_motion.spike,
    "oscillating": series_motion.oscillating,
    "split_gap": series_motion.split_gap,
}


_WILDCARDS = {"*": ".*", "?": "."}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A series that passed a test of an entry."""

    series: Series
    values: Mapping[str, str]
    certainty: float


def find(row: SeriesMatch, series: Sequence[Series], facts: Facts) -> list[Finding]:
    """Return what an entry's test sees in all series that its metric names (`loss`, `*loss`), clearest first."""
    around = Around(series=series, facts=facts)
    found = []
    for one in series:
        if not _is_named(one.name, row.metric) or row.parameters.get("split", one.split) != one.split:
            continue
        if row.with_metric is not None and around.sibling(one, row.with_metric) is None:
            continue
        seen = TESTS[row.test](one, row.parameters, around)
        if seen is not None:
            found.append(_finding(one, seen))
    told = [finding for finding in found if _counts(finding.series, found, series)]
    return sorted(told, key=lambda finding: -finding.certainty)


def _counts(shown: Series, found: Sequence[Finding], series: Sequence[Series]) -> bool:
    """Return whether a finding says something of the job, where it holds several trainings of one kind.

    Of a search for good settings some trainings go wrong; it is the job's fault where half of them do, or the last
    one. A loss that is no number any more always is.
    """
    kin = [one for one in series if _kin(one) == _kin(shown)]
    wrong = [one for one in found if _kin(one.series) == _kin(shown)]
    last = max(one.training for one in kin)
    return shown.bad is not None or shown.training == last or 2 * len(wrong) >= len(kin)


def _kin(series: Series) -> tuple[str, ...]:
    return (series.source, series.channel, series.name, series.split, series.label)


def _is_named(name: str, pattern: str) -> bool:
    """Return what `fnmatch.fnmatchcase` does, by an expression that is kept between runs."""
    if pattern.isidentifier():
        return name == pattern
    words = (_WILDCARDS.get(one) or (one if one in "[]" else escaped(one)) for one in pattern)
    return compiled("".join(words)).fullmatch(name) is not None


def _finding(series: Series, seen: Seen) -> Finding:
    values = {
        "metric": series.label or series.name,
        "split": series.split,
        "step": f"{seen.point.step:g}",
        "value": f"{seen.point.value:.6g}",
        "line": str(seen.point.line),
        "points": str(series.count),
        **seen.values,
    }
    marked = replace(series, mark=seen.point.step)
    return Finding(series=marked, values=values, certainty=seen.weight)


def gauge(value: Parameters, series: Sequence[Series], facts: Facts | None = None, lang: str = "en") -> str | None:
    """Return in words what a `metric` condition sees: `{name, test, …}`; None where it does not hold."""
    around = Around(series=series, facts=facts or Facts())
    for one in series:
        if _is_named(one.name, str(value["name"])):
            seen = TESTS[str(value["test"])](one, value, around)
            if seen is not None:
                step, name = f"{seen.point.step:g}", one.label or one.name
                return sentence(lang, "metric-shows", name=name, step=step, line=seen.point.line)
    return None
