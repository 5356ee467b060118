"""Reading side by side: whoever reads the sources of a job, the report is the same."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from case_files import LOGS
from errtriage import parallel, reading, triage
from errtriage.cli.doctor import findings
from errtriage.errors import ErrtriageError
from errtriage.parallel import crew, worker
from errtriage.parallel.pieces import Piece, pieces_of
from errtriage.render.json import to_dict
from errtriage.sources import Source, from_bytes, from_file, open_paths
from errtriage.triage import triage_sources

CORPUS = sorted(LOGS.rglob("*.log"))
JOBS = [CORPUS[start::30] for start in range(30)]
RANKS = CORPUS[:6]


@pytest.fixture(autouse=True)
def three_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs of any size have three workers, forked though threads of the test runner live."""
    monkeypatch.setenv(reading.VARIABLE, "3")
    monkeypatch.setattr(crew, "may_fork", lambda: hasattr(os, "fork"))


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What the workers that were started read: the number of sources of each."""
    shares: list[int] = []

    def counted(start: Callable[..., object]) -> Callable[..., object]:
        def counting(task: worker.Task, ends: list[int]) -> object:
            shares.append(len(task.pieces))
            return start(task, ends)

        return counting

    for name in ("_forked", "_spawned"):
        monkeypatch.setattr(crew, name, counted(getattr(crew, name)))
    return shares


def dealt(job: list[Source]) -> list[list[Piece]]:
    """What each worker of a job is given."""
    return parallel.shares(pieces_of(job))


def said(sources: list[Source], *, side_by_side: bool) -> str:
    """All that the report on a job says, less how long it took."""
    told = to_dict(triage_sources(sources, side_by_side=side_by_side))
    told["stats"].pop("seconds")
    return json.dumps(told, sort_keys=True)


def assert_same(paths: list[Path]) -> None:
    """Both ways of reading say the same."""
    sources = [from_file(path) for path in paths]
    assert said(sources, side_by_side=True) == said(sources, side_by_side=False)


@pytest.mark.parametrize("job", [pytest.param(job, id=str(number)) for number, job in enumerate(JOBS)])
def test_workers_change_no_report(job: list[Path], started: list[int]) -> None:
    """A job of the corpus' logs, read by three workers, has the report that it has when read in sequence."""
    assert_same(job)
    assert len(started) == 3
    assert sum(started) == len(job)


def test_spawned_workers_change_no_report(monkeypatch: pytest.MonkeyPatch, started: list[int]) -> None:
    """Where no process can be forked, new interpreters read the same."""
    monkeypatch.setattr(crew, "may_fork", lambda: False)
    assert_same(RANKS)
    assert sorted(started) == [1, 2, 3]  # by their sizes


def test_long_logs_change_no_report(tmp_path: Path) -> None:
    """Logs whose events fill many messages are told as in sequence, packed ones and damaged ones among them."""
    lines = "".join(f"step {step} loss {2 + 1 / (1 + step)} rank {step % 7}\n" for step in range(9_000))
    text = CORPUS[-1].read_text(encoding="utf-8", errors="replace")
    (tmp_path / "rank_0.log").write_text(lines + text, encoding="utf-8")
    (tmp_path / "rank_1.log.gz").write_bytes(gzip.compress((text + lines).encode()))
    (tmp_path / "rank_2.log.gz").write_bytes(gzip.compress((lines + text).encode())[:-9_000])
    (tmp_path / "rank_3.log").write_bytes(b"")
    assert_same(sorted(tmp_path.iterdir()))


def test_a_file_that_vanishes_is_told(tmp_path: Path) -> None:
    """A file that is gone when a worker comes to it stands in the report as one that could not be read."""
    gone = tmp_path / "gone.log"
    gone.write_text("step 1 loss 2.0\n", encoding="utf-8")
    sources = list(open_paths([*RANKS, gone]))
    gone.unlink()
    assert "vanished" in said(sources, side_by_side=True)
    assert said(sources, side_by_side=True) == said(sources, side_by_side=False)


@pytest.mark.parametrize("kept", [0, 1])
def test_a_worker_that_dies_costs_time_alone(monkeypatch: pytest.MonkeyPatch, kept: int) -> None:
    """Where a worker ends before it has told all, the job is read again in sequence."""
    send, sent = worker._send, 0

    def failing(out: int, message: worker.Message) -> None:
        nonlocal sent
        if sent == kept:
            os.write(out, b"\x09\0\0")  # killed in the middle of a message
            os._exit(1)
        sent += 1
        send(out, message)

    monkeypatch.setattr(worker, "_send", failing)
    assert_same(RANKS)


def test_a_system_without_processes_reads_in_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the second fork is refused, the job is read in sequence, and the first worker is gone."""
    fork, forks = os.fork, 0

    def refused() -> int:
        nonlocal forks
        forks += 1
        if forks == 2:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        return fork()

    monkeypatch.setattr(os, "fork", refused)
    assert_same(RANKS)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_nothing_is_left_behind() -> None:
    """After the report there are as many descriptors as before, no child and no thread."""
    before, threads = os.listdir("/dev/fd"), threading.active_count()  # noqa: PTH208
    assert_same(RANKS)
    assert len(os.listdir("/dev/fd")) == len(before)  # noqa: PTH208
    assert threading.active_count() == threads
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_pipes_and_bytes_are_read_here(tmp_path: Path) -> None:
    """A job with a source that can be read only once, or only here, has no workers; a named pipe is not opened."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    files = [from_file(path) for path in RANKS]
    assert dealt([*files, from_file(pipe)]) == []
    assert dealt([*files, from_bytes("log", b"step 1\n")]) == []


def test_small_jobs_are_read_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without the variable a job has a worker for each 16 MiB, at most one for each core, from 32 MiB on."""
    monkeypatch.delenv(reading.VARIABLE)
    monkeypatch.setattr(parallel, "cores", lambda: 4)
    for number in range(64):
        with (tmp_path / f"rank_{number:02}.log").open("wb") as file:
            file.truncate(1 << 20)
    files = list(open_paths([tmp_path]))
    assert dealt(files[:31]) == []
    assert [len(share) for share in dealt(files[:32])] == [16, 16]
    assert [len(share) for share in dealt(files)] == [16, 16, 16, 16]
    monkeypatch.setattr(parallel, "cores", lambda: 1)
    assert dealt(files) == []


def test_the_variable_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """One worker means none; what is no number is a mistake that is named; a worker has at least one source."""
    files = [from_file(path) for path in RANKS]
    for told, shares in (("1", 0), ("2", 2), ("40", len(files))):
        monkeypatch.setenv(reading.VARIABLE, told)
        assert len(dealt(files)) == shares
    for told in ("0", "many", "-1", "1.5"):
        monkeypatch.setenv(reading.VARIABLE, told)
        with pytest.raises(ErrtriageError, match=f"ERRTRIAGE_WORKERS must be a number from 1 on, not '{told}'"):
            parallel.workers()


def test_a_users_program_is_not_forked(started: list[int]) -> None:
    """Neither `triage` nor `triage_sources` starts a process unless it is asked to."""
    triage(RANKS[0])
    triage_sources([from_file(path) for path in RANKS])
    assert started == []


def test_doctor_tells_how_many_read() -> None:
    """The number of workers and what it comes from stand in `errtriage doctor`."""
    told = dict(findings())["workers"]
    assert told.startswith("up to 3")
    assert "ERRTRIAGE_WORKERS=3" in told


def test_an_interrupt_ends_all(tmp_path: Path) -> None:
    """Ctrl-C ends errtriage with its status, without a word, and no worker outlives it."""
    program = tmp_path / "program.py"
    program.write_text(
        "import sys, time\nfrom errtriage.parallel import worker\nfrom errtriage.cli import run\n"
        "worker.work = lambda task, out: (open(task.pieces[0].path + '.read', 'w').close(), time.sleep(60))\n"
        "sys.exit(run(sys.argv[1:]))\n",
        encoding="utf-8",
    )
    logs = [tmp_path / f"rank_{number}.log" for number in range(3)]
    for log in logs:
        log.write_text("step 1 loss 2.0\n", encoding="utf-8")
    running = subprocess.Popen(
        [sys.executable, program, *logs], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    until = time.monotonic() + 30
    while time.monotonic() < until and not all(Path(f"{log}.read").exists() for log in logs):
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)
    assert running.communicate(timeout=30) == (b"", b"")
    assert running.returncode == 130
    with pytest.raises(ProcessLookupError):
        os.killpg(running.pid, 0)
