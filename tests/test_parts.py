"""A large file that is read in parts has the report that it has when it is read whole."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

import mission_logs
from case_files import LOGS
from errtriage import parallel, reading
from errtriage.parallel import crew, pieces, worker
from errtriage.render.json import to_dict
from errtriage.sources import dressing, from_file, parts, unpacking, windows
from errtriage.triage import triage_sources

CORPUS = sorted(LOGS.rglob("*.log"))
WINDOW, BLOCK = 2_048, 2


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows of 2 KiB, blocks of two windows, files in parts from two blocks on, and three workers."""
    for module in (windows, parts):
        monkeypatch.setattr(module, "WINDOW", WINDOW)
        monkeypatch.setattr(module, "BLOCK", BLOCK)
    for module in (parts, pieces):
        monkeypatch.setattr(module, "BLOCK_BYTES", BLOCK * WINDOW)
    monkeypatch.setattr(pieces, "PARTED_FROM", 2 * BLOCK * WINDOW)
    monkeypatch.setenv(reading.VARIABLE, "3")
    monkeypatch.setattr(crew, "may_fork", lambda: hasattr(os, "fork"))


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """One item for each time that the parts could not be read by themselves."""
    times: list[bool] = []
    take = crew.Worker.next

    def taking(near: crew.Worker) -> worker.Message:
        try:
            return take(near)
        except crew.LostError:
            times.append(True)
            raise

    monkeypatch.setattr(crew.Worker, "next", taking)
    return times


def said(path: Path, *, side_by_side: bool) -> str:
    """All that the report on a file says, less how long it took."""
    told = to_dict(triage_sources([from_file(path)], side_by_side=side_by_side))
    told["stats"].pop("seconds")
    return json.dumps(told, sort_keys=True)


def assert_same(path: Path) -> None:
    """Both ways of reading say the same."""
    assert said(path, side_by_side=True) == said(path, side_by_side=False)


@pytest.mark.parametrize("start", range(20))
def test_parts_change_no_report(tmp_path: Path, start: int) -> None:
    """Logs of the corpus one after the other in one file, tracebacks over the ends of blocks, tell the same."""
    log = tmp_path / "train.log"
    log.write_bytes(b"\n".join(path.read_bytes() for path in CORPUS[start::20]))
    assert_same(log)


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in CORPUS if path.stat().st_size > 8_192])
def test_parts_change_no_report_of_a_long_log(path: Path) -> None:
    """A log of the corpus that is long enough for parts tells the same in parts."""
    assert_same(path)


def metrics(draw: random.Random) -> str:
    return "".join(
        f"epoch {step // 40} step {step}/900 loss {draw.random():.4f} lr 0.001\n"
        + (f"rank {step % 5}: WARNING: retry {step}\n" if step % 7 == 0 else "")
        for step in range(900)
    )


def woven(draw: random.Random) -> str:
    lines = (LOGS / "distributed").rglob("*.log")
    some = [line for path in sorted(lines)[:3] for line in path.read_text(errors="replace").splitlines()][:400]
    return "".join(f"[rank{draw.randrange(4)}]: {line}\n" for line in some)


def bars(draw: random.Random) -> str:
    return "".join(
        "".join(f"\r{at}%|##  | {at}/100 [00:01<00:02, loss={draw.random():.3f}]" for at in range(60))
        + "\n" * (line % 2)
        for line in range(12)
    )


def spam(draw: random.Random) -> str:
    return metrics(draw)[:9_000] + mission_logs.overflow_then_assert(300) + metrics(draw)[:9_000]


@pytest.mark.parametrize("make", [metrics, woven, bars, spam])
@pytest.mark.parametrize("seed", range(3))
def test_made_up_logs_are_read_in_parts(
    tmp_path: Path, lost: list[bool], make: Callable[[random.Random], str], seed: int
) -> None:
    """Metrics, ranks, progress bars and assertions tell the same in parts, and the parts can be read by themselves."""
    log = tmp_path / "train.log"
    log.write_text(make(random.Random(seed)), encoding="utf-8", newline="")
    assert len(pieces.pieces_of([from_file(log)])) > 2
    assert_same(log)
    assert lost == []


def test_an_open_traceback_is_read_on(tmp_path: Path, lost: list[bool]) -> None:
    """A traceback that begins in one part and ends in another is one event, at its own lines."""
    frames = "".join(f'  File "train.py", line {line}, in step\n    loss = step(batch)\n' for line in range(200))
    log = tmp_path / "train.log"
    before = "step 1 loss 2.0\n" * 300
    log.write_text(
        f"{before}Traceback (most recent call last):\n{frames}ValueError: no batch\n{before}", encoding="utf-8"
    )
    assert_same(log)
    assert lost == []
    told = json.loads(said(log, side_by_side=True))
    assert told["explanations"][0]["evidence"][0]["line"] == 301


@pytest.mark.parametrize(
    "text",
    [
        "$ python train.py\nValueError: no\n",
        "errtriage report\nsomething\nend of errtriage report\n",
        (
            "(WorkerDict pid=5) [rank6]: RuntimeError: no\n(WorkerDict pid=5) RuntimeError: no\n",
            "",
        ),
    ],
)
def test_what_depends_on_earlier_parts_is_read_in_sequence(tmp_path: Path, lost: list[bool], text: str) -> None:
    """Where a part can not be read without what stands before it, the report is that of one reader all the same."""
    log = tmp_path / "train.log"
    log.write_text(f"$ python train.py\n{metrics(random.Random(1))}{text}{metrics(random.Random(2))}", encoding="utf-8")
    assert_same(log)
    assert lost == [True]


@pytest.mark.parametrize(
    "data",
    [
        unpacking.codecs.BOM_UTF8 + b"step 1\n" * 3_000,
        "step 1\n".encode("utf-16") * 3_000,
        b"\x1f\x8b\x08" + b"step 1\n" * 3_000,
        b'{"log": "step 1 loss 2.0", "stream": "stdout", "time": "2026-01-01T00:00:00Z"}\n' * 400,
    ],
    ids=["byte order mark", "utf-16", "packed", "json lines"],
)
def test_only_plain_text_is_parted(tmp_path: Path, data: bytes) -> None:
    """What is packed, dressed or not in UTF-8 is read whole."""
    log = tmp_path / "train.log"
    log.write_bytes(data)
    assert [piece.block for piece in pieces.pieces_of([from_file(log)])] == [None]


def test_parts_meet_where_windows_do(tmp_path: Path) -> None:
    """The windows of all parts together are those of the file, whatever its lines are like."""
    draw = random.Random(7)
    ends = [b"\n", b"\r", b"\r\n", b"", "é".encode() * 40, b"\n\n"]
    log = tmp_path / "train.log"
    log.write_bytes(b"".join(b"x" * draw.randrange(600) + draw.choice(ends) for _ in range(400)))
    whole = [(window.offset, window.data) for window in from_file(log).windows()]
    assert len(whole) > 20
    size = log.stat().st_size
    for block in range(-(-size // (BLOCK * WINDOW))):
        part = parts.Part(str(log), block=block, stops=frozenset(), size=size)
        assert [(window.offset, window.data) for window in part.windows()] == whole[block * BLOCK :]


def test_a_file_that_shrinks_is_read_in_sequence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that became shorter before its parts were read is told as far as it reaches."""
    log = tmp_path / "train.log"
    log.write_text(metrics(random.Random(3)), encoding="utf-8")
    source = from_file(log)
    monkeypatch.setattr(
        pieces.Piece,
        "open",
        lambda piece: parts.Part(piece.path, block=piece.block or 0, stops=frozenset(), size=10**6),
    )
    told = triage_sources([source], side_by_side=True)
    assert told.sources[0].error is None
    assert told.sources[0].bytes == log.stat().st_size


def test_parts_are_dealt_in_turn(tmp_path: Path) -> None:
    """Each worker has every third part, so that what is read first is told first."""
    log = tmp_path / "train.log"
    log.write_text(metrics(random.Random(3)), encoding="utf-8")
    assert dressing.wears(log.read_bytes()[:WINDOW]) is False
    dealt = parallel.shares(pieces.pieces_of([from_file(log)]))
    assert [piece.block for piece in dealt[0]][:3] == [0, 3, 6]
    assert [piece.block for piece in dealt[2]][:3] == [2, 5, 8]
