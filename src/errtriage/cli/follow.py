"""`errtriage follow PATH…`: findings as they appear, while the run still burns money."""

from __future__ import annotations

import datetime
import json
import time
from pathlib import Path

from errtriage.cli.explain import complain, knowledge_of, language_of, wants_colour
from errtriage.cli.options import Explain
from errtriage.cli.pipe import check_options, print_text
from errtriage.errors import ErrtriageError
from errtriage.live.follow import PACE, Finding, Follower
from errtriage.live.growing import Growing
from errtriage.render.phrases import say
from errtriage.render.words import clean, excerpt, place
from errtriage.render.words_wrap import columns, padded
from errtriage.values import replace

SCHEMA = "errtriage.finding/1"
LEVELS = ("fatal", "error", "silent", "warning")  # for --exit-on: this severity, and those before it
_FORMATS = (None, "plain", "terminal", "json")
_COLOURS = {"fatal": "31;1", "error": "31", "silent": "33;1", "warning": "33", "stall": "35;1"}


def run(options: Explain, *, exit_on: str | None, stall: float | None) -> int:
    """Follow the paths until a finding of `exit_on` comes (status 1) or somebody ends it."""
    if not options.paths:
        raise ErrtriageError("follow needs a path: errtriage follow train.log")
    if exit_on is not None and exit_on not in (*LEVELS, "stall"):
        raise ErrtriageError(f"--exit-on takes one of {', '.join((*LEVELS, 'stall'))}")
    if options.format not in _FORMATS:
        raise ErrtriageError("follow prints plain, terminal or json")
    check_options(options)
    known = knowledge_of(options)
    growing = Growing(known, Path(options.source_root or "."))
    for path in options.paths:
        if not Path(path).exists():
            complain(f"{path} is not there yet: waiting for it")
    follower = Follower(options.paths, known, growing, stall=stall)
    write = _as_json if options.format == "json" else _as_text
    while True:
        for finding in follower.step():
            print_text(write(finding, options))
            if _ends(finding, exit_on):
                return 1
        time.sleep(PACE)


def _ends(finding: Finding, exit_on: str | None) -> bool:
    if exit_on is None:
        return False
    if finding.explanation is None:
        return exit_on == "stall"
    severity = finding.explanation.severity
    return exit_on in LEVELS and severity in LEVELS[: LEVELS.index(exit_on) + 1]


def _as_json(finding: Finding, _options: Explain) -> str:
    """Return a finding as one JSON object on one line."""
    from errtriage.render.json import to_dict

    told: dict[str, object] = {"schema": SCHEMA, "time": time.time()}
    if finding.explanation is not None:
        alone = to_dict(replace(finding.report, explanations=(finding.explanation,)))
        told |= {"explanation": alone["explanations"][0], "stall": None}
    else:
        minutes = round(finding.stalled or 0.0, 2)
        stall = {"minutes": minutes, "source": finding.source, "last_line": finding.last_line}
        told |= {"explanation": None, "stall": stall}
    return json.dumps(told, ensure_ascii=False, allow_nan=False) + "\n"


def _as_text(finding: Finding, options: Explain) -> str:
    colour = options.format == "terminal" or (options.format is None and wants_colour())
    clock = datetime.datetime.now().strftime("%H:%M:%S")
    one, lang = finding.explanation, language_of(options)
    if one is None:
        stalled = say(lang, "nothing-new", minutes=f"{finding.stalled:.0f}")
        head = f"{clock} {_painted(say(lang, 'stall'), 'stall', colour)}  {stalled}"
        where = f"  {clean(finding.source)}: {excerpt(finding.last_line)}\n" if finding.last_line else ""
        return f"{head}\n{where}"
    effect = say(lang, "effect-of", id=one.explained_by) if one.explained_by else ""
    lines = [f"{clock} {_painted(say(lang, one.severity), one.severity, colour)}  {clean(one.title)}{effect}"]
    lines += [f"  {clean(item.source)}:{item.line}  {excerpt(item.text)}" for item in one.evidence[:2]]
    told = []
    if one.where is not None:
        told.append(("where", place(one.where, lang)))
    if one.causes and not one.explained_by:
        first = one.causes[0]
        told += [("maybe", clean(first.why)), ("check", clean(first.check)), ("fix", clean(first.fix))]
    wide = max(columns(say(lang, key)) for key in ("where", "maybe", "check", "fix"))
    lines += [f"  {padded(say(lang, key), wide)}  {text}" for key, text in told if text]
    lines.append(f"  {say(lang, 'tells-more', id=one.id, more='')}")
    return "\n".join(lines) + "\n"


def _painted(text: str, kind: str, colour: bool) -> str:
    return f"\x1b[{_COLOURS.get(kind, '0')}m{text.upper()}\x1b[0m" if colour else text.upper()
