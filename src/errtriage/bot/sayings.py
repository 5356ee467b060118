"""What a bot says beside the report, in each language."""

from __future__ import annotations

import time

SAYINGS: dict[str, dict[str, str]] = {
    "en": {
        "reading": "Reading {names} …",
        "help": "I explain logs of training runs. Paste the log, attach it as a file, or send a link to an artifact.",
        "empty": "{name} is empty.",
        "too-large": "I did not read {name}: {size} is more than the {most} that I take.",
        "too-many": "I did not read {count} more: {most} at once are what I take.",
        "not-a-log": "I did not read {name}: it is no log ({what}).",
        "outside": "I did not follow {name}: its address is not on my list.",
        "no-link": "I did not follow {name}: I follow no links.",
        "not-fetched": "I could not fetch {name}: {why}.",
        "not-explained": "No report: {why}.",
        "joined": "Read {names} as well; the answer above tells of all {count} logs of this thread.",
        "seen": "Seen {count} times since {since}, first in {run}.",
        "cut": "The rest of the report is left out: errtriage explain --all on the log shows it.",
        "an-earlier-run": "an earlier run",
    },
    "zh": {
        "reading": "正在读取 {names} …",
        "help": "我能解释训练任务的日志：请直接粘贴日志、上传文件，或发送制品链接。",
        "empty": "{name} 是空的。",
        "too-large": "未读取 {name}：大小 {size}，超过上限 {most}。",
        "too-many": "另有 {count} 份未读取：一次最多 {most} 份。",
        "not-a-log": "未读取 {name}：这不是日志（{what}）。",
        "outside": "未打开 {name}：该地址不在允许列表中。",
        "no-link": "未打开 {name}：当前不读取任何链接。",
        "not-fetched": "无法获取 {name}：{why}。",
        "not-explained": "没有报告：{why}。",
        "joined": "已一并读取 {names}；上面的回答已更新，涵盖本话题的 {count} 份日志。",
        "seen": "自 {since} 以来已出现 {count} 次，首次见于 {run}。",
        "cut": "报告其余部分已省略：对该日志运行 errtriage explain --all 可查看全部。",
        "an-earlier-run": "更早的一次运行",
    },
}
_WEEKDAYS = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "zh": ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
}
_WEEK = 6 * 86400


def bot_says(lang: str, key: str, **values: object) -> str:
    """Return a sentence with its values filled in; one that a language lacks is said in English."""
    return (SAYINGS.get(lang, {}).get(key) or SAYINGS["en"][key]).format(**values)


def day(moment: float, now: float, lang: str) -> str:
    """Return a day (seconds since the epoch, local time) as a weekday within the last six days, else as a date."""
    then = time.localtime(moment)
    if 0 <= now - moment < _WEEK:
        return _WEEKDAYS.get(lang, _WEEKDAYS["en"])[then.tm_wday]
    return time.strftime("%Y-%m-%d", then)


def size(number: int) -> str:
    """Return a number of bytes as a person reads it: 900 B, 3 KiB, 64 MiB."""
    for unit in ("B", "KiB", "MiB"):
        if number < 1024:
            return f"{number} {unit}"
        number = -(-number // 1024)
    return f"{number:,} GiB"
