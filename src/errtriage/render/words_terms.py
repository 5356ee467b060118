"""What the terms of a score mean, in languages other than the engine's own."""

from __future__ import annotations

from errtriage.model import Term

TERMS: dict[str, dict[str, str]] = {
    "zh": {
        "bias": "起始分",
        "cause": "它本身可以是根本原因。",
        "symptom": "它只是故障的外在表现。",
        "cascade": "它是其他故障的连带后果。",
        "fatal": "它（或它的后果）会终止训练。",
        "error": "它（或它的后果）是错误。",
        "silent": "它（或它的后果）不会报错。",
        "warning": "它（或它的后果）只是警告。",
        "note": "它（或它的后果）只是提示。",
        "specific": "日志文本与该条目高度吻合。",
        "unrecognised": "知识库中没有与这个异常对应的条目。",
        "explains": "它能解释日志中的其他故障。",
        "first-fatal": "它是日志中第一个致命事件。",
        "first-in-rank": "它是某个 rank 的第一个致命事件。",
        "user-frame": "已定位到你自己的代码。",
        "lifted-cause": "日志中有支持其某个原因的证据。",
        "initiator": "最先失败的 rank 出现了它。",
        "victim": "只有被其他 rank 连累的 rank 出现了它。",
        "recovered": "它出现之后训练仍在继续。",
        "ignored": "程序自己忽略了它。",
        "raised": "它在别处只是提示，在这里却作为异常抛出。",
        "measures-only": "它出现在只做评估的代码里，没有引发其他问题。",
        "beside-a-fatal-fault": "终止训练的是另一个故障，两者没有联系。",
        "nothing-else": "日志中没有其他故障。",
        "order-unknown": "多个 rank 各自出错，从时间戳无法判断先后。",
    },
}


def term_words(term: Term, lang: str) -> str:
    """Return why a term counts: as the engine says it, with its numbers, or in the words of another language."""
    return TERMS.get(lang, {}).get(term.name) or term.because or term.name
