"""Takes the lines out of logs that a collector wrote as JSON (Docker, Stackdriver, loguru), and joins parted ones."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

from errtriage.lazy_regex import lazy
from errtriage.model import Span
from errtriage.regex_store import compiled

Lines = Iterator[tuple[bytes, Span]]

# Keys under which collectors put the text, the time, a traceback and the rank, first ones first.
_TEXT = ("log", "message", "msg", "MESSAGE", "textPayload", "jsonPayload", "text", "line", "body", "event")
_TIME = ("time", "timestamp", "@timestamp", "ts", "asctime", "datetime", "receiveTimestamp")
_TRACE = ("exc_info", "exception", "exc_text", "stack_trace", "stacktrace", "traceback", "stack", "py_callstack")
_DOCKER = {"log", "stream", "time", "attrs"}
_MOST_JOINED = 1024 * 1024

_HEAD = "Traceback (most recent call last):"
# What Python writes between two exceptions: of which the first was handled, or is the cause.
_LINKS = (
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
)

_ISO = lazy(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:[.,]\d{1,9})?) ?(Z|[+-]\d\d:?\d\d)?")
# Kubernetes' CRI format, https://github.com/kubernetes/design-proposals-archive (kubelet-cri-logging)
_PARTIAL = lazy(rb"^(.{0,200}?\d{4}-\d\d-\d\dT[\d:.]{8,20}(?:Z|[+-]\d\d:\d\d) (stdout|stderr)) P ", re.MULTILINE)
_PART = lazy(rb"(.{0,200}?\d{4}-\d\d-\d\dT[\d:.]{8,20}(?:Z|[+-]\d\d:\d\d) (stdout|stderr)) ([PF])(?: |$)")


def look(head: bytes) -> bool:
    """Return whether many lines are JSON objects that hold a text."""
    rows = head.split(b"\n")
    objects = [row for row in rows if _object_start(row) >= 0 and row.rstrip().endswith(b"}")]
    if not objects or 3 * len(objects) < len(rows) - 1:
        return False
    texts = sum(_text_of(_loads(row[_object_start(row) :])) is not None for row in objects[:20])
    return 2 * texts >= len(objects[:20])


def take_off(lines: Lines) -> Lines:
    """Yield the texts of JSON lines behind their time, stream and rank; other lines as they are."""
    parted: dict[str, tuple[str, int]] = {}  # what Docker cut at 16 KiB, by stream
    for raw, span in lines:
        at = _object_start(raw)
        value: Any = _loads(raw[at:]) if at >= 0 else None
        text = _text_of(value)
        if text is None:
            yield raw, span
            continue
        stream = str(value.get("stream") or "")
        before, first = parted.pop(stream, ("", span.first))
        text = before + text
        if "log" in value and not text.endswith("\n") and len(text) < _MOST_JOINED and value.keys() <= _DOCKER:
            parted[stream] = (text, first)
            continue
        prefix = raw[:at] + _prefix(value, stream)
        yield from _rows(text, prefix, Span(first=first, last=span.last))
    for stream, (text, first) in parted.items():
        yield from _rows(text, _prefix({}, stream), Span(first=first, last=first))


def look_export(head: bytes) -> bool:
    """Return whether the bytes begin as one JSON array of log entries, as `gcloud logging read` prints it."""
    keys = (b'"textPayload"', b'"jsonPayload"', b'"message"', b'"log"')
    return bool(compiled(rb"\s*\[\s*\{").match(head)) and any(key in head for key in keys)


def take_off_export(data: bytes) -> Lines | None:
    """Return the texts of an array of log entries, None where it is none."""
    from errtriage.sources import json_places

    entries = json_places.parse(data)
    texts = isinstance(entries, list) and any(_text_of(entry) is not None for entry in entries)
    return _entries(entries) if texts else None


def _entries(entries: list[Any]) -> Lines:
    from errtriage.sources import json_places

    for entry in entries:
        text = _text_of(entry)
        if text is not None:
            number = json_places.line_of(_found(entry))
            yield from _rows(text, _prefix(entry, str(entry.get("stream") or "")), Span(first=number, last=number))


def look_partial(head: bytes) -> bool:
    """Return whether lines of the CRI format are marked as parts."""
    return _PARTIAL.search(head) is not None


def join_partial(lines: Lines) -> Lines:
    """Yield CRI lines with their parts (`P`) joined to the line that ends them (`F`), per stream."""
    parted: dict[bytes, tuple[bytes, bytes, int]] = {}  # prefix, text and first line, by stream
    for raw, span in lines:
        match = _PART.match(raw)
        if match is None:
            yield raw, span
            continue
        stream, text = match[2], raw[match.end() :]
        prefix, before, first = parted.pop(stream, (match[1], b"", span.first))
        text = before + text
        if match[3] == b"P" and len(text) < _MOST_JOINED:
            parted[stream] = (prefix, text, first)
        else:
            yield prefix + b" F " + text, Span(first=first, last=span.last)
    for prefix, text, first in parted.values():
        yield prefix + b" F " + text, Span(first=first, last=first)


def _object_start(row: bytes) -> int:
    at = row.find(b"{", 0, 160)
    return at if at >= 0 and row[at + 1 : at + 2] in (b'"', b" ") else -1


def _loads(row: bytes) -> Any:
    import json

    try:
        return json.loads(row.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def _found(value: Any, depth: int = 3) -> str | None:
    """Return the string that holds an entry's text, also where objects lie within."""
    if isinstance(value, dict) and depth:
        for key in _TEXT:
            inner = value.get(key)
            if isinstance(inner, str):
                return inner
            if (deeper := _found(inner, depth - 1)) is not None:
                return deeper
    return None


def _text_of(value: Any) -> str | None:
    """Return an entry's text with the traceback that stands beside it, or None where it holds no text."""
    text = _found(value)
    if text is None or value.keys() <= _DOCKER:
        return text
    message = value.get("message")
    holders = [value, message, message.get("extraInfo") if isinstance(message, dict) else None]
    for holder in holders:
        for key in _TRACE:
            trace = _trace_of(holder.get(key)) if isinstance(holder, dict) else ""
            if "\n" in trace and trace not in text:
                return f"{text}\n{trace}"
        for trace in holder.values() if isinstance(holder, dict) else ():
            if isinstance(trace, str) and _HEAD in trace and trace not in text:
                return f"{text}\n{trace}"
    return text


def _trace_of(value: Any) -> str:
    """Return a traceback as Python prints it, also one that structlog has taken apart (`structlog.tracebacks`)."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list) or not all(isinstance(one, dict) and "exc_type" in one for one in value):
        return ""
    rows: list[str] = []
    for one in reversed(value):  # the exception that was logged comes first there, then what it came from
        rows += [_HEAD]
        for frame in one.get("frames") or ():
            if isinstance(frame, dict):
                rows.append(f'  File "{frame.get("filename")}", line {frame.get("lineno")}, in {frame.get("name")}')
        rows += [f"{one['exc_type']}: {one.get('exc_value') or ''}", "", _LINKS[bool(one.get("is_cause"))], ""]
    return "\n".join(rows[:-3])


def _prefix(value: dict[str, Any], stream: str) -> bytes:
    """Return time, stream, pod and rank in a form that the table of prefixes reads."""
    stamp = _stamp(next((value[key] for key in _TIME if key in value), None))
    parts = ""
    if stamp and stream in ("stdout", "stderr"):
        parts = f"{stamp} {stream} F "
    elif stamp:
        parts = f"| {stamp} | "
    if value.keys() <= _DOCKER:
        return parts.encode("utf-8", "replace")
    resource, labels = value.get("resource"), value.get("kubernetes")
    labels = resource.get("labels") if isinstance(resource, dict) else labels
    if isinstance(labels, dict) and isinstance(labels.get("pod_name"), str):
        parts += f"[pod/{labels['pod_name']}/{labels.get('container_name') or '-'}] "
    if isinstance(value.get("rank"), int) and not isinstance(value["rank"], bool):
        parts += f"[rank{value['rank']}]: "
    return parts.encode("utf-8", "replace")


def _stamp(value: Any) -> str | None:
    if isinstance(value, str):
        match = _ISO.search(value)
        return f"{match[1]}T{match[2]}{match[3] or ''}" if match else None
    if isinstance(value, (int, float)) and 1e8 < value < 1e14:
        seconds = value / 1000 if value > 1e11 else value
        return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{int(seconds % 1 * 1e6):06}Z"
    return None


def _rows(text: str, prefix: bytes, span: Span) -> Lines:
    for row in text.removesuffix("\n").split("\n"):
        yield prefix + row.encode("utf-8", "backslashreplace"), span
