"""Dumps of torch's flight recorder, and hostile files that look like them."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errtriage.ranks.flight_recorder import is_dump, read_dump


def entry(seq: int, state: str, **more: Any) -> dict[str, Any]:
    return {
        "pg_id": 0,
        "process_group": ("0", "default_pg"),
        "collective_seq_id": seq,
        "profiling_name": "nccl:all_reduce",
        "input_sizes": ((3, 4),),
        "state": state,
        "frames": [
            {"name": "step", "filename": "/app/train.py", "line": 12},
            {"name": "<module>", "filename": "/app/train.py", "line": 40},
        ],
        **more,
    }


DUMP = {
    "version": "2.9",
    "pg_status": {"0": {"last_enqueued_collective": 8, "last_completed_collective": 6}},
    "entries": [entry(6, "completed"), entry(7, "started"), entry(8, "scheduled")],
}


@pytest.mark.parametrize(
    "data", [pickle.dumps(DUMP, protocol=2), pickle.dumps(DUMP, protocol=5), json.dumps(DUMP).encode()]
)
def test_a_dump_tells_the_work_that_is_stuck(data: bytes) -> None:
    """The first unfinished work of a group is told with its rank, number, operation and frames."""
    (told,) = read_dump("dumps/nccl_trace_rank_5", data)
    assert told.rank == 5
    assert {"group": "0", "seq": "7", "op": "ALLREDUCE", "enqueued": "8", "completed": "6", "shape": "3,4"}.items() <= (
        told.fields.items()
    )
    assert [frame.line for frame in told.frames] == [40, 12]


def test_a_finished_rank_has_no_stuck_work() -> None:
    """Where all work is completed no operation is told, only how far the rank came."""
    done = {**DUMP, "entries": [entry(6, "completed")]}
    (told,) = read_dump("nccl_trace_rank_1", pickle.dumps(done))
    assert "op" not in told.fields
    assert told.fields["completed"] == "6"


class Hostile:
    """Runs a command when it is unpickled by anything that admits names."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (f"touch {self.path}",)


def test_a_hostile_dump_runs_nothing(tmp_path: Path) -> None:
    """A pickle that names a function is refused before the function is looked up."""
    mark = tmp_path / "ran"
    assert read_dump("nccl_trace_rank_0", pickle.dumps({"entries": [Hostile(mark)]})) == ()
    assert not mark.exists()


@given(st.binary(max_size=200))
def test_no_bytes_raise(data: bytes) -> None:
    """Any bytes behind a pickle's head give events or nothing."""
    assert isinstance(read_dump("nccl_trace_rank_0", b"\x80\x04" + data), tuple)


@given(st.recursive(st.none() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3)))
def test_no_content_raises(value: Any) -> None:
    """Entries of any shape give events or nothing."""
    dump = {"entries": [value, {"state": value, "frames": value, "process_group": value}], "pg_status": value}
    assert isinstance(read_dump("nccl_trace_rank_0", pickle.dumps(dump)), tuple)


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("/tmp/nccl_trace_rank_0", b"\x80\x04", True),
        ("nccl_trace_rank_12.json", b'{"version"', True),
        ("nccl_trace_rank_0", b"step 1 loss", False),
        ("model.pkl", b"\x80\x04", False),
    ],
)
def test_dumps_are_known_by_name_and_head(name: str, head: bytes, expected: bool) -> None:
    """Both the name and the first bytes must fit."""
    assert is_dump(name, head) is expected
