"""The content of a Feishu message: its text and its files, out of the JSON of each type of message."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from errtriage.values import dataclass

_MENTION = re.compile(r"@_(?:user_\d{1,6}|all)\b")  # stands for a mention in the text
_DEEPEST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """A text, and files as their keys and names."""

    text: str = ""
    files: tuple[tuple[str, str], ...] = ()


def content_of(kind: str | None, content: str | None) -> Content:
    """Return what a message of type text, post or file holds; of all other types nothing.

    https://open.feishu.cn/document/server-docs/im-v1/message-content-description/message_content
    """
    try:
        told = json.loads(content or "{}")
    except (ValueError, RecursionError):
        return Content()
    if not isinstance(told, dict):
        return Content()
    if kind == "file" and told.get("file_key"):
        return Content(files=((str(told["file_key"]), str(told.get("file_name") or "file")),))
    if kind == "text":
        return Content(text=_MENTION.sub("", str(told.get("text") or "")).strip())
    if kind == "post":
        return Content(text="\n".join(line for line in _lines(told, 0) if line.strip()))
    return Content()


def _lines(told: Any, depth: int) -> Iterator[str]:
    """Yield the lines of a post: paragraphs are lists of elements, in some forms below a language."""
    if depth > _DEEPEST:
        return
    if isinstance(told, dict):
        if "tag" in told:
            yield _element(told)
            return
        for name in ("title", "content", "zh_cn", "en_us", "ja_jp"):
            if isinstance(told.get(name), str):
                yield told[name]
            else:
                yield from _lines(told.get(name), depth + 1)
    elif isinstance(told, list):
        if told and all(isinstance(one, dict) and "tag" in one for one in told):
            yield "".join(map(_element, told))
        else:
            for one in told:
                yield from _lines(one, depth + 1)


def _element(one: dict[str, Any]) -> str:
    tag = one.get("tag")
    if tag == "a":
        return f" {one.get('href') or one.get('text') or ''} "
    if tag == "code_block":
        return f"\n```\n{one.get('text') or ''}\n```\n"
    return str(one.get("text") or "") if tag in ("text", "md") else ""
