"""Reports made by hand: empty, of one fault, of a tree, of a silent fault, of many ranks, and of hostile text."""

from __future__ import annotations

from errtriage.model import (
    CauseReading,
    Evidence,
    Explanation,
    Point,
    Range,
    RankState,
    Report,
    Series,
    SourceInfo,
    Stats,
    Term,
    TimelineItem,
    Where,
)

# Text that tries to be an escape sequence, HTML, Markdown, Slack markup, a mention, a link, and a workflow command.
HOSTILE = (
    "\x1b[2J\x1b]0;owned\x07<script>alert(1)</script> ``` <!channel> *bold* \u202e gnp.exe | a | \udc80"
    " </details></pre><img src=x onerror=alert(2)> [x](javascript:alert(3)) @octocat #1234 <@U123> <https://evil|x>"
    " ::error file=x::y\r\n::set-output name=a::b\n# heading\n```\n<b>&amp;\" onmouseover='alert(4)"
)


def explanation(name: str = "target-out-of-range", **changes: object) -> Explanation:
    known: dict[str, object] = {
        "id": name,
        "title": "A label lies outside the outputs",
        "summary": "The loss was given label 3.",
        "role": "cause",
        "severity": "fatal",
        "confidence": 0.97,
        "ranks": (0, 1, 2, 5),
        "hosts": ("node-1",),
        "where": Where(file="train.py", line=57, function="step", code="loss = crit(out, y)", late=True),
        "evidence": (
            Evidence(
                source="a.log",
                line=12,
                last_line=4107,
                count=4096,
                text="Loss.cu:250: block: [0,0,0] Assertion `t >= 0` failed.",
                role="cause",
                ranges={"block": Range(low=(0, 0, 0), high=(15, 0, 0), distinct=16)},
            ),
        ),
        "causes": (
            CauseReading(
                id="a", why="Labels count from 1.", check="Print y.min().", fix="Subtract 1.", code="y = y - 1"
            ),
            CauseReading(id="b", why="The head is too small.", check="Compare.", fix="Widen it.", code=""),
        ),
        "terms": (Term(name="cause", points=1.0, because="It can be the cause itself."),),
        "leads_to": ("device-side-assert",),
        "links": (("device-side-assert", "The device reports late."),),
    }
    return Explanation(**{**known, **changes})  # type: ignore[arg-type]


def report(*told: Explanation, **changes: object) -> Report:
    known: dict[str, object] = {
        "sources": (SourceInfo(name="a.log", bytes=10, lines=4110),),
        "verdict": "failed" if told else "clean",
        "ending": "died" if told else "completed",
        "headline": told[0].title if told else "No fault seen in 4110 lines.",
        "explanations": told,
        "stats": Stats(seconds=0.1, events=3, groups=2),
    }
    return Report(**{**known, **changes})  # type: ignore[arg-type]


EFFECT = explanation("device-side-assert", role="symptom", explained_by="target-out-of-range", where=None, causes=())
SILENT = explanation(
    "loss-constant",
    severity="silent",
    role="symptom",
    where=None,
    ranks=(),
    hosts=(),
    title="The loss does not change",
    evidence=(Evidence(source="a.log", line=40, last_line=49, count=50, text="loss = nan at step 40", role="symptom"),),
)
CURVE = Series(
    name="loss",
    split="train",
    source="a.log",
    points=tuple(Point(step=float(n), value=2.3 if n < 40 else float("nan"), line=n) for n in range(50)),
    mark=40.0,
    count=50,
)
RANKS = tuple(
    RankState(rank=3, host="node37", state="died", last_step=41)
    if rank == 3
    else RankState(rank=rank, host=f"node{rank // 8}", state="waiting", seq=812, op="ALLREDUCE")
    for rank in range(512)
)
STORY = (
    TimelineItem(
        source="a.log", line=12, last_line=12, kind="exception", text="RuntimeError: boom", rank=3, ranks=(3,),
        explanation="target-out-of-range", time=1000.0,
    ),
    *(
        TimelineItem(
            source="a.log", line=100 + rank, last_line=100 + rank, kind="collective", rank=rank, ranks=(rank,),
            text=f"[Rank {rank}] Watchdog caught collective operation timeout: SeqNum=812", time=1600.0 + rank % 7,
            explanation="nccl-collective-timeout",
        )
        for rank in range(512)
        if rank != 3
    ),
    TimelineItem(
        source="a.log", line=900, last_line=900, kind="launcher", text="Sending process 1 closing signal SIGTERM",
        explanation="stopped-by-sigterm",
    ),
)  # fmt: skip
REPORTS = {
    "empty": report(sources=()),
    "one": report(explanation()),
    "tree": report(explanation(), EFFECT),
    "silent": report(SILENT, series=(CURVE,), verdict="suspect", ending="completed"),
    "ranks": report(
        explanation(ranks=(3,)),
        explanation("nccl-collective-timeout", role="symptom", explained_by="target-out-of-range", where=None),
        explanation("stopped-by-sigterm", role="cascade", explained_by="target-out-of-range", where=None),
        ranks=RANKS,
        timeline=STORY,
    ),
    "hostile": report(
        explanation(
            title=HOSTILE,
            summary=HOSTILE,
            where=Where(file=HOSTILE, line=1, function=HOSTILE, code=HOSTILE),
            evidence=(
                Evidence(source=HOSTILE, line=1, last_line=1, count=1, text=HOSTILE, role="cause"),
                Evidence(source=HOSTILE, line=40, last_line=40, count=1, text=f"{HOSTILE} = nan", role="symptom"),
                Evidence(
                    source=HOSTILE,
                    line=2,
                    last_line=2,
                    count=1,
                    text=HOSTILE,
                    role="cause",
                    context=((1, HOSTILE), (2, HOSTILE)),
                ),
            ),
            links=(("other", HOSTILE),),
            hosts=(HOSTILE,),
            causes=(CauseReading(id="x", why=HOSTILE, check=HOSTILE, fix=HOSTILE, code=HOSTILE, because=(HOSTILE,)),),
        ),
        headline=HOSTILE,
        series=(Series(name=HOSTILE, label=HOSTILE, source=HOSTILE, points=CURVE.points, mark=40.0),),
        timeline=(
            TimelineItem(source=HOSTILE, line=1, last_line=1, kind="x", text=HOSTILE, explanation=HOSTILE, ranks=(1,)),
            TimelineItem(source=HOSTILE, line=2, last_line=2, kind="y", text=HOSTILE, explanation="other", ranks=(2,)),
        ),
        ranks=(RankState(rank=1, host=HOSTILE, state="died"), RankState(rank=2, op=HOSTILE, state="waiting")),
        earlier_attempts=(HOSTILE,),
        collect=(HOSTILE,),
        sources=(SourceInfo(name=HOSTILE, lines=1, error=HOSTILE),),
    ),
}
