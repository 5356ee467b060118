"""Every fixed phrase of the reports, by language and key; a phrase that a language lacks is said in English."""

from __future__ import annotations

PHRASES: dict[str, dict[str, str]] = {
    "en": {
        # headings
        "causes": "Likely causes",
        "cause": "cause",
        "check": "check",
        "fix": "fix",
        "because": "because",
        "evidence": "evidence",
        "where": "where",
        "then": "then",
        "also": "also",
        "collect": "collect",
        "action": "action",
        "lost": "lost",
        "earlier": "earlier",
        "next": "next",
        "who": "who",
        "fault": "fault",
        "ranks": "ranks",
        "timeline": "timeline",
        "curve": "curve",
        "see": "see",
        "facts": "the run",
        "sources": "what was read",
        # verdicts, roles, severities
        "failed": "failed",
        "suspect": "suspect",
        "clean": "clean",
        "unknown": "unknown",
        "symptom": "symptom",
        "cascade": "cascade",
        # sentences
        "undecided": "The log does not tell these causes apart; try the checks in this order.",
        "late": "The device reports late: the fault is at or before this line. CUDA_LAUNCH_BLOCKING=1 finds it.",
        "not-in-log": "The cause is not in this log.",
        "tells-more": "errtriage kb show {id} tells more{more}.",
        "all-shows": "; --all shows {count} more",
        "confidence": "confidence {share}",
        "on": "on {hosts}",
        "cut": "cut: {what}",
        "redacted": "{count} redacted",
        # who can act
        "action-fix-code": "The code or its settings must be changed; a restart fails again.",
        "action-restart": "A restart is enough.",
        "action-change-node": "Take the node out of service, and restart on another one.",
        "action-more-resources": "Ask for more memory, space or time.",
        "action-unknown": "Not known.",
        "who-fix-code": "whoever wrote the code; a restart fails again",
        "who-restart": "whoever runs the job; a restart is enough",
        "who-change-node": "whoever runs the cluster; take the node out of service",
        "who-more-resources": "whoever submits the job; ask for more memory, space or time",
        # ranks
        "died": "died",
        "waiting": "waiting",
        "behind": "behind",
        "absent": "absent",
        "state-died": "died",
        "state-waiting": "waiting",
        "state-behind": "did not come to the work of the others",
        "state-absent": "said nothing while others waited",
        "state-unknown": "no sign of trouble",
        "in-op": "in {op}",
        "seq": "seq {seq}",
        "last-step": "last step {step}",
        "hosts-more": "{count} more",
        "ranks-total": "{count} ranks",
        "causes-more": "More causes ({count})",
        "moments-more": "more moments: {count}",
        # curves
        "at-step": "step {step}: {value}",
        "first-last": "{first} to {last}, steps {start} to {end}",
        "chart-label": "{name} over steps {start} to {end}, from {first} to {last}",
        "log-scale": "logarithmic scale",
        "not-finite": "not finite",
        # pages
        "report": "errtriage report",
        "show-lines": "lines around it",
        "all-evidence": "All evidence",
        "effects": "What followed from it",
        "others": "Other findings",
        "moments": "All moments as a table",
        "rank": "rank",
        "rank-state": "state",
        "host": "host",
        "line": "line",
        "time": "time",
        "what": "what",
        "points": "points",
        "any-rank": "no rank named",
        "first-of": "the first {shown} of {count}",
        "legend": "Signs: {signs}",
        "sign-cause": "cause",
        "sign-symptom": "symptom",
        "sign-cascade": "consequence",
        "why": "Why this answer",
        "skip": "Skip to the causes",
    },
}


def say(lang: str, key: str, **values: object) -> str:
    """Return a phrase with its values filled in.

    Raises:
        KeyError: There is no phrase of that key.
    """
    text = PHRASES.get(lang, {}).get(key) or PHRASES["en"][key]
    return text.format(**values) if values else text
