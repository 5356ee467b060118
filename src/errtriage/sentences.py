"""The sentences that the engine itself puts into a report, by language and key; a missing one is said in English."""

from __future__ import annotations

SENTENCES: dict[str, dict[str, str]] = {
    "en": {
        # headlines
        "at": "{title} at {place}",
        "died": "The run died, and the log does not say why.",
        "line": "{number} line",
        "lines": "{number} lines",
        "step": "{number} step",
        "steps": "{number} steps",
        "no-fault": "No fault seen in {lines}.",
        "no-fault-stops": "No fault seen in {lines}; it stops at step {step} of {total}.",
        "nothing": "Nothing that tells of a fault, and no progress, in {lines}.",
        # what was lost, what came before
        "lost-all": "{steps}: the log shows no checkpoint",
        "lost-some": "{steps} since the checkpoint at step {saved}",
        "attempt": "Attempt {number} (line {line}): {what}",
        "attempt-empty": "Attempt {number} (no lines): {what}",
        "no-exception": "no exception",
        # evidence for causes
        "line-reads": "Line {line} reads `{text}`.",
        "place-reads": "{place} reads `{text}`.",
        "compared": "{left} is {value} and {right} is {other}.",
        "shows": "The log shows {id}.",
        "shows-at": "The log shows {id} at line {line}.",
        "distinct": "{count} distinct {name} values report it.",
        "unrecognised": "No entry of the knowledge base knows this exception[; it was raised at {where}].",
        "unrecognised-collect": "The lines before the first traceback, and the versions of the libraries in its frames",
        "cut-title": "The log ends inside a traceback",
        "cut": "The line that names the exception is not in the log[; the code that ran was {where}].",
        "cut-collect": "The rest of the log: the lines after the last frame, down to the exception and its message",
        "metric-shows": "{name} shows it at step {step} (line {line}).",
        "holds": "{facts} holds in this log.",
    },
    "zh": {
        "at": "{title}（{place}）",
        "died": "训练中断，但日志没有说明原因。",
        "line": "{number} 行",
        "lines": "{number} 行",
        "step": "{number} 步",
        "steps": "{number} 步",
        "no-fault": "已检查 {lines}，未发现故障。",
        "no-fault-stops": "已检查 {lines}，未发现故障；日志停在第 {step} 步（共 {total} 步）。",
        "nothing": "共 {lines}，既没有故障迹象，也没有训练进度。",
        "lost-all": "{steps}：日志中没有保存过检查点",
        "lost-some": "自第 {saved} 步的检查点以来共 {steps}",
        "attempt": "第 {number} 次运行（第 {line} 行）：{what}",
        "attempt-empty": "第 {number} 次运行（无日志）：{what}",
        "no-exception": "没有异常",
        "line-reads": "第 {line} 行：`{text}`",
        "place-reads": "{place} 处的代码：`{text}`",
        "compared": "{left} 为 {value}，{right} 为 {other}。",
        "shows": "日志中还出现了 {id}。",
        "shows-at": "日志第 {line} 行还出现了 {id}。",
        "distinct": "有 {count} 个不同的 {name} 值报告了该问题。",
        "unrecognised": "知识库中没有与这个异常对应的条目[；它在 {where} 抛出]。",
        "unrecognised-collect": "第一个 traceback 之前的日志，以及其各帧所属库的版本",
        "cut-title": "日志在 traceback 中途断了",
        "cut": "日志里没有写明异常的那一行[；当时执行到 {where}]。",
        "cut-collect": "日志的其余部分：最后一帧之后的内容，直到异常的类型和消息",
        "metric-shows": "{name} 在第 {step} 步（第 {line} 行）出现了这种情况。",
        "holds": "本日志满足 {facts}。",
    },
}


def sentence(lang: str, key: str, **values: object) -> str:
    """Return a sentence with its values filled in; as it stands where none are given.

    Raises:
        KeyError: There is no sentence of that key.
    """
    text = SENTENCES.get(lang, {}).get(key) or SENTENCES["en"][key]
    return text.format(**values) if values else text
