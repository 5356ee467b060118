"""The analyser: whatever happens in it, who feeds it goes on, and is told once."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest

from errtriage.errors import SourceError
from errtriage.live.analyser import Forked
from errtriage.live.spooled import Spooled

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
PIECE = b"x" * 100_000


def size_of(pieces: Iterator[bytes]) -> dict[str, Any]:
    return {"size": sum(map(len, pieces)), "pid": os.getpid()}


def fed(analyser: Forked | Spooled, pieces: int = 50) -> dict[str, Any]:
    try:
        for _ in range(pieces):
            analyser.feed(PIECE)
        return analyser.wait(30)
    finally:
        analyser.end()


def test_all_that_was_fed_arrives_in_another_process() -> None:
    """A child gets every byte and answers."""
    answer = fed(Forked(size_of))
    assert answer["size"] == 50 * len(PIECE)
    assert answer["pid"] != os.getpid()


def test_without_fork_the_stream_is_kept_and_read_at_its_end() -> None:
    """The analyser for systems without fork gives the same answer, in our own process."""
    answer = fed(Spooled(size_of))
    assert answer == {"size": 50 * len(PIECE), "pid": os.getpid()}


def raises(_pieces: Iterator[bytes]) -> dict[str, Any]:
    raise RuntimeError("no idea")


def raises_later(pieces: Iterator[bytes]) -> dict[str, Any]:
    next(pieces)
    raise RuntimeError("no idea")


def out_of_memory(pieces: Iterator[bytes]) -> dict[str, Any]:
    next(pieces)
    raise MemoryError


def kills_itself(pieces: Iterator[bytes]) -> dict[str, Any]:
    next(pieces)
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


def leaves(pieces: Iterator[bytes]) -> dict[str, Any]:
    next(pieces)
    os._exit(7)


def answers_nonsense(_pieces: Iterator[bytes]) -> dict[str, Any]:
    return {"text": object()}


def foreseen(_pieces: Iterator[bytes]) -> dict[str, Any]:
    raise SourceError("no knowledge")


@pytest.mark.parametrize(
    ("work", "told"),
    [
        (raises, "bug in errtriage"),
        (raises_later, "RuntimeError: no idea"),
        (out_of_memory, "out of memory"),
        (kills_itself, "SIGKILL"),
        (leaves, "exit code 7"),
        (answers_nonsense, "can not be sent"),
        (foreseen, "no knowledge"),
    ],
)
def test_a_failing_analysis_is_told_and_harms_nobody(work, told: str) -> None:
    """An exception, no memory, a SIGKILL or an exit in the child becomes an answer of one key."""
    answer = fed(Forked(work))
    assert list(answer) == ["trouble"]
    assert told in answer["trouble"]


def loops(pieces: Iterator[bytes]) -> dict[str, Any]:
    next(pieces)
    while True:
        pass


def test_an_endless_loop_is_given_up_once_its_queue_is_full() -> None:
    """The feeder waits for a stuck analyser once, as long as its patience goes, and then never again."""
    analyser = Forked(loops, queue=2_000_000, patience=0.3)
    try:
        started = time.monotonic()
        for _ in range(200):
            analyser.feed(PIECE)
        assert time.monotonic() - started < 10
        assert "stood still" in analyser.wait(5)["trouble"]
    finally:
        analyser.end()


def test_an_answer_that_does_not_come_is_not_waited_for() -> None:
    """The wait for an answer ends with its time."""
    analyser = Forked(loops)
    try:
        analyser.feed(b"x")
        assert "did not end within 0.2 s" in analyser.wait(0.2)["trouble"]
    finally:
        analyser.end()


def test_a_killed_analyser_does_not_stop_the_feeder() -> None:
    """A SIGKILL in the middle of the stream is told at its end."""
    analyser = Forked(size_of)
    try:
        analyser.feed(PIECE)
        os.kill(analyser._pid, signal.SIGKILL)
        for _ in range(100):
            analyser.feed(PIECE)
        assert "SIGKILL" in analyser.wait(5)["trouble"]
    finally:
        analyser.end()


def slow(pieces: Iterator[bytes]) -> dict[str, Any]:
    size = 0
    for piece in pieces:
        time.sleep(0.005)
        size += len(piece)
    return {"size": size}


def test_a_slow_analyser_gets_every_byte() -> None:
    """Where the queue is full but moves, the feeder waits, and nothing is left out."""
    analyser = Forked(slow, queue=500_000, patience=20)
    assert fed(analyser, 100)["size"] == 100 * len(PIECE)


def test_the_child_holds_nothing_open_and_is_deaf_to_the_jobs_signals() -> None:
    """A pipe of the parent closes when the parent closes it, and Ctrl-C and SIGTERM leave the analyser at its work."""
    out, into = os.pipe()
    analyser = Forked(size_of)
    try:
        os.close(into)
        assert os.read(out, 1) == b""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            time.sleep(0.1)
            os.kill(analyser._pid, number)
        analyser.feed(PIECE)
        assert analyser.wait(10)["size"] == len(PIECE)
    finally:
        os.close(out)
        analyser.end()
