"""Flight-recorder dumps of torch (`nccl_trace_rank_0`): pickles or JSON, read without running what they name."""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Mapping, Sequence
from typing import Any

from errtriage.lazy_regex import lazy
from errtriage.model import Event, Frame, Span
from errtriage.patterns.base import frame

MOST_BYTES = 256 * 1024 * 1024
_MOST_GROUPS = 1024
_MOST_FRAMES = 64
_NAME = lazy(r"(?:nccl|comm_lib|fr)_trace_(?:rank_?|.{0,80}?rank_?)(?P<rank>\d{1,7})(?:\.(?:json|pkl|pickle))?$")


class _Refused(pickle.UnpicklingError):
    """A dump names something else than plain containers."""


class _PlainUnpickler(pickle.Unpickler):
    """Admits None, bool, numbers, strings, bytes, lists, tuples, sets and dictionaries; refuses every name."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        """Refuse: a name in a pickle is code that would run."""
        raise _Refused(f"the dump names {module_name}.{global_name}")

    def persistent_load(self, _pid: Any, /) -> Any:
        """Refuse references to things outside of the dump."""
        raise _Refused("the dump refers to something outside of it")


def is_dump(name: str, head: bytes) -> bool:
    """Return whether a file is a dump: by its name, and by its first bytes (a pickle since protocol 2, or JSON)."""
    base = name.replace("\\", "/").rpartition("/")[2]
    return _NAME.search(base) is not None and (head[:1] == b"\x80" or head.lstrip()[:1] == b"{")


def read_dump(name: str, data: bytes) -> tuple[Event, ...]:
    """Return what a dump says of its rank: for each process group, the work in which it stands.

    Args:
        name: The path of the file; its number is the rank where the dump itself names none.
        data: Its bytes, at most 256 MiB. Format: torch/csrc/distributed/c10d/FlightRecorder, versions 2.x.

    Returns:
        `collective` events with phase status: group, group_name, rank, seq, op, enqueued, completed, and the Python
        frames of the call that is not finished. Nothing where the data is no dump or names anything but containers;
        no content raises.

    """
    if len(data) > MOST_BYTES:
        return ()
    try:
        dump = json.loads(data) if data.lstrip()[:1] == b"{" else _PlainUnpickler(io.BytesIO(data)).load()
    except Exception:  # a broken or hostile pickle can raise anything
        return ()
    if not isinstance(dump, Mapping) or not isinstance(dump.get("entries"), Sequence):
        return ()
    return tuple(_events(name, dump))


def _events(name: str, dump: Mapping[Any, Any]) -> list[Event]:
    rank = _rank(name, dump)
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for entry in dump["entries"]:
        if isinstance(entry, Mapping) and len(groups) < _MOST_GROUPS:
            groups.setdefault(_group(entry)[0], []).append(entry)
    status = dump.get("pg_status")
    told = []
    for group, entries in groups.items():
        stuck = next((entry for entry in entries if entry.get("state") != "completed"), None)
        shown = stuck or entries[-1]
        fields = {
            "phase": "status",
            "group": group or "0",
            "group_name": _group(shown)[1],
            "rank": str(rank) if rank is not None else None,
            "seq": _text(shown.get("collective_seq_id", shown.get("seq_id"))) if stuck else None,
            "op": _op(shown.get("profiling_name")) if stuck else None,
            "shape": _shape(shown.get("input_sizes")) if stuck else None,
            **_counts(status, shown),
            "message": f"{_text(shown.get('profiling_name')) or 'work'} is {_text(shown.get('state')) or 'unknown'}",
        }
        told.append(_event(name, rank, {k: v for k, v in fields.items() if v}, _frames(shown)))
    return told


def _event(name: str, rank: int | None, fields: Mapping[str, str], frames: tuple[Frame, ...]) -> Event:
    text = f"rank {rank}, group {fields['group']}: {fields['message']}"
    span = Span(first=1, last=1)
    return Event(kind="collective", fields=fields, span=span, text=text, source=name, rank=rank, frames=frames)


def _rank(name: str, dump: Mapping[Any, Any]) -> int | None:
    rank = dump.get("rank")
    if isinstance(rank, int) and 0 <= rank < 10**7:
        return rank
    found = _NAME.search(name.replace("\\", "/").rpartition("/")[2])
    return int(found["rank"]) if found else None


def _group(entry: Mapping[str, Any]) -> tuple[str, str]:
    """Return a process group's name and description; older dumps have only a number."""
    told = entry.get("process_group")
    if isinstance(told, (list, tuple)) and len(told) > 1:
        return _text(told[0]) or "", _text(told[1]) or ""
    return _text(entry.get("pg_id")) or "0", ""


def _counts(status: Any, entry: Mapping[str, Any]) -> dict[str, str]:
    if not isinstance(status, Mapping):
        return {}
    own = status.get(str(entry.get("pg_id"))) or status.get(entry.get("pg_id")) or status.get(_group(entry)[0])
    if not isinstance(own, Mapping):
        return {}
    names = {"enqueued": "last_enqueued_collective", "completed": "last_completed_collective"}
    return {field: text for field, key in names.items() if (text := _text(own.get(key))) is not None}


def _op(name: Any) -> str | None:
    """Return ALLREDUCE for `nccl:all_reduce`, as watchdog lines spell it."""
    return str(name)[:80].rpartition(":")[2].replace("_", "").upper() or None if isinstance(name, str) else None


def _shape(sizes: Any) -> str | None:
    first = sizes[0] if isinstance(sizes, (list, tuple)) and sizes else None
    if not isinstance(first, (list, tuple)) or not all(_text(size) for size in first[:16]):
        return None
    return ",".join(_text(size) or "" for size in first[:16])


def _text(value: Any) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < 10**18 else None
    return value[:80] if isinstance(value, str) else None


def _frames(entry: Mapping[str, Any]) -> tuple[Frame, ...]:
    """Return the call's frames, outermost first; the dump has the innermost first."""
    rows = entry.get("frames")
    if not isinstance(rows, (list, tuple)):
        return ()
    made = []
    for row in rows[:_MOST_FRAMES]:
        file, line = (row.get("filename"), row.get("line")) if isinstance(row, Mapping) else (None, None)
        if isinstance(file, str):
            function = row.get("name")
            made.append(
                frame(file, line if isinstance(line, int) else None, function if isinstance(function, str) else None)
            )
    return tuple(reversed(made))
